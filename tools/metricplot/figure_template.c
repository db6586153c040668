/* figure_template.c: Vega-Lite specifications from the templates of share/figure, and texts and
 * numbers for them. */
#include "figure_template.h"
#include "base/die.h"
#include "base/embed.h"
#include "figure/figure_theme.h"
#include "json/json_parse.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

EMBED_STATIC(figure_templates, "share/figure/templates.json");
extern const char figure_templates[];

static const json_t *
template_of(const char *name)
{
	static json_t *all;
	json_error_t error;
	if (!all && !(all = json_parse_strict(figure_templates, strlen(figure_templates), &error)))
		die(ST_SYSTEM, "share/figure/templates.json, line %d: %s", error.line, error.text);
	return json_object_get(all, name);
}

/* A part of the figure's own kind, else one that all can use; NULL: there is none. */
static const json_t *
part_of(const json_t *own, const char *name)
{
	const json_t *part = json_object_get(own, name);
	return part ? part : template_of(name);
}

json_t *
figure_template_fill(const json_t *t, const json_t *own, const json_t *values)
{
	const char *key, *text = json_string_value(t);
	size_t i;
	json_t *v, *to, *filled;
	if (text && text[0] == '@') {
		const char *name = text + 1;
		if ((v = json_object_get(values, name)))
			return json_is_null(v) ? NULL : json_incref(v);
		if (part_of(own, name))
			return figure_template_fill(part_of(own, name), own, values);
		if (!(v = figure_theme_value(name)))
			return NULL;
		/* A scale has names of colours. */
		filled = figure_template_fill(v, own, values);
		json_decref(v);
		return filled;
	}
	if (!json_is_object(t) && !json_is_array(t))
		return json_incref((json_t *)t);
	to = json_is_array(t) ? json_array() : json_object();
	json_array_foreach((json_t *)t, i, v)
		if ((filled = figure_template_fill(v, own, values)))
			json_array_append_new(to, filled);
	json_object_foreach((json_t *)t, key, v)
		if ((filled = figure_template_fill(v, own, values)))
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
	if (trunc(x) < x || trunc(x) > x) {
		snprintf(text, sizeof text, "%.12g", x);
		x = strtod(text, NULL);
	}
	json_object_set_new(object, key, isfinite(x) ? json_real(x) : json_null());
}
