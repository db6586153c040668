/* blocking_script.c: which script blocked the browser's main thread. */
#include "metric/blocking_script.h"

#include "base/die.h"

#define MAIN_SHARE 0.5
enum { SCRIPT_BYTES = 80 };

char *
blocking_script(struct span scripts, double blocked_ms)
{
	json_t *all = span_null(scripts) ? NULL : span_json(scripts);
	json_t *first = json_array_get(all, 0);
	const char *name = json_string_value(json_object_get(first, "script"));
	double script_ms = json_number_value(json_object_get(first, "duration_ms"));
	char *copy = name && script_ms >= MAIN_SHARE * blocked_ms ? xstrdup(name) : NULL;
	size_t n = copy ? strlen(copy) : 0;
	if (n > SCRIPT_BYTES) {
		n = SCRIPT_BYTES;
		while (((unsigned char)copy[n] & 0xc0) == 0x80)
			n--;
		copy[n] = '\0';
	}
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)copy[i] < 0x20 || copy[i] == '"' || copy[i] == '\\' ||
		    copy[i] == 0x7f)
			copy[i] = '?';
	json_decref(all);
	if (n)
		return copy;
	free(copy);
	return NULL;
}
