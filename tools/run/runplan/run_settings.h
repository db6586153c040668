/* run_settings.h: the settings of a label's runs, as make writes them: lines NAME=VALUE.
 * An empty value is none. A line --OPTION=VALUE is the setting `option` and an option of the
 * driver; one that begins with a colon is a setting of the plan, on which no run depends. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

/* `label`: whose own the file is, so that it has to be whole; NULL: anybody's. */
void xrun_settings_read(const char *path, const char *label);
/* What runs depend on, {name: value}, without `environment` and `made_files`; borrowed. */
const json_t *run_settings(void);
const char *run_settings_get(const char *name);	/* NULL: unset */
bool run_settings_is(const char *name, const char *value);
const char *run_settings_of_plan(const char *name);	/* NULL: unset */
/* The driver's options, [["--settle-ms", "300"], ...]; borrowed. */
const json_t *run_settings_options(void);
const char *run_settings_environment(void);	/* which packages; NULL: not known */
/* {name: null} of the files whose digests are recorded; NULL: none. */
json_t *run_settings_made_files(void);
