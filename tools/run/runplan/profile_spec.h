/* profile_spec.h: what a profiler pass is to find in a notebook, as explain wrote it. */
#pragma once

#include "layout/layout.h"

#include <jansson.h>

/* Reads {"name", "spec"} lines: what a pass is to find from now on. */
void xprofile_spec_read(const char *path);
/* Writes it where the pass finds it. False: nothing was read for this combination. */
bool xprofile_spec_write(const struct layout *, const char *name, const char *pass);
/* The settings on which such a run depends, besides those of the label; NULL: nothing says what the
 * pass is to find. */
json_t *profile_spec_settings(const struct layout *, const char *name, const char *pass);
