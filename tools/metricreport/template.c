/* template.c: interprets templates. A block that is not shown is read as well, so that its tags
 * are checked. */
#include "template.h"
#include "base/die.h"
#include "base/nbscope.h"
#include "html.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 4, MAX_TEXT = 256, MAX_DEPTH = 100 };

struct word {
	const char *p;
	size_t n;
};
struct tag {
	const char *begin, *end;	/* what the tag replaces */
	char kind;	/* '#', '/', '>', '!', or 0: a value */
	struct word word[MAX_WORDS];
	size_t n;
};
/* The item of a loop, or the model; names that it does not have are those of the outer one. */
struct scope {
	json_t *item;
	bool first;
	const struct scope *outer;
};
struct template_reader {
	struct buf *out;
	const struct html_template *t;
	template_part *part;
	int depth;
};

_Noreturn static void
die_at(const struct template_reader *r, const char *at, const char *reason, struct word w)
{
	unsigned long line = 1, column = 1;
	for (const char *c = r->t->text; c < at; c++) {
		column = *c == '\n' ? 1 : column + 1;
		line += *c == '\n';
	}
	if (w.p)
		die(ST_INPUT, "%s:%lu:%lu: %s '%.*s'", r->t->file, line, column, reason, (int)w.n,
		    w.p);
	die(ST_INPUT, "%s:%lu:%lu: %s", r->t->file, line, column, reason);
}

static const struct word no_word;

static bool
word_is(struct word w, const char *text)
{
	return w.n == strlen(text) && strncmp(w.p, text, w.n) == 0;
}

/* ---- tags --------------------------------------------------------------------------- */

static void
split_words(const struct template_reader *r, struct tag *g, const char *at, const char *end)
{
	static const char blanks[] = " \t\r\n";
	while ((at += strspn(at, blanks)) < end) {
		const char *quote = *at == '"' ? memchr(at + 1, '"', (size_t)(end - at - 1)) : NULL;
		size_t n = quote ? (size_t)(quote + 1 - at) : strcspn(at, blanks);
		if (n > (size_t)(end - at))
			n = (size_t)(end - at);
		if (g->n == MAX_WORDS)
			die_at(r, g->begin, "this tag has too many words", no_word);
		g->word[g->n++] = (struct word){at, n};
		at += n;
	}
}

/* A block's tag or a comment that is alone on its line replaces the line. */
static void
take_line(const struct template_reader *r, struct tag *g)
{
	const char *from = g->begin;
	while (from > r->t->text && (from[-1] == ' ' || from[-1] == '\t'))
		from--;
	if ((from == r->t->text || from[-1] == '\n') && *g->end == '\n') {
		g->begin = from;
		g->end++;
	}
}

static bool
next_tag(const struct template_reader *r, const char *at, struct tag *g)
{
	static const char mark[] = "<!--nbscope:", mark_end[] = "-->";
	for (; (at = strpbrk(at, "{<")); at++) {
		bool placeholder = at[1] == '!' && strncmp(at, mark, strlen(mark)) == 0;
		if (!placeholder && (at[0] != '{' || at[1] != '{'))
			continue;
		const char *text = at + (placeholder ? strlen(mark) : 2);
		const char *end = strstr(text, placeholder ? mark_end : "}}");
		*g = (struct tag){.begin = at, .kind = placeholder ? '>' : '\0'};
		if (!end && placeholder)
			die_at(r, at, "this placeholder has no end '-->'", no_word);
		if (!end)
			die_at(r, at, "this tag has no end '}}'", no_word);
		g->end = end + (placeholder ? strlen(mark_end) : 2);
		if (!placeholder && *text && strchr("#/>!", *text))
			g->kind = *text++;
		if (g->kind != '!')
			split_words(r, g, text, end);
		if (!g->n && g->kind != '!')
			die_at(r, at, "this tag is empty", no_word);
		if (g->kind != '>' && (g->kind || word_is(g->word[0], "else")))
			take_line(r, g);
		return true;
	}
	return false;
}

/* ---- values ------------------------------------------------------------------------- */

/* A member that a record of another program lacks is null, and so is an item after the end of a
 * list. */
static json_t *
find_value(const struct template_reader *r, const struct scope *s, struct word w)
{
	const char *dot = memchr(w.p, '.', w.n), *end = w.p + w.n;
	json_t *v = NULL;
	bool record = false;
	if (word_is(w, "."))
		return s->item;
	if (word_is(w, "@first"))
		return s->first ? json_true() : json_false();
	for (; s && !v; s = s->outer) {
		v = json_object_getn(s->item, w.p, (size_t)((dot ? dot : end) - w.p));
		record |= s->outer && json_object_get(s->item, "type");
	}
	while (v && dot && !json_is_null(v)) {
		const char *name = dot + 1;
		dot = memchr(name, '.', (size_t)(end - name));
		record |= json_object_get(v, "type") || json_is_array(v);
		v = json_is_array(v) ? json_array_get(v, strtoul(name, NULL, 10))
		    : json_object_getn(v, name, (size_t)((dot ? dot : end) - name));
	}
	if (!v && !record)
		die_at(r, w.p, "there is no value", w);
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

/* A word, without its quotes, up to the next call. */
static const char *
text_of(struct word w)
{
	static char text[MAX_TEXT];
	size_t quote = *w.p == '"', n = w.n - 2 * quote;
	if (n >= sizeof text)
		n = sizeof text - 1;
	memcpy(text, w.p + quote, n);
	text[n] = '\0';
	return text;
}

/* A literal, "text" or 3, or the text at a name. */
static const char *
argument(const struct template_reader *r, const struct scope *s, struct word w)
{
	if (strchr("\"0123456789", *w.p))
		return text_of(w);
	const char *text = json_string_value(find_value(r, s, w));
	return text ? text : "";
}

static size_t
whole_number(const struct template_reader *r, struct word w)
{
	for (size_t i = 0; i < w.n; i++)
		if (w.p[i] < '0' || w.p[i] > '9')
			die_at(r, w.p, "not a number:", w);
	return strtoul(w.p, NULL, 10);
}

/* VALUE, known VALUE, VALUE = "TEXT" or VALUE > NUMBER */
static bool
holds(const struct template_reader *r, const struct scope *s, const struct tag *g)
{
	bool known = g->n == 3 && word_is(g->word[1], "known"), yes;
	bool equals = g->n == 4 && word_is(g->word[2], "=");
	bool above = g->n == 4 && word_is(g->word[2], ">");
	if (g->n != 2 && !known && !equals && !above)
		die_at(r, g->begin, "not a condition:", g->word[0]);
	if (!s)
		return false;
	json_t *v = find_value(r, s, g->word[known ? 2 : 1]);
	if (equals)
		yes = strcmp(json_is_string(v) ? json_string_value(v) : "",
		    argument(r, s, g->word[3])) == 0;
	else if (above)
		yes = json_number_value(v) > (double)whole_number(r, g->word[3]);
	else
		yes = known ? !json_is_null(v) : is_true(v);
	return yes == word_is(g->word[0], "if");
}

static void
put_value(const struct template_reader *r, const struct scope *s, const struct tag *g)
{
	struct word w = g->word[0];
	if (g->n == 1 && !s)
		return;
	if (g->n == 1) {
		html_json(r->out, find_value(r, s, w));
		return;
	}
	const struct html_helper *help = html_helper_of(text_of(w));
	if (g->n > 3 || !help)
		die_at(r, g->begin, "there is no helper", w);
	if (s)
		html_help(r->out, help, find_value(r, s, g->word[1]),
		    g->n > 2 ? argument(r, s, g->word[2]) : "");
}

/* ---- blocks ------------------------------------------------------------------------- */

/* Writes what is between a block's opening tag and the next {{else}} or closing tag of the block,
 * which it returns; without a scope nothing is written. Without a block, up to the end. */
static struct tag read_block(const struct template_reader *, const char *at, const struct scope *,
    const struct tag *block);

static void
write_template(const struct template_reader *r, const struct scope *s)
{
	if (r->t->raw)
		buf_add(r->out, r->t->text, strlen(r->t->text));
	else
		read_block(r, r->t->text, s, NULL);
}

static void
put_part(const struct template_reader *r, const struct scope *s, const struct tag *g)
{
	const char *reason = "expected one name";
	const struct html_template *part = g->n == 1 ? r->part(text_of(g->word[0]), &reason) : NULL;
	if (!part)
		die_at(r, g->begin, reason, no_word);
	if (r->depth == MAX_DEPTH)
		die_at(r, g->begin, "this part contains itself", no_word);
	if (s)
		write_template(&(struct template_reader){r->out, part, r->part, r->depth + 1}, s);
}

/* Returns the closing tag. */
static struct tag
put_else(const struct template_reader *r, const struct scope *s, const struct tag *block,
    struct tag end)
{
	if (end.kind != '/')
		end = read_block(r, end.end, s, block);
	if (end.kind != '/')
		die_at(r, end.begin, "a second {{else}} of the same block", no_word);
	return end;
}

/* Items FROM to TO of a list, or one object. */
static struct tag
put_each(const struct template_reader *r, const struct scope *s, const struct tag *g)
{
	if (g->n < 2)
		die_at(r, g->begin, "expected a list after", g->word[0]);
	json_t *list = s ? find_value(r, s, g->word[1]) : NULL;
	bool object = json_is_object(list);
	size_t from = g->n > 2 ? whole_number(r, g->word[2]) : 0, i = from;
	size_t to = object ? json_object_size(list) > 0 : json_array_size(list);
	struct tag end;
	if (s && !object && !json_is_array(list) && !json_is_null(list))
		die_at(r, g->word[1].p, "this is not a list:", g->word[1]);
	if (g->n > 3 && whole_number(r, g->word[3]) < to)
		to = whole_number(r, g->word[3]);
	for (; i < to; i++)
		end = read_block(r, g->end,
		    &(struct scope){object ? list : json_array_get(list, i), i == from, s}, g);
	if (i == from)
		end = read_block(r, g->end, NULL, g);
	return put_else(r, i > from ? NULL : s, g, end);
}

static struct tag
put_if(const struct template_reader *r, const struct scope *s, const struct tag *g)
{
	bool yes = holds(r, s, g);
	struct tag end = read_block(r, g->end, yes ? s : NULL, g);
	return put_else(r, yes ? NULL : s, g, end);
}

static struct tag
put_block(const struct template_reader *r, const struct scope *s, const struct tag *g)
{
	if (word_is(g->word[0], "each"))
		return put_each(r, s, g);
	if (!word_is(g->word[0], "if") && !word_is(g->word[0], "unless"))
		die_at(r, g->begin, "there is no block", g->word[0]);
	return put_if(r, s, g);
}

static struct tag
read_block(const struct template_reader *r, const char *at, const struct scope *s,
    const struct tag *block)
{
	struct tag g;
	for (; next_tag(r, at, &g); at = g.end) {
		if (s)
			buf_add(r->out, at, (size_t)(g.begin - at));
		bool middle = !g.kind && word_is(g.word[0], "else");
		if (middle || g.kind == '/') {
			if (!block || (!middle && (g.word[0].n != block->word[0].n ||
			    strncmp(g.word[0].p, block->word[0].p, g.word[0].n) != 0)))
				die_at(r, g.begin, "no block was opened by", g.word[0]);
			return g;
		}
		if (g.kind == '#')
			g = put_block(r, s, &g);
		else if (g.kind == '>')
			put_part(r, s, &g);
		else if (!g.kind)
			put_value(r, s, &g);
	}
	if (block)
		die_at(r, block->begin, "this block is not closed:", block->word[0]);
	if (s)
		buf_add(r->out, at, strlen(at));
	return g;
}

void
xtemplate_write(struct buf *out, const struct html_template *t, json_t *model, template_part *part)
{
	const struct template_reader r = {out, t, part, 0};
	const struct scope s = {model, false, NULL};
	write_template(&r, &s);
	if (buf_add(out, "", 0) != 0)
		die(ST_SYSTEM, "the report would be larger than 1 GiB");
}
