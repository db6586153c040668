/* template.c: interprets templates. Each is parsed once, to a list of nodes; so tags of a block
 * that is not shown are checked as well. */
#include "template.h"
#include "base/die.h"
#include "html.h"

enum { MAX_WORDS = 4, MAX_DEPTH = 100 };

struct word {
	const char *p;
	size_t n;
};
/* A tag with what it contains, or text. */
struct template_node {
	char kind;	/* '#', '/', '>', '!', 0: a value, or 't': text */
	const char *begin, *end;	/* what the tag replaces */
	struct word word[MAX_WORDS];
	size_t n;
	enum { IS_TRUE, IS_KNOWN, IS_EQUAL, IS_ABOVE } test;
	bool loop, members, unless;	/* each or members, or a condition */
	size_t from, to;	/* of a loop; `from` also of a condition */
	const struct html_helper *help;
	const char *literal;	/* the last word as "text" or 3; NULL: it is a name */
	struct html_template *part;	/* NULL: the model itself */
	struct template_node *inner, *otherwise, *next;
};
/* The item of a loop, or the model; names that it does not have are those of the outer one. */
struct scope {
	json_t *item, *name;
	bool first;
	const struct scope *outer;
};
struct template_parser {
	const struct html_template *t;
	template_part *part;
	const char *at;
	const struct template_node *closing;	/* of the block that was read last */
};
struct template_writer {
	struct buf *out;
	const struct html_template *t;
	template_part *part;
	int depth;
};

_Noreturn static void
die_at(const struct html_template *t, const char *at, const char *reason, struct word w)
{
	unsigned long line = 1, column = 1;
	for (const char *c = t->text; c < at; c++) {
		column = *c == '\n' ? 1 : column + 1;
		line += *c == '\n';
	}
	if (w.p)
		die(ST_INPUT, "%s:%lu:%lu: %s '%.*s'", t->file, line, column, reason, (int)w.n,
		    w.p);
	die(ST_INPUT, "%s:%lu:%lu: %s", t->file, line, column, reason);
}

static const struct word no_word;

static bool
word_is(struct word w, const char *text)
{
	return w.n == strlen(text) && strncmp(w.p, text, w.n) == 0;
}

/* ---- tags --------------------------------------------------------------------------- */

static void
split_words(const struct html_template *t, struct template_node *g, const char *at, const char *end)
{
	static const char blanks[] = " \t\r\n";
	while ((at += strspn(at, blanks)) < end) {
		const char *quote = *at == '"' ? memchr(at + 1, '"', (size_t)(end - at - 1)) : NULL;
		size_t n = quote ? (size_t)(quote + 1 - at) : strcspn(at, blanks);
		if (n > (size_t)(end - at))
			n = (size_t)(end - at);
		if (g->n == MAX_WORDS)
			die_at(t, g->begin, "this tag has too many words", no_word);
		g->word[g->n++] = (struct word){at, n};
		at += n;
	}
}

/* A block's tag or a comment that is alone on its line replaces the line. */
static void
take_line(const struct html_template *t, struct template_node *g)
{
	const char *from = g->begin;
	while (from > t->text && (from[-1] == ' ' || from[-1] == '\t'))
		from--;
	if ((from == t->text || from[-1] == '\n') && *g->end == '\n') {
		g->begin = from;
		g->end++;
	}
}

/* The next tag; NULL: there is none. */
static struct template_node *
next_tag(const struct html_template *t, const char *at)
{
	static const char mark[] = "<!--nbscope:", mark_end[] = "-->";
	for (; (at = strpbrk(at, "{<")); at++) {
		bool placeholder = at[1] == '!' && strncmp(at, mark, strlen(mark)) == 0;
		if (!placeholder && (at[0] != '{' || at[1] != '{'))
			continue;
		const char *text = at + (placeholder ? strlen(mark) : 2);
		const char *end = strstr(text, placeholder ? mark_end : "}}");
		struct template_node *g = xmalloc(sizeof *g);
		*g = (struct template_node){.begin = at, .kind = placeholder ? '>' : '\0'};
		if (!end && placeholder)
			die_at(t, at, "this placeholder has no end '-->'", no_word);
		if (!end)
			die_at(t, at, "this tag has no end '}}'", no_word);
		g->end = end + (placeholder ? strlen(mark_end) : 2);
		if (!placeholder && *text && strchr("#/>!", *text))
			g->kind = *text++;
		if (g->kind != '!')
			split_words(t, g, text, end);
		if (!g->n && g->kind != '!')
			die_at(t, at, "this tag is empty", no_word);
		if (g->kind != '>' && (g->kind || word_is(g->word[0], "else")))
			take_line(t, g);
		return g;
	}
	return NULL;
}

/* ---- the list of nodes ---------------------------------------------------------------- */

static size_t
whole_number(const struct html_template *t, struct word w)
{
	for (size_t i = 0; i < w.n; i++)
		if (w.p[i] < '0' || w.p[i] > '9')
			die_at(t, w.p, "not a number:", w);
	return strtoul(w.p, NULL, 10);
}

static char *
text_of(struct word w)
{
	return xasprintf("%.*s", (int)w.n, w.p);
}

static struct template_node *parse_nodes(struct template_parser *,
    const struct template_node *block);

/* LIST FROM TO */
static void
parse_loop(const struct html_template *t, struct template_node *g)
{
	if (g->n < 2)
		die_at(t, g->begin, "expected a list after", g->word[0]);
	g->from = g->n > 2 ? whole_number(t, g->word[2]) : 0;
	g->to = g->n > 3 ? whole_number(t, g->word[3]) : SIZE_MAX;
}

/* VALUE, known VALUE, VALUE = "TEXT" or VALUE > NUMBER */
static void
parse_condition(const struct html_template *t, struct template_node *g)
{
	bool known = g->n == 3 && word_is(g->word[1], "known");
	bool equals = g->n == 4 && word_is(g->word[2], "=");
	bool above = g->n == 4 && word_is(g->word[2], ">");
	if (g->n != 2 && !known && !equals && !above)
		die_at(t, g->begin, "not a condition:", g->word[0]);
	g->test = known ? IS_KNOWN : equals ? IS_EQUAL : above ? IS_ABOVE : IS_TRUE;
	g->from = above ? whole_number(t, g->word[3]) : 0;
	if (known)
		g->word[1] = g->word[2];
}

static void
parse_block(struct template_parser *p, struct template_node *g)
{
	struct word w = g->word[0];
	g->members = word_is(w, "members");
	g->loop = g->members || word_is(w, "each");
	g->unless = word_is(w, "unless");
	if (!g->loop && !g->unless && !word_is(w, "if"))
		die_at(p->t, g->begin, "there is no block", w);
	(g->loop ? parse_loop : parse_condition)(p->t, g);
	g->inner = parse_nodes(p, g);
	if (p->closing->kind != '/')
		g->otherwise = parse_nodes(p, g);
	if (p->closing->kind != '/')
		die_at(p->t, p->closing->begin, "a second {{else}} of the same block", no_word);
}

static void
parse_tag(struct template_parser *p, struct template_node *g)
{
	const char *reason = "expected one name";
	struct word last = g->word[g->n - 1];
	char *name = text_of(g->word[0]);
	if (*last.p == '"' && last.n > 1)
		g->literal = text_of((struct word){last.p + 1, last.n - 2});
	else if (*last.p >= '0' && *last.p <= '9')
		g->literal = text_of(last);
	if (g->kind == '#') {
		parse_block(p, g);
	} else if (g->kind == '>') {
		g->part = g->n == 1 && strcmp(name, "data") != 0 ? p->part(name, &reason) : NULL;
		if (g->n != 1 || (!g->part && strcmp(name, "data") != 0))
			die_at(p->t, g->begin, reason, no_word);
	} else if (g->n > 1) {
		g->help = html_helper_of(name);
		if (g->n > 3 || !g->help)
			die_at(p->t, g->begin, "there is no helper", g->word[0]);
	}
	free(name);
}

static struct template_node **
append_text(struct template_node **last, const char *from, const char *to)
{
	if (to == from)
		return last;
	*last = xmalloc(sizeof **last);
	**last = (struct template_node){.kind = 't', .begin = from, .end = to};
	return &(*last)->next;
}

/* What follows, up to the next {{else}} or closing tag of the block; without a block, up to the
 * end. */
static struct template_node *
parse_nodes(struct template_parser *p, const struct template_node *block)
{
	struct template_node *first = NULL, **last = &first, *g;
	while ((g = next_tag(p->t, p->at))) {
		last = append_text(last, p->at, g->begin);
		p->at = g->end;
		bool middle = !g->kind && word_is(g->word[0], "else");
		if (middle || g->kind == '/') {
			if (!block || (!middle && (g->word[0].n != block->word[0].n ||
			    strncmp(g->word[0].p, block->word[0].p, g->word[0].n) != 0)))
				die_at(p->t, g->begin, "no block was opened by", g->word[0]);
			p->closing = g;
			return first;
		}
		if (g->kind == '!')
			continue;
		parse_tag(p, g);
		*last = g;
		last = &g->next;
	}
	if (block)
		die_at(p->t, block->begin, "this block is not closed:", block->word[0]);
	append_text(last, p->at, strchr(p->at, '\0'));
	return first;
}

/* ---- values ------------------------------------------------------------------------- */

/* Returns a new reference. */
static json_t *
item_at(const json_t *list, size_t i)
{
	json_t *v = json_array_get(list, i);
	bool mark = json_is_null(v) && v != json_null();
	return mark ? ((struct template_mark *)v)->make((struct template_mark *)v) : json_incref(v);
}

static json_t *
make_item(json_t *list, size_t i)
{
	json_array_set_new(list, i, item_at(list, i));
	return json_array_get(list, i);
}

void
template_make_items(json_t *model)
{
	const char *name;
	json_t *list;
	json_object_foreach(model, name, list)
		for (size_t i = 0; i < json_array_size(list); i++)
			make_item(list, i);
}

/* A member that a record of another program lacks is null, and so is an item after the end of a
 * list. */
static json_t *
find_value(const struct template_writer *o, const struct scope *s, struct word w)
{
	const char *dot = memchr(w.p, '.', w.n), *end = w.p + w.n;
	json_t *v = NULL;
	bool record = false;
	if (word_is(w, "."))
		return s->item;
	if (word_is(w, "@first"))
		return s->first ? json_true() : json_false();
	if (word_is(w, "@name"))
		return s->name;
	for (const struct scope *i = s; i && !v; i = i->outer)
		v = json_object_getn(i->item, w.p, (size_t)((dot ? dot : end) - w.p));
	while (v && dot && !json_is_null(v)) {
		const char *name = dot + 1;
		dot = memchr(name, '.', (size_t)(end - name));
		record |= json_object_get(v, "type") || json_is_array(v);
		v = json_is_array(v) ? make_item(v, strtoul(name, NULL, 10))
		    : json_object_getn(v, name, (size_t)((dot ? dot : end) - name));
	}
	for (; !v && s->outer; s = s->outer)
		record |= json_object_get(s->item, "type") != NULL;
	if (!v && !record)
		die_at(o->t, w.p, "there is no value", w);
	return v ? v : json_null();
}

static bool
is_true(const json_t *v)
{
	switch (json_typeof(v)) {
	case JSON_STRING: return json_string_length(v) > 0;
	case JSON_ARRAY: return json_array_size(v) > 0;
	case JSON_OBJECT: return json_object_size(v) > 0;
	case JSON_INTEGER:
	case JSON_REAL: return json_number_value(v) != 0;
	default: return json_is_true(v);
	}
}

/* The last word, or the text at it if it is a name. */
static const char *
argument(const struct template_writer *o, const struct scope *s, const struct template_node *g)
{
	const char *text = g->literal ? g->literal
	    : json_string_value(find_value(o, s, g->word[g->n - 1]));
	return text ? text : "";
}

static bool
holds(const struct template_writer *o, const struct scope *s, const struct template_node *g)
{
	json_t *v = find_value(o, s, g->word[1]);
	bool yes = g->test == IS_EQUAL
	    ? strcmp(json_is_string(v) ? json_string_value(v) : "", argument(o, s, g)) == 0
	    : g->test == IS_ABOVE ? json_number_value(v) > (double)g->from
	    : g->test == IS_KNOWN ? !json_is_null(v) : is_true(v);
	return yes != g->unless;
}

/* ---- writing ------------------------------------------------------------------------ */

static void write_nodes(const struct template_writer *, const struct template_node *,
    const struct scope *);

static void
write_template(const struct template_writer *o, struct html_template *t, const struct scope *s)
{
	const struct template_writer inner = {o->out, t, o->part, o->depth + 1};
	if (!t->raw && !t->nodes)
		t->nodes = parse_nodes(&(struct template_parser){t, o->part, t->text, NULL}, NULL);
	if (t->raw)
		buf_add(o->out, t->text, strlen(t->text));
	else
		write_nodes(&inner, t->nodes, s);
}

static void
write_value(const struct template_writer *o, const struct template_node *g, const struct scope *s)
{
	json_t *v = find_value(o, s, g->word[g->help != NULL]);
	if (g->help)
		html_help(o->out, g->help, v, g->n > 2 ? argument(o, s, g) : "");
	else
		html_json(o->out, v);
}

static void
write_part(const struct template_writer *o, const struct template_node *g, const struct scope *s)
{
	if (o->depth == MAX_DEPTH)
		die_at(o->t, g->begin, "this part contains itself", no_word);
	if (g->part)
		write_template(o, g->part, s);
	for (; !g->part && s; s = s->outer)
		if (!s->outer) {
			template_make_items(s->item);
			html_script_json(o->out, s->item);
		}
}

/* Items FROM to TO of a list, or one object; or the members of an object. */
static void
write_loop(const struct template_writer *o, const struct template_node *g, const struct scope *s)
{
	json_t *list = find_value(o, s, g->word[1]), *v;
	const char *name;
	size_t i = 0, n = json_is_object(list) ? json_object_size(list) > 0 : json_array_size(list);
	if (!json_is_object(list) && (g->members || !json_is_array(list)) && !json_is_null(list))
		die_at(o->t, g->word[1].p, "this is not a list:", g->word[1]);
	if (g->members) {
		json_object_foreach(list, name, v) {
			struct scope item = {v, json_string(name), i == g->from, s};
			if (i >= g->from && i < g->to)
				write_nodes(o, g->inner, &item);
			json_decref(item.name);
			i++;
		}
	} else {
		for (i = g->from; i < n && i < g->to; i++) {
			v = json_is_object(list) ? json_incref(list) : item_at(list, i);
			write_nodes(o, g->inner, &(struct scope){v, s->name, i == g->from, s});
			json_decref(v);
		}
	}
	if (i <= g->from)
		write_nodes(o, g->otherwise, s);
}

static void
write_nodes(const struct template_writer *o, const struct template_node *g, const struct scope *s)
{
	for (; g; g = g->next)
		if (g->kind == 't')
			buf_add(o->out, g->begin, (size_t)(g->end - g->begin));
		else if (g->kind == '>')
			write_part(o, g, s);
		else if (!g->kind)
			write_value(o, g, s);
		else if (g->loop)
			write_loop(o, g, s);
		else
			write_nodes(o, holds(o, s, g) ? g->inner : g->otherwise, s);
}

void
xtemplate_write(struct buf *out, struct html_template *t, json_t *model, template_part *part)
{
	write_template(&(struct template_writer){out, t, part, 0}, t,
	    &(struct scope){model, json_null(), false, NULL});
	if (buf_add(out, "", 0) != 0)
		die(ST_SYSTEM, "the report would be larger than 1 GiB");
}
