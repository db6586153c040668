/* interaction.c: interactions.jsonl: which gestures are performed after which cells. */
#include "interaction.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/str.h"
#include "base/utf8.h"
#include "json/json_parse.h"
#include "json/json_text.h"
#include "json/json_value.h"

EMBED_STATIC(gestures_json, "share/interactions/gestures.json");
extern const char gestures_json[];

enum { MAX_FILE_BYTES = 64 << 20 };

/* ---- share/interactions/gestures.json ----------------------------------------------------- */

static json_t *
data_table(const char *name)
{
	static json_t *data;
	if (!data)
		data = json_loads(gestures_json, 0, NULL);
	return json_object_get(data, name);
}

json_t *
interactions_entry(const char *table, const char *name)
{
	return json_object_get(data_table(table), name);
}

int
interactions_number(const char *table, const char *name, size_t i)
{
	return (int)json_integer_value(json_array_get(interactions_entry(table, name), i));
}

/* ---- a line ------------------------------------------------------------------------------- */

/* The placeholder {NAME_value} at the text's next brace, or NULL; the name is `n` long. */
static const char *
next_placeholder(const char *text, size_t *n)
{
	static const char end[] = "_value";
	for (; (text = strchr(text, '{')); text++) {
		size_t whole = str_identifier(text + 1);
		*n = whole > strlen(end) ? whole - strlen(end) : 0;
		if (*n && text[1 + whole] == '}' && strncmp(text + 1 + *n, end, strlen(end)) == 0)
			return text;
	}
	return NULL;
}

static bool
has_placeholder(const json_t *v)
{
	size_t n;
	return json_is_string(v) && next_placeholder(json_string_value(v), &n);
}

/* Whether it is a value of the same shape: a list of texts or of lists has any length but 0, and
 * the times at the start of such lists do not decrease. `like` null: a number or a text. */
static bool
fits(const json_t *v, const json_t *like)
{
	const json_t *first = json_array_get(like, 0);
	bool any = json_is_array(first) || json_is_string(first), good;
	double t = 0;
	size_t i;
	json_t *part;
	if (json_is_null(like) || has_placeholder(v))
		return json_is_string(v) || json_is_number(v);
	if (json_is_number(like))
		return json_is_number(v) && (json_is_integer(v) || json_is_real(like));
	good = json_typeof(v) == json_typeof(like) && (!json_is_array(v) ||
	    (any ? json_array_size(v) > 0 : json_array_size(v) == json_array_size(like)));
	json_array_foreach(v, i, part) {
		const json_t *its = json_array_get(like, any ? json_array_size(like) - 1 : i);
		good = good && fits(part, its) && (!json_is_array(part) ||
		    json_number_value(json_array_get(part, 0)) >= t);
		t = json_number_value(json_array_get(part, 0));
	}
	return good;
}

/* The first of the texts that is not one of these words; NULL: there is none. */
static const char *
find_other(const json_t *v, json_t *words)
{
	const char *word = json_string_value(v), *other = NULL;
	size_t i;
	json_t *part;
	json_array_foreach(v, i, part)
		other = other ? other : find_other(part, words);
	return word && !json_object_get(words, word) ? word : other;
}

static void
xcheck_members(const struct source *s, json_t *object, const char *table)
{
	size_t i = 0;
	const char *key, *other;
	json_t *v, *like, *words;
	json_object_foreach(object, key, v) {
		if (!(like = interactions_entry(table, key)))
			source_die_at(s, object, i, "unknown member '%.80s'", key);
		if (!fits(v, like) || (json_is_number(like) && json_number_value(v) < 0))
			source_die_at(s, object, i, "'%s' must be %s", key, json_is_null(like) ?
			    "a number or a text" : xasprintf("like %s", json_text_of(like)));
		words = data_table(json_string_value(interactions_entry("words", key)));
		if (words && (other = find_other(v, words)))
			source_die_at(s, object, i, "'%s' cannot be '%.80s', only %s", key, other,
			    json_value_keys(words, ", "));
		i++;
	}
}

static size_t
member_of(json_t *object, const char *name)
{
	size_t i = 0;
	for (void *it = json_object_iter(object); it; it = json_object_iter_next(object, it), i++)
		if (strcmp(json_object_iter_key(it), name) == 0)
			return i;
	return i;
}

static void
xcheck_keys(const struct source *s, json_t *keys)
{
	size_t i;
	json_t *key;
	json_array_foreach(keys, i, key) {
		char *text = xstrdup(json_string_value(key)), *at = text;
		for (char *plus; (plus = strchr(at, '+')) && plus[1]; at = plus + 1) {
			*plus = '\0';
			if (!interactions_entry("modifiers", at))
				source_die_at(s, keys, i, "unknown modifier '%.80s'", at);
		}
		if (utf8_length(at) != strlen(at) && !interactions_entry("keys", at))
			source_die_at(s, keys, i, "unknown key '%.80s'", at);
		free(text);
	}
}

static void
xcheck_line(struct interaction *g)
{
	const struct source *s = &g->source;
	const char *name, *gesture = json_string_value(json_object_get(s->root, "gesture"));
	json_t *unused, *on = json_object_get(s->root, "on");
	if (!json_is_object(s->root))
		source_die_at_byte(s, g->number - 1, "not an object");
	xcheck_members(s, s->root, "members");
	json_object_foreach(data_table("required"), name, unused)
		if (!json_object_get(s->root, name))
			source_die_at_byte(s, g->number - 1, xasprintf("'%s' is missing", name));
	g->kind = interactions_entry("gestures", gesture);
	if (!g->kind)
		source_die_at(s, s->root, member_of(s->root, "gesture"), "unknown gesture '%.80s'; "
		    "known are: %s", gesture, json_value_keys(data_table("gestures"), ", "));
	name = json_string_value(json_object_get(g->kind, "requires"));
	if (name && !json_object_get(s->root, name))
		source_die_at(s, s->root, member_of(s->root, "gesture"), "'%s' requires '%s'",
		    gesture, name);
	const json_t *like = name ? json_object_get(g->kind, name) : NULL;
	if (like && !fits(json_object_get(s->root, name), like))
		source_die_at(s, s->root, member_of(s->root, name), "'%s' must be like %s", name,
		    json_text_of(like));
	xcheck_members(s, on, "on");
	size_t names_none = json_object_get(on, "at") != NULL;
	names_none += json_object_get(on, "nth") != NULL;
	if (json_object_size(on) <= names_none)
		source_die_at(s, s->root, member_of(s->root, "on"), "'on' names no element");
	xcheck_keys(s, json_object_get(s->root, "keys"));
}

/* ---- a notebook's parameters and cells ---------------------------------------------------- */

/* The text with its parameters; a placeholder that is a whole text becomes the value itself. */
static char *
xfill_text(const struct source *s, const json_t *params)
{
	static const char tail[] = "{_value}";
	const char *text = s->text, *at;
	struct buf b = {0};
	size_t n;
	for (; (at = next_placeholder(text, &n)); text = at + n + strlen(tail)) {
		const json_t *value = json_object_getn(params, at + 1, n);
		if (!value || json_is_array(value) || json_is_object(value))
			source_die_at_byte(s, (size_t)(at - s->text), xasprintf("the notebook has "
			    "no parameter '%.*s' that is a number or a text", (int)n, at + 1));
		size_t quote = json_is_string(value);
		bool whole = !quote && at[-1] == '"' && at[n + strlen(tail)] == '"';
		char *own = json_text_of(value);
		buf_add(&b, text, (size_t)(at - text) - whole);
		buf_add(&b, own + quote, strlen(own) - 2 * quote);
		free(own);
		at += whole;
	}
	buf_addf(&b, "%s", text);
	return b.p;
}

bool
interaction_follows(const struct interaction *g, const struct notebook_cell *c)
{
	const json_t *after = json_object_get(g->source.root, "after_cell");
	const char *name = json_string_value(after);
	return name ? notebook_cell_has_tag(c, name) || strcmp(c->id, name) == 0 :
	    json_number_value(after) == (double)c->index;
}

static void
xcheck_cell(const struct interaction *g, const struct notebook *nb, const char *path)
{
	json_t *line = g->source.root, *after = json_object_get(line, "after_cell");
	bool found = false;
	for (size_t i = 0; i < nb->n; i++)
		found = found || interaction_follows(g, &nb->cells[i]);
	if (!found)
		source_die_at(&g->source, line, member_of(line, "after_cell"),
		    "'%s' has no code cell %s%s", path, json_is_string(after) ?
		    "with the tag or id " : "", json_text_of(after));
}

/* before: the ends of the lines before it, for positions. */
static struct interaction
xread_line(const char *path, const char *before, const char *line, const json_t *params)
{
	struct interaction g = {.number = strlen(before) + 1, .source = {.name = path,
		.text = xasprintf("%s%s", before, line)}};
	struct source *s = &g.source;
	char *error;
	s->n = strlen(s->text);
	if (params)
		s->text = xfill_text(s, params);
	s->root = json_parse_text(s->text, strlen(s->text), path, &error);
	if (!s->root)
		die(ST_INPUT, "%s", error);
	xcheck_line(&g);
	return g;
}

struct interactions
xinteractions_read(const char *path, const struct notebook *nb, const char *notebook)
{
	struct interactions all = {0};
	struct source file = {.name = path};
	struct buf before = {0};
	char *rest, *line;
	json_t *metadata = json_object_get(nb ? nb->json : NULL, "metadata");
	json_t *made = json_object_get(metadata, "nbscope"), *none = json_object();
	const json_t *params = json_object_get(made, "params");
	xsource_read(&file, path, MAX_FILE_BYTES);
	rest = file.text;
	buf_add(&before, "", 0);
	for (; (line = strsep(&rest, "\n")); buf_add(&before, "\n", 1)) {
		if (!line[strspn(line, " \t\r")])
			continue;
		struct interaction g = xread_line(path, before.p, line, !nb ? NULL :
		    params ? params : none);
		if (nb)
			xcheck_cell(&g, nb, notebook);
		*XAPPEND(all.v, all.n) = g;
	}
	if (!all.n)
		die(ST_INPUT, "%s:1:1: no gesture", path);
	json_decref(none);
	buf_free(&before);
	free(file.text);
	return all;
}

/* ---- its members -------------------------------------------------------------------------- */

const json_t *
interaction_get(const struct interaction *g, const char *name)
{
	const json_t *own = json_object_get(g->source.root, name);
	return own ? own : json_object_get(g->kind, name);
}

const char *
interaction_text(const struct interaction *g, const char *name)
{
	return json_string_value(interaction_get(g, name));
}

double
interaction_number(const struct interaction *g, const char *name, double otherwise)
{
	const json_t *v = interaction_get(g, name);
	return json_is_number(v) ? json_number_value(v) : otherwise;
}

char *
interaction_name(const struct interaction *g)
{
	static const char *const words[] = {"label", "text", "role", "class", "css", "tag"};
	const char *name = interaction_text(g, "name"), *said = NULL;
	const json_t *on = interaction_get(g, "on");
	for (size_t i = 0; !said && i < COUNT(words); i++)
		said = json_string_value(json_object_get(on, words[i]));
	return name ? xstrdup(name) : xasprintf("%s %s", interaction_text(g, "gesture"), said);
}
