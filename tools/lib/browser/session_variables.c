/* session_variables.c: the environment that describes a browser's session. */
#include "browser/session_variables.h"
#include "base/die.h"

size_t
session_variables_set(json_t *all)
{
	size_t set = 0;
	const char *name;
	json_t *value;
	json_object_foreach(all, name, value)
		if (json_is_string(value)) {
			xsetenv(name, json_string_value(value));
			set++;
		}
	return set;
}
