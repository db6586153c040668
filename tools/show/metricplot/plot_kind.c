/* plot_kind.c: the kinds of figures: a file of share/figure/kinds each, or a user's own. */
#include "plot_kind.h"
#include "base/die.h"
#include "base/embed.h"
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
	json_t *whole = json_deep_copy(json_object_get(plot_kind_shared(), "defaults"));
	json_object_update_recursive(whole, (json_t *)found);
	return whole;
}

const json_t *
plot_kind_shared(void)
{
	return json_array_get(all_kinds(), 0);
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

json_t *
plot_kind_string(const char *text)
{
	json_t *v = json_string(text);
	return v ? v : json_string("(not UTF-8)");
}
