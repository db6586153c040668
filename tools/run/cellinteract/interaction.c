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
enum kind { TEXT, NAME, AMOUNT, WHOLE, POINT, STEPS, TEXTS, OBJECT };
static const char *const kind_words[] = {
	[TEXT] = "a text", [NAME] = "a number or a text",
	[AMOUNT] = "a number that is not negative",
	[WHOLE] = "a whole number", [POINT] = "[x, y]",
	[STEPS] = "a list of [ms, x, y] whose times do not decrease", [TEXTS] = "a list of texts",
	[OBJECT] = "an object",
};
struct member_rule {
	const char *name;
	enum kind kind;
	const char *words;	/* the texts that are possible; NULL: any */
};
static const struct member_rule line_rules[] = {
	{"after_cell", NAME}, {"gesture", TEXT}, {"on", OBJECT}, {"path", STEPS}, {"turns", STEPS},
	{"keys", TEXTS}, {"text", TEXT}, {"by", POINT}, {"to", NAME}, {"steps", WHOLE},
	{"duration_ms", AMOUNT}, {"pause_ms", AMOUNT}, {"limit_ms", AMOUNT}, {"name", TEXT},
	{"pace", TEXT, " recorded fast "}, {"button", TEXT, " left right middle "},
	{"modifiers", TEXTS, " Alt Control Meta Shift "}, {0},
};
static const struct member_rule on_rules[] = {
	{"role", TEXT}, {"label", TEXT}, {"text", TEXT}, {"class", TEXT}, {"tag", TEXT},
	{"css", TEXT}, {"nth", WHOLE}, {"at", POINT}, {0},
};

/* ---- share/interactions/gestures.json ----------------------------------------------------- */

static json_t *
data_table(const char *name)
{
	static json_t *data;
	if (!data)
		data = json_loads(gestures_json, 0, NULL);
	return json_object_get(data, name);
}

const json_t *
interactions_key(const char *table, const char *name, size_t n)
{
	return json_object_getn(data_table(table), name, n);
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

/* Numbers in a list, the first not less than that of the list before. */
static bool
is_numbers(const json_t *v, size_t count, double *first)
{
	size_t i;
	json_t *n;
	bool good = json_array_size(v) == count;
	json_array_foreach(v, i, n)
		good = good && (json_is_number(n) || has_placeholder(n));
	double value = json_number_value(json_array_get(v, 0));
	good = good && value >= *first;
	*first = value;
	return good;
}

static bool
is_kind(const json_t *v, enum kind kind)
{
	double first = kind == STEPS ? 0 : -INFINITY;
	size_t i;
	json_t *part;
	bool good = json_array_size(v) > 0;
	switch (kind) {
	case TEXT:
		return json_is_string(v);
	case NAME:
		return json_is_string(v) || json_is_number(v);
	case AMOUNT:
		return json_is_number(v) && json_number_value(v) >= 0;
	case WHOLE:
		return json_is_integer(v) && json_integer_value(v) >= 0;
	case POINT:
		return is_numbers(v, 2, &first);
	case STEPS:
		json_array_foreach(v, i, part)
			good = good && is_numbers(part, 3, &first);
		return good;
	case TEXTS:
		json_array_foreach(v, i, part)
			good = good && json_is_string(part);
		return good;
	default:
		return json_is_object(v);
	}
}

static bool
has_words(const json_t *v, const char *words)
{
	size_t i;
	json_t *part;
	bool good = true;
	json_array_foreach(v, i, part)
		good = good && has_words(part, words);
	char *word = json_is_string(v) ? xasprintf(" %s ", json_string_value(v)) : NULL;
	good = good && (!word || strstr(words, word));
	free(word);
	return good;
}

static void
xcheck_object(const struct source *s, json_t *object, const struct member_rule *rules)
{
	size_t i = 0;
	const char *key;
	json_t *v;
	json_object_foreach(object, key, v) {
		const struct member_rule *r = rules;
		while (r->name && strcmp(r->name, key) != 0)
			r++;
		if (!r->name)
			source_die_at(s, object, i, "unknown member '%.80s'", key);
		if (!has_placeholder(v) && !is_kind(v, r->kind))
			source_die_at(s, object, i, "'%s' must be %s", key, kind_words[r->kind]);
		if (r->words && !has_words(v, r->words))
			source_die_at(s, object, i, "'%s' must be one of:%s", key, r->words);
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
	size_t i, n;
	json_t *key;
	json_array_foreach(keys, i, key) {
		const char *text = json_string_value(key), *plus;
		for (; (plus = strchr(text, '+')) && plus[1]; text = plus + 1)
			if (!interactions_key("modifiers", text, (size_t)(plus - text)))
				source_die_at(s, keys, i, "unknown modifier in '%.80s'", text);
		n = strlen(text);
		if (utf8_length(text) != n && !interactions_key("keys", text, n))
			source_die_at(s, keys, i, "unknown key '%.80s'", text);
	}
}

static void
xcheck_line(struct interaction *g)
{
	static const char *const required[] = {"after_cell", "gesture", "on"};
	struct source *s = &g->source;
	if (!json_is_object(s->root))
		source_die_at_byte(s, g->number - 1, "not an object");
	xcheck_object(s, s->root, line_rules);
	for (size_t i = 0; i < COUNT(required); i++)
		if (!json_object_get(s->root, required[i]))
			source_die_at_byte(s, g->number - 1,
			    xasprintf("'%s' is missing", required[i]));
	json_t *on = json_object_get(s->root, "on");
	const char *gesture = json_string_value(json_object_get(s->root, "gesture"));
	g->kind = json_object_get(data_table("gestures"), gesture);
	if (!g->kind)
		source_die_at(s, s->root, member_of(s->root, "gesture"), "unknown gesture '%.80s'; "
		    "known are: %s", gesture, json_value_keys(data_table("gestures"), ", "));
	const char *needs = json_string_value(json_object_get(g->kind, "requires"));
	if (needs && !json_object_get(s->root, needs))
		source_die_at(s, s->root, member_of(s->root, "gesture"), "'%s' requires '%s'",
		    gesture, needs);
	xcheck_object(s, on, on_rules);
	if (json_object_size(on) == (json_object_get(on, "at") != NULL) +
	    (size_t)(json_object_get(on, "nth") != NULL))
		source_die_at(s, s->root, member_of(s->root, "on"), "'on' names no element");
	xcheck_keys(s, json_object_get(s->root, "keys"));
}

struct interactions
xinteractions_read(const char *path)
{
	struct interactions all = {0};
	struct source file = {.name = path};
	xsource_read(&file, path, MAX_FILE_BYTES);
	char *rest = file.text, *line, *error;
	struct buf before = {0};	/* the ends of the lines before, for positions */
	buf_add(&before, "", 0);
	for (size_t number = 1; (line = strsep(&rest, "\n")); number++, buf_add(&before, "\n", 1)) {
		if (!line[strspn(line, " \t\r")])
			continue;
		struct interaction g = {.number = number, .source = {.name = path,
			.text = xasprintf("%s%s", before.p, line)}};
		g.source.n = strlen(g.source.text);
		g.source.root = json_parse_text(g.source.text, g.source.n, path, &error);
		if (!g.source.root)
			die(ST_INPUT, "%s", error);
		xcheck_line(&g);
		*XAPPEND(all.v, all.n) = g;
	}
	if (!all.n)
		die(ST_INPUT, "%s:1:1: no gesture", path);
	buf_free(&before);
	free(file.text);
	return all;
}

/* ---- a notebook's parameters and cells ---------------------------------------------------- */

/* The text with its parameters; a placeholder alone becomes the parameter's own value. */
static json_t *
xfilled(const struct source *s, json_t *in, size_t member, const char *text, json_t *params)
{
	struct buf b = {0};
	const char *at;
	size_t n;
	buf_add(&b, "", 0);
	for (; (at = next_placeholder(text, &n)); text = at + n + strlen("{_value}")) {
		json_t *value = json_object_getn(params, at + 1, n);
		if (!value || json_is_array(value) || json_is_object(value))
			source_die_at(s, in, member, "the notebook has no parameter '%.*s' that is "
			    "a number or a text", (int)n, at + 1);
		if (at == text && !b.n && !at[n + strlen("{_value}")])
			return json_incref(value);
		buf_add(&b, text, (size_t)(at - text));
		if (json_is_string(value))
			buf_add(&b, json_string_value(value), json_string_length(value));
		else
			json_text_add(&b, value);
	}
	buf_addf(&b, "%s", text);
	json_t *filled = json_stringn(b.p, b.n);
	buf_free(&b);
	return filled;
}

static void
xfill(const struct source *s, json_t *in, json_t *params)
{
	bool array = json_is_array(in);
	void *it = json_object_iter(in);
	for (size_t i = 0; array ? i < json_array_size(in) : it != NULL; i++) {
		json_t *v = array ? json_array_get(in, i) : json_object_iter_value(it);
		json_t *filled = has_placeholder(v) ?
		    xfilled(s, in, i, json_string_value(v), params) : NULL;
		if (!filled)
			xfill(s, v, params);
		else if (array)
			json_array_set_new(in, i, filled);
		else
			json_object_iter_set_new(in, it, filled);
		it = array ? NULL : json_object_iter_next(in, it);
	}
}

bool
interaction_follows(const struct interaction *g, const struct notebook_cell *c)
{
	const json_t *after = json_object_get(g->source.root, "after_cell");
	const char *name = json_string_value(after);
	return name ? notebook_cell_has_tag(c, name) || strcmp(c->id, name) == 0 :
	    json_number_value(after) == (double)c->index;
}

void
xinteractions_fill(const struct interactions *all, const struct notebook *nb, const char *path)
{
	const json_t *metadata = json_object_get(nb->json, "metadata");
	json_t *params = json_object_get(json_object_get(metadata, "nbscope"), "params");
	for (size_t i = 0; i < all->n; i++) {
		struct interaction *g = &all->v[i];
		json_t *line = g->source.root;
		bool found = false;
		xfill(&g->source, line, params);
		xcheck_line(g);
		for (size_t k = 0; k < nb->n; k++)
			found = found || interaction_follows(g, &nb->cells[k]);
		const json_t *after = json_object_get(line, "after_cell");
		const char *name = json_string_value(after);
		size_t at = member_of(line, "after_cell");
		if (!found && name)
			source_die_at(&g->source, line, at, "'%s' has no code cell with the tag or "
			    "id '%.80s'", path, name);
		if (!found)
			source_die_at(&g->source, line, at, "'%s' has no code cell %g", path,
			    json_number_value(after));
	}
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
