/* run_settings.c: the settings of a label's runs. */
#include "run_settings.h"
#include "base/die.h"
#include "base/file.h"
#include "base/installation.h"

enum { LIMIT_BYTES = 1 << 20 };

static json_t *settings, *of_plan, *options, *made_files;
static char *environment;

static void
set_made_files(char *names)
{
	made_files = json_object();
	for (char *name; (name = strsep(&names, " ")); )
		if (*name)
			json_object_set_new(made_files, name, json_null());
}

/* "--settle-ms" becomes "settle_ms". */
static char *
option_name(const char *option)
{
	char *name = xstrdup(option + 2);
	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	return name;
}

static bool
add_option(const char *option, const char *value)
{
	char *name = option_name(option);
	bool good = json_object_set_new(settings, name, json_string(value)) == 0 &&
	    json_array_append_new(options, json_pack("[s, s]", option, value)) == 0;
	free(name);
	return good;
}

static bool
add_setting(const char *name, char *value)
{
	if (strcmp(name, "environment") == 0)
		environment = xstrdup(value);
	else if (strcmp(name, "made_files") == 0)
		set_made_files(value);
	else if (*name == ':')
		return json_object_set_new(of_plan, name + 1, json_string(value)) == 0;
	else if (strncmp(name, "--", 2) == 0)
		return add_option(name, value);
	else
		return json_object_set_new(settings, name, json_string(value)) == 0;
	return true;
}

/* Make writes them, with that of the environment last. */
static void
check_own(const char *path, const char *label, const char *text, size_t n)
{
	const char *last = strstr(text, "environment=");
	if (!last || text[n - 1] != '\n' || strlen(text) != n)
		die(ST_INPUT, "'%s' is damaged: %s profile LABEL=%s writes it again", path,
		    installation_command(), label);
}

void
xrun_settings_read(const char *path, const char *label)
{
	size_t n;
	char *text = file_read(path, LIMIT_BYTES, &n), *rest = text, *line;
	if (!text)
		die(ST_SYSTEM, "cannot read '%s':", path);
	if (label)
		check_own(path, label, text, n);
	settings = json_object();
	of_plan = json_object();
	options = json_array();
	for (unsigned long number = 1; (line = strsep(&rest, "\n")); number++) {
		char *value = strchr(line, '=');
		if (!value && *line)
			die(ST_INPUT, "%s:%lu:1: not NAME=VALUE", path, number);
		if (!value || !value[1])
			continue;
		*value++ = '\0';
		if (!add_setting(line, value))
			die(ST_INPUT, "%s:%lu:1: not UTF-8", path, number);
	}
	free(text);
}

const json_t *
run_settings(void)
{
	return settings;
}

const char *
run_settings_get(const char *name)
{
	return json_string_value(json_object_get(settings, name));
}

bool
run_settings_is(const char *name, const char *value)
{
	const char *set = run_settings_get(name);
	return set && strcmp(set, value) == 0;
}

const char *
run_settings_of_plan(const char *name)
{
	return json_string_value(json_object_get(of_plan, name));
}

const json_t *
run_settings_options(void)
{
	return options;
}

const char *
run_settings_environment(void)
{
	return environment;
}

json_t *
run_settings_made_files(void)
{
	return made_files;
}
