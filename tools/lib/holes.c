/* holes.c: where a combination's values go in its template: to placeholders
 * {name_value} of the parameters cell or, where it has none, to assignments in
 * a cell after it.  Nothing is filled before all of it was checked.
 */
#include "generate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- names in code before the parameters ---- */

/* A cell in another language, or a file to write: %%bash, %%html, %%writefile. */
static bool
is_foreign(const char *text)
{
	text += strspn(text, " \t\n");
	return strncmp(text, "%%", 2) == 0 && strncmp(text, "%%time", 6) != 0 && strncmp(text, "%%capture", 9) != 0;
}

static void
note_names(struct template *t, size_t at, json_t *bound)
{
	char *text = source_text(json_array_get(t->cells, at));
	if (!is_foreign(text))
		unbound_names(t->language, text, strlen(text), bound, t->used, (json_int_t)at);
	free(text);
}

/* ---- placeholders ---- */

/* Whether the brace is the second of a pair in an f-string, which stands for itself. */
static bool
is_doubled(const char *text, const struct spot *spots, size_t i)
{
	size_t n = 0;
	while (n <= i && text[i - n] == '{' && spots[i - n].format && spots[i - n].kind != IN_CODE)
		n++;
	return n % 2 == 0 && n;
}

/* The length of "{name_value}" at text[i], or 0. */
static size_t
placeholder_at(const char *text, const struct spot *spots, size_t i)
{
	static const char end[] = "_value}";
	size_t n = 0, tail = sizeof end - 2;
	if (text[i] != '{' || is_doubled(text, spots, i))
		return 0;
	while (is_identifier(text + i + 1 + n, 1) || (n && text[i + 1 + n] >= '0' && text[i + 1 + n] <= '9'))
		n++;
	return n > tail && strncmp(text + i + 1 + n - tail, end, tail + 1) == 0 ? n + 2 : 0;
}

/* The names in the cell's own code, outside of placeholders. */
static json_t *
own_names(const struct template *t, const char *text, const struct spot *spots, size_t n)
{
	json_t *names = json_object();
	for (size_t i = 0, length; i < n; i += length ? length : 1) {
		length = placeholder_at(text, spots, i);
		if (length)
			continue;
		length = name_at(t->language, text, spots, i, n);
		if (length)
			json_object_setn_new(names, text + i, length, json_null());
	}
	return names;
}

/* A line of IPython's for the shell, or a magic, as in "!ls -d {depth_value}", where
 * parentheses would be the shell's.  "% 2" and "!= 2" go on with a line before. */
static bool
is_command(enum language language, const char *text, size_t i)
{
	if (language != LANG_PYTHON)
		return false;
	while (i && text[i - 1] != '\n')
		i--;
	i += strspn(text + i, " \t");
	return text[i] == '!' ? text[i + 1] != '=' : text[i] == '%' && (text[i + 1] == '%' || is_identifier(text + i + 1, 1));
}

/* Whether a number stands apart there, so that -1 ** 2 cannot come of it. */
static void
find_neighbours(struct placeholder *p, const char *text, size_t i, size_t length)
{
	size_t before = i, after = i + length;
	while (before && strchr(" \t", text[before - 1]))
		before--;
	while (text[after] && strchr(" \t", text[after]))
		after++;
	bool arrow = before > 1 && text[before - 1] == '-' && text[before - 2] == '<';
	bool left = !before || arrow || strchr("=([{,:;\n", text[before - 1]);
	bool right = !text[after] || strchr(")]},:;#\r\n", text[after]);
	p->wrap_negative = !left || !right;
	p->wrap_all = text[i + length] == '.';
}

/* Whether a backslash stands before the brace, which Python reads as itself, as in 'C:\\{x_value}'. */
static bool
follows_backslash(const char *text, const struct spot *spot, size_t i)
{
	size_t n = 0;
	while (n < i && text[i - n - 1] == '\\')
		n++;
	return n % 2 == 1 && (spot->kind == IN_STRING || spot->kind == IN_RAW_STRING);
}

static void
add_placeholder(struct template *t, const char *text, const struct spot *spot, size_t i, size_t length)
{
	struct placeholder p = {.param = xasprintf("%.*s", (int)(length - sizeof "{_value}" + 1), text + i + 1)};
	p.spot = *spot;
	p.own = json_object_getn(t->own, text + i + 1, length - 2) != NULL;
	p.backslash = follows_backslash(text, spot, i);
	p.ends = text[i + length] == spot->quote;
	if (!is_command(t->language, text, i))
		find_neighbours(&p, text, i, length);
	if ((t->n_placeholders & (t->n_placeholders - 1)) == 0)
		t->placeholders = xrealloc(t->placeholders, (t->n_placeholders ? 2 * t->n_placeholders : 1) * sizeof p);
	t->placeholders[t->n_placeholders++] = p;
}

/* The lines of a text, as notebooks have them. */
static json_t *
lines_of(const char *text)
{
	json_t *lines = json_array();
	while (*text) {
		size_t n = strcspn(text, "\n");
		n += text[n] == '\n';
		json_array_append_new(lines, json_stringn(text, n));
		text += n;
	}
	return lines;
}

/* Finds the placeholders of the parameters cell and puts marks there. */
static void
mark_placeholders(struct template *t, json_t *cell)
{
	char *text = source_text(cell);
	size_t n = strlen(text), length;
	struct spot *spots = lex(t->language, text, n);
	t->own = own_names(t, text, spots, n);
	struct buf out = {0};
	buf_add(&out, "", 0);
	for (size_t i = 0; i < n; i += length) {
		length = placeholder_at(text, spots, i);
		if (length) {
			char *mark = hole_mark((int)t->n_placeholders);
			add_placeholder(t, text, &spots[i], i, length);
			buf_addf(&out, "%s", mark);
			free(mark);
			continue;
		}
		length = 1;
		buf_add(&out, text + i, 1);
	}
	if (t->n_placeholders)
		json_object_set_new(cell, "source", json_is_array(json_object_get(cell, "source")) ?
		    lines_of(out.p) : json_string(out.p));
	buf_free(&out);
	free(spots);
	free(text);
}

static bool
is_comment(const struct spot *s)
{
	return s->kind == IN_COMMENT || s->kind == IN_BLOCK_COMMENT;
}

bool
has_places(const struct template *t, const json_t *params)
{
	for (size_t i = 0; i < t->n_placeholders; i++) {
		const struct placeholder *p = &t->placeholders[i];
		if (!is_comment(&p->spot) && (!p->own || json_object_get(params, p->param)))
			return true;
	}
	return false;
}

void
find_holes(struct template *t)
{
	t->used = json_object();
	if (t->tagged == SIZE_MAX)
		return;
	json_t *bound = json_object();
	for (size_t i = 0; i < t->tagged; i++)
		if (strcmp(json_string_value(json_object_get(json_array_get(t->cells, i), "cell_type")), "code") == 0)
			note_names(t, i, bound);
	json_decref(bound);
	mark_placeholders(t, json_array_get(json_object_get(t->tree, "cells"), t->tagged));
}

/* ---- checking ---- */

/* A placeholder in a comment explains; only one in code sets anything. */
static void
check_place(const struct template *t, const char *param)
{
	bool commented = false;
	for (size_t i = 0; i < t->n_placeholders; i++) {
		if (strcmp(t->placeholders[i].param, param) != 0)
			continue;
		if (!is_comment(&t->placeholders[i].spot))
			return;
		commented = true;
	}
	die_at(&t->source, t->cells, t->tagged, "%s has no placeholder {%s_value} for the parameter '%s'%s",
	    cell_name(t, t->tagged), param, param, commented ? " outside of comments" : "");
}

/* The variable that a parameter sets: of its name or, where there are no
 * placeholders, n_value for n, if the cell has that alone. */
static char *
variable(const struct template *t, const char *param)
{
	char *full = xasprintf("%s_value", param);
	if (t->injects && !json_object_get(t->own, param) && json_object_get(t->own, full))
		return full;
	free(full);
	return xstrdup(param);
}

static const char *
add_value(struct buf *b, const struct template *t, const struct placeholder *p, const json_t *v)
{
	if (p->spot.kind != IN_CODE) {
		/* It must not take the value's first letter for an escape. */
		buf_add(b, "\\", p->backslash && p->spot.kind == IN_STRING);
		size_t n = b->n;
		const char *why = add_within(b, t->language, &p->spot, v);
		bool bare = p->backslash && p->ends && p->spot.kind == IN_RAW_STRING && b->n == n;
		return why ? why : bare ? "a raw string cannot end in a backslash" : NULL;
	}
	bool wrap = json_is_number(v) && (p->wrap_all || (p->wrap_negative && signbit(json_number_value(v))));
	buf_add(b, "(", wrap);
	const char *why = add_literal(b, t->language, v);
	buf_add(b, ")", wrap);
	return why;
}

static void
check_placeholder(const struct template *t, const struct combination *c, const struct placeholder *p)
{
	json_t *v = json_object_get(c->params, p->param);
	struct buf b = {0};
	if (t->injects || (!v && (p->own || is_comment(&p->spot))))
		return;
	if (!v)
		die_at(&t->source, t->cells, t->tagged, "%s has the placeholder {%s_value}, and the combination '%s' no parameter '%s'",
		    cell_name(t, t->tagged), p->param, c->name, p->param);
	const char *why = add_value(&b, t, p, v);
	if (why)
		die(ST_INPUT, "stdin:%lu:1: the parameter '%s' does not fit its place in %s: %s", c->line, p->param,
		    cell_name(t, t->tagged), why);
	buf_free(&b);
}

void
xcheck_combination(const struct template *t, const struct combination *c)
{
	const char *param;
	json_t *v, *cell;
	/* jansson's macro wants a non-const object; nothing is changed. */
	json_object_foreach((json_t *)(uintptr_t)c->params, param, v) {
		if (!is_identifier(param, strlen(param)))
			die(ST_INPUT, "stdin:%lu:1: '%.80s' is not a parameter's name", c->line, param);
		char *set = variable(t, param);
		if ((cell = json_object_get(t->used, set))) {
			size_t at = (size_t)json_integer_value(cell);
			die_at(&t->source, t->cells, at, "%s uses the parameter '%s' before %s sets it", cell_name(t, at),
			    param, cell_name(t, t->tagged));
		}
		free(set);
		if (!t->injects)
			check_place(t, param);
		struct buf b = {0};
		const char *why = add_literal(&b, t->language, v);
		if (why)
			die(ST_INPUT, "stdin:%lu:1: the parameter '%s': %s", c->line, param, why);
		buf_free(&b);
	}
	for (size_t i = 0; i < t->n_placeholders; i++)
		check_placeholder(t, c, &t->placeholders[i]);
}

/* ---- filling ---- */

/* As it stands between the quotes of a JSON string. */
static void
add_json_chars(struct buf *out, const struct buf *text)
{
	json_t *s = json_stringn(text->p ? text->p : "", text->n);
	size_t at = out->n;
	if (!s)
		die(ST_SYSTEM, "out of memory");
	dump_json(out, s);
	json_decref(s);
	memmove(out->p + at, out->p + at + 1, out->n - at - 2);
	out->n -= 2;
}

static void
add_assignments(struct buf *b, const struct template *t, const struct combination *c)
{
	const char *param;
	json_t *v;
	buf_addf(b, "# Parameters");
	json_object_foreach((json_t *)(uintptr_t)c->params, param, v) {
		char *set = variable(t, param);
		buf_addf(b, "\n%s = ", set);
		free(set);
		add_literal(b, t->language, v);
	}
}

static void
add_metadata(struct buf *out, const struct combination *c)
{
	json_t *m = json_pack("{ss ss sO}", "usecase", c->usecase, "name", c->name, "params", c->params);
	if (!m)
		die(ST_SYSTEM, "out of memory");
	dump_json(out, m);
	json_decref(m);
}

void
fill_template(const struct template *t, const struct combination *c, struct buf *out)
{
	struct buf text = {0};
	for (size_t i = 0; i < t->n_segments; i++) {
		const struct segment *s = &t->segments[i];
		const struct placeholder *p = s->hole >= 0 ? &t->placeholders[s->hole] : NULL;
		json_t *v = p && !t->injects ? json_object_get(c->params, p->param) : NULL;
		buf_add(out, s->text, s->n);
		text.n = 0;
		if (p && v)
			add_value(&text, t, p, v);
		else if (p)
			buf_addf(&text, "{%s_value}", p->param);
		else if (s->hole == HOLE_INJECTED)
			add_assignments(&text, t, c);
		else if (s->hole == HOLE_METADATA)
			add_metadata(out, c);
		if (p || s->hole == HOLE_INJECTED)
			add_json_chars(out, &text);
	}
	buf_free(&text);
}
