/* plot_template.c: Vega-Lite specifications from the templates of share/figure. */
#include "plot_template.h"
#include "base/die.h"
#include "base/embed.h"
#include "json/json_parse.h"

#include <string.h>

EMBED_STATIC(plot_templates, "share/figure/templates.json");
EMBED_STATIC(plot_theme, "share/figure/theme.json");
extern const char plot_templates[], plot_theme[];

static const json_t *
own_json(json_t **is, const char *text)
{
	json_error_t error;
	if (!*is && !(*is = json_parse_strict(text, strlen(text), &error)))
		die(ST_SYSTEM, "share/figure, line %d: %s", error.line, error.text);
	return *is;
}

static const json_t *
template_of(const char *name)
{
	static json_t *all;
	return json_object_get(own_json(&all, plot_templates), name);
}

static json_t *
fill(const json_t *t, const json_t *values)
{
	const char *key, *text = json_string_value(t);
	size_t i;
	json_t *v, *to, *filled;
	if (text && text[0] == '@') {
		v = json_object_get(values, text + 1);
		return json_is_null(v) ? NULL : v ? json_incref(v) :
		    template_of(text + 1) ? fill(template_of(text + 1), values) : NULL;
	}
	if (!json_is_object(t) && !json_is_array(t))
		return json_incref((json_t *)t);
	to = json_is_array(t) ? json_array() : json_object();
	json_array_foreach((json_t *)t, i, v)
		if ((filled = fill(v, values)))
			json_array_append_new(to, filled);
	json_object_foreach((json_t *)t, key, v)
		if ((filled = fill(v, values)))
			json_object_set_new(to, key, filled);
	return to;
}

json_t *
plot_template_fill(const char *name, const json_t *values)
{
	return fill(template_of(name), values);
}

json_t *
plot_template_figure(json_t *view, const struct plot_head *h)
{
	static json_t *theme;
	const json_t *t = own_json(&theme, plot_theme);
	json_t *spec = json_copy((json_t *)json_object_get(t, "top"));
	json_t *dark = json_copy(json_object_get(t, "dark"));
	json_t *title = json_array(), *below = json_array(), *line;
	size_t i;
	json_object_update(dark, h->dark);
	json_array_foreach(h->lines, i, line)
		json_array_append(i < h->title_lines ? title : below, line);
	json_object_set_new(spec, "title", json_pack("{s:o, s:o, s:s, s:s}", "text", title,
	    "subtitle",
	    below, "anchor", "start", "frame", "bounds"));
	json_object_set_new(spec, "description", json_string(h->about));
	json_object_set_new(spec, "usermeta", json_pack("{s:O, s:{s:s, s:s, s:s, s:f, s:o}}",
	    "embedOptions", json_object_get(t, "embed"), "nbscope", "id", h->id, "title", h->title,
	    "about", h->about, "width", h->width, "dark", dark));
	json_object_update(spec, view);
	return spec;
}
