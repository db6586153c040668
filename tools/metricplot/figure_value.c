/* figure_value.c: texts and numbers in a specification. */
#include "figure_value.h"
#include "base/die.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

json_t *
figure_text(const char *text)
{
	json_t *v = json_string(text);
	return v ? v : json_string("(not UTF-8)");
}

void
figure_set_text(json_t *object, const char *key, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *text = xvasprintf(fmt, ap);
	va_end(ap);
	json_object_set_new(object, key, figure_text(text));
	free(text);
}

void
figure_set_number(json_t *object, const char *key, double x)
{
	char text[40];
	snprintf(text, sizeof text, "%.12g", x);
	json_object_set_new(object, key, isfinite(x) ? json_real(strtod(text, NULL)) : json_null());
}
