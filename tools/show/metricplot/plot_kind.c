/* plot_kind.c: the kinds of figures: a file of share/figure/kinds each, or a user's own. */
#include "plot_kind.h"
#include "base/die.h"
#include "base/embed.h"
#include "json/json_file.h"

#include <stdio.h>
#include <string.h>

EMBED_STATIC(plot_kinds_text, KINDS_TEXT);
extern const char plot_kinds_text[];

/* The files of share/figure/kinds after that of their shared parts, which are one text. */
static const json_t *
all_kinds(void)
{
	static json_t *all;
	json_error_t error;
	if (all)
		return all;
	all = json_array();
	const char *text = plot_kinds_text;
	while (*text) {
		json_t *kind = json_loadb(text, strlen(text), JSON_REJECT_DUPLICATES |
		    JSON_DISABLE_EOF_CHECK, &error);
		if (!kind)
			die(ST_SYSTEM, "share/figure/kinds, after '%s': %s", json_string_value(
			    json_object_get(json_array_get(all, json_array_size(all) - 1), "kind")),
			    error.text);
		json_array_append_new(all, kind);
		text += error.position;
		text += strspn(text, " \n");
	}
	return all;
}

static const json_t *
xown_kind(const char *path)
{
	struct source s;
	xjson_file_load(&s, path);
	if (!json_is_string(json_object_get(s.root, "kind")) ||
	    !json_object_get(s.root, "spec"))
		die(ST_INPUT, "%s: not a kind of figure: 'kind' and 'spec' are required", path);
	return s.root;
}

const json_t *
xplot_kind(const char *word)
{
	size_t i;
	json_t *kind;
	if (strchr(word, '/') || strchr(word, '.'))
		return xown_kind(word);
	json_array_foreach((json_t *)all_kinds(), i, kind)
		if (i && strcmp(plot_kind_text(kind, "kind", NULL), word) == 0)
			return kind;
	return NULL;
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
plot_kind_number(const json_t *kind, const char *part, const char *name, double otherwise)
{
	const json_t *v = member_of(kind, part, name);
	return json_is_number(v) ? json_number_value(v) : otherwise;
}

bool
plot_kind_is(const json_t *kind, const char *part, const char *name)
{
	return json_is_true(member_of(kind, part, name));
}

bool
plot_kind_has(const json_t *kind, const char *list, const char *word)
{
	size_t i;
	json_t *v;
	json_array_foreach(json_object_get(kind, list), i, v)
		if (json_is_string(v) && strcmp(json_string_value(v), word) == 0)
			return true;
	return false;
}
