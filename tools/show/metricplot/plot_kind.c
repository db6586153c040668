/* plot_kind.c: the kinds of figures: a file of share/figure/kinds each, or a user's own, and how
 * their templates are filled. */
#include "plot_kind.h"
#include "base/die.h"
#include "base/embed.h"
#include "figure/figure_theme.h"
#include "json/json_file.h"
#include "json/json_parse.h"

#include <stdio.h>

EMBED_STATIC(plot_kinds_text, OBJ_DIR "kinds.json");
extern const char plot_kinds_text[];

/* ---- files ------------------------------------------------------------------------------ */

/* The files of share/figure/kinds, after that of what they share. */
static const json_t *
all_kinds(void)
{
	static json_t *all;
	json_error_t error;
	if (!all && !(all = json_parse_strict(plot_kinds_text, strlen(plot_kinds_text), &error)))
		die(ST_SYSTEM, "share/figure/kinds, line %d of all: %s", error.line, error.text);
	return all;
}

static const json_t *
xown_kind(const char *path)
{
	struct source s;
	xjson_file_load(&s, path);
	if (!plot_kind_text(s.root, "kind", NULL) || !json_object_get(s.root, "spec"))
		die(ST_INPUT, "%s: not a kind of figure: 'kind' and 'spec' are required", path);
	return s.root;
}

const json_t *
xplot_kind(const char *word)
{
	size_t i;
	json_t *kind;
	const json_t *found = strchr(word, '/') || strchr(word, '.') ? xown_kind(word) : NULL;
	json_array_foreach((json_t *)all_kinds(), i, kind)
		if (i && strcmp(plot_kind_text(kind, "kind", NULL), word) == 0)
			found = kind;
	if (!found)
		return NULL;
	json_t *whole = json_deep_copy(plot_kind_shared("defaults"));
	json_object_update_recursive(whole, (json_t *)found);
	return whole;
}

const json_t *
plot_kind_shared(const char *name)
{
	return json_object_get(json_array_get(all_kinds(), 0), name);
}

void
plot_kind_list(void)
{
	size_t i;
	json_t *kind;
	json_array_foreach((json_t *)all_kinds(), i, kind)
		if (i)
			printf("%-11s %s\n", plot_kind_text(kind, "kind", NULL),
			    plot_kind_text(kind, "help", NULL));
}

/* ---- members ----------------------------------------------------------------------------- */

static const json_t *
member_of(const json_t *kind, const char *part, const char *name)
{
	const json_t *v = json_object_get(kind, part);
	return name ? json_object_get(v, name) : v;
}

const char *
plot_kind_text(const json_t *kind, const char *part, const char *name)
{
	return json_string_value(member_of(kind, part, name));
}

double
plot_kind_number(const json_t *kind, const char *part, const char *name)
{
	return json_number_value(member_of(kind, part, name));
}

bool
plot_kind_is(const json_t *kind, const char *part, const char *name)
{
	return json_is_true(member_of(kind, part, name));
}

/* ---- templates --------------------------------------------------------------------------- */

bool
plot_kind_holds(const json_t *condition, const json_t *facts)
{
	const char *name;
	json_t *wanted;
	json_object_foreach((json_t *)condition, name, wanted) {
		const json_t *fact = json_object_get(facts, name);
		double x = json_number_value(fact), most = json_number_value(json_is_array(wanted) ?
		    json_array_get(wanted, 1) : wanted);
		bool has_most = json_is_number(wanted) || json_array_size(wanted) > 1;
		if (fact && (json_is_boolean(fact) ? !json_equal(fact, wanted) :
		    x < json_number_value(json_array_get(wanted, 0)) || (has_most && x > most)))
			return false;
	}
	return true;
}

json_t *
plot_kind_parts(const json_t *kind, const json_t *facts)
{
	json_t *parts = json_copy((json_t *)plot_kind_shared("parts")), *when;
	size_t i;
	json_object_update(parts, json_object_get(kind, "parts"));
	json_array_foreach(json_object_get(kind, "when"), i, when)
		if (plot_kind_holds(when, facts))
			json_object_update(parts, json_object_get(when, "set"));
	return parts;
}

json_t *
plot_kind_fill(const json_t *t, const json_t *parts, const json_t *values)
{
	const char *key, *text = json_string_value(t);
	size_t i;
	json_t *v, *to, *filled;
	if (text && text[0] == '@') {
		const char *name = text + 1;
		if ((v = json_object_get(values, name)))
			return json_is_null(v) ? NULL : json_incref(v);
		if ((v = json_object_get(parts, name)))
			return plot_kind_fill(v, parts, values);
		if (!(v = figure_theme_value(name)))
			return NULL;
		/* A scale has names of colours. */
		filled = plot_kind_fill(v, parts, values);
		json_decref(v);
		return filled;
	}
	if (!json_is_object(t) && !json_is_array(t))
		return json_incref((json_t *)t);
	to = json_is_array(t) ? json_array() : json_object();
	json_array_foreach((json_t *)t, i, v)
		if ((filled = plot_kind_fill(v, parts, values)))
			json_array_append_new(to, filled);
	json_object_foreach((json_t *)t, key, v)
		if ((filled = plot_kind_fill(v, parts, values)))
			json_object_set_new(to, key, filled);
	return to;
}

json_t *
plot_kind_string(const char *text)
{
	json_t *v = json_string(text);
	return v ? v : json_string("(not UTF-8)");
}

void
plot_kind_set_number(json_t *object, const char *key, double x)
{
	char text[40];
	if (trunc(x) < x || trunc(x) > x) {
		snprintf(text, sizeof text, "%.12g", x);
		x = strtod(text, NULL);
	}
	json_object_set_new(object, key, isfinite(x) ? json_real(x) : json_null());
}
