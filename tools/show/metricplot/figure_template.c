/* figure_template.c: Vega-Lite specifications from the templates of share/figure, and texts and
 * numbers for them. */
#include "figure_template.h"
#include "base/die.h"
#include "figure/figure_theme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *
figure_template_fill(const json_t *t, const json_t *parts, const json_t *values)
{
	const char *key, *text = json_string_value(t);
	size_t i;
	json_t *v, *to, *filled;
	if (text && text[0] == '@') {
		const char *name = text + 1;
		if ((v = json_object_get(values, name)))
			return json_is_null(v) ? NULL : json_incref(v);
		if ((v = json_object_get(parts, name)))
			return figure_template_fill(v, parts, values);
		if (!(v = figure_theme_value(name)))
			return NULL;
		/* A scale has names of colours. */
		filled = figure_template_fill(v, parts, values);
		json_decref(v);
		return filled;
	}
	if (!json_is_object(t) && !json_is_array(t))
		return json_incref((json_t *)t);
	to = json_is_array(t) ? json_array() : json_object();
	json_array_foreach((json_t *)t, i, v)
		if ((filled = figure_template_fill(v, parts, values)))
			json_array_append_new(to, filled);
	json_object_foreach((json_t *)t, key, v)
		if ((filled = figure_template_fill(v, parts, values)))
			json_object_set_new(to, key, filled);
	return to;
}

json_t *
figure_text(const char *text)
{
	json_t *v = json_string(text);
	return v ? v : json_string("(not UTF-8)");
}

void
figure_set_text(json_t *object, const char *key, const char *text)
{
	json_object_set_new(object, key, figure_text(text));
}

void
figure_set_number(json_t *object, const char *key, double x)
{
	char text[40];
	if (trunc(x) < x || trunc(x) > x) {
		snprintf(text, sizeof text, "%.12g", x);
		x = strtod(text, NULL);
	}
	json_object_set_new(object, key, isfinite(x) ? json_real(x) : json_null());
}
