/* figure_template.c: Vega-Lite specifications from the templates of share/figure. */
#include "figure_template.h"
#include "base/die.h"
#include "base/embed.h"
#include "figure/figure_theme.h"
#include "json/json_parse.h"

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
figure_template_fill_in(const json_t *t, const json_t *own, const json_t *values)
{
	const char *key, *text = json_string_value(t);
	size_t i;
	json_t *v, *to, *filled;
	if (text && text[0] == '@') {
		const char *name = text + 1;
		if ((v = json_object_get(values, name)))
			return json_is_null(v) ? NULL : json_incref(v);
		if (part_of(own, name))
			return figure_template_fill_in(part_of(own, name), own, values);
		if (!(v = figure_theme_value(name)))
			return NULL;
		/* A scale has names of colours. */
		filled = figure_template_fill_in(v, own, values);
		json_decref(v);
		return filled;
	}
	if (!json_is_object(t) && !json_is_array(t))
		return json_incref((json_t *)t);
	to = json_is_array(t) ? json_array() : json_object();
	json_array_foreach((json_t *)t, i, v)
		if ((filled = figure_template_fill_in(v, own, values)))
			json_array_append_new(to, filled);
	json_object_foreach((json_t *)t, key, v)
		if ((filled = figure_template_fill_in(v, own, values)))
			json_object_set_new(to, key, filled);
	return to;
}

json_t *
figure_template_fill(const char *name, const json_t *values)
{
	return figure_template_fill_in(template_of(name), NULL, values);
}

/* Notes without a title are the title, in the size of notes. */
static json_t *
title_of(const struct figure_head *h)
{
	json_t *title = json_array(), *below = json_array(), *line, *all;
	size_t i;
	json_array_foreach(h->lines, i, line)
		json_array_append(i < h->title_lines ? title : below, line);
	all = h->title_lines ? json_object() : figure_template_fill_in(figure_theme_part(
	    "untitled"), NULL, NULL);
	json_object_set(all, "text", h->title_lines ? title : below);
	if (h->title_lines)
		json_object_set(all, "subtitle", below);
	json_object_set_new(all, "anchor", json_string("start"));
	json_object_set_new(all, "frame", json_string("bounds"));
	json_decref(title);
	json_decref(below);
	return all;
}

json_t *
figure_template_spec(json_t *view, const struct figure_head *h)
{
	json_t *spec = figure_template_fill_in(figure_theme_part("top"), NULL, NULL);
	json_t *dark = figure_theme_dark();
	json_object_update(dark, h->dark);
	if (json_array_size(h->lines))
		json_object_set_new(spec, "title", title_of(h));
	json_object_set_new(spec, "description", json_string(h->about));
	json_object_set_new(spec, "usermeta", json_pack(
	    "{s:O, s:{s:s, s:s, s:s, s:f, s:s, s:s, s:o}}", "embedOptions",
	    figure_theme_part("embed"), "nbscope", "id", h->id, "title", h->title, "about",
	    h->about, "width", h->width, "ground", figure_theme_colour("ground", false), "ink",
	    figure_theme_colour("ink", false), "dark", dark));
	json_object_update(spec, view);
	return spec;
}
