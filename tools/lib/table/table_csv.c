/* tablecsv.c: CSV as RFC 4180 has it, and as people have it: CRLF or LF, a byte
 * order mark, commas, semicolons, tabs or bars between, blank lines.
 *
 * The text passes through one buffer.  A row that the buffer cuts is begun anew
 * when there is more of it.
 */
#include "table/table_csv.h"

#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static _Noreturn void PRINTF(3, 4)
die_at(const struct csv *r, const char *at, const char *fmt, ...)
{
	if (r->fault)
		longjmp(*r->fault, 1);
	/* Lines that a quoted field has before `at` count too. */
	unsigned long line = r->line;
	const char *start = r->row;
	for (const char *nl; (nl = memchr(start, '\n', (size_t)(at - start))); start = nl + 1)
		line++;
	va_list ap;
	char text[300];
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	die(ST_INPUT, "%s:%lu:%zu: %s", r->in->name, line, (size_t)(at - start) + 1, text);
}

/* ---- fields --------------------------------------------------------------------- */

/* The next separator or newline; there is one, a sentinel, behind the bytes held. */
static inline const char *
field_end(const char *p, char between)
{
#ifdef __SSE2__
	const __m128i b = _mm_set1_epi8(between), nl = _mm_set1_epi8('\n');
	for (;; p += 16) {
		__m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
		int found = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(x, b), _mm_cmpeq_epi8(x, nl)));
		if (found)
			return p + __builtin_ctz((unsigned)found);
	}
#else
	while (*p != between && *p != '\n')
		p++;
	return p;
#endif
}

/* A quoted field from behind its opening quote; its text into *text and *n.  Where
 * it ends, at a separator or newline; NULL: the bytes held end first. */
static const char *
quoted_end(struct csv *r, const char *p, const char *end, const char **text, size_t *n)
{
	const char *open = p - 1, *quote;
	*text = p;
	r->unquoted.n = 0;
	while ((quote = memchr(p, '"', (size_t)(end - p))) && quote + 1 < end && quote[1] == '"') {
		buf_add(&r->unquoted, p, (size_t)(quote + 1 - p));
		p = quote + 2;
	}
	if (!quote && r->in->eof)
		die_at(r, open, "this quote is not closed");
	if (!quote || (quote + 1 == end && !r->in->eof))
		return NULL;
	*n = (size_t)(quote - *text);
	if (r->unquoted.n) {
		buf_add(&r->unquoted, p, (size_t)(quote - p));
		*text = r->unquoted.p;
		*n = r->unquoted.n;
	}
	for (const char *nl = open; (nl = memchr(nl, '\n', (size_t)(quote - nl))); nl++)
		r->lines++;
	const char *after = quote + 1;
	if (*after == '\r' && after + 1 == end && !r->in->eof)
		return NULL;
	if (*after == '\r' && after[1] == '\n')
		after++;
	if (*after != r->between && *after != '\n')
		die_at(r, after, "text behind a closing quote");
	return after;
}

/* One field; returns where it ends, NULL if the bytes held end first. */
static inline const char *
next_field(struct csv *r, const char *p, const char *end, const char **text, size_t *n)
{
	if (*p == '"')
		return quoted_end(r, p + 1, end, text, n);
	const char *e = field_end(p, r->between);
	if (e >= end && !r->in->eof)
		return NULL;
	*text = p;
	*n = (size_t)(e - p);
	if (*e == '\n' && *n && e[-1] == '\r')
		--*n;
	return e;
}

/* ---- rows -------------------------------------------------------------------------- */

static void
wrong_count(const struct csv *r, size_t have, const char *at)
{
	die_at(r, at, "%zu field%s, and the header has %zu", have, have == 1 ? "" : "s", r->n_columns);
}

/* How many fields the row has from field `have` on, for a message. */
static size_t
count_fields(struct csv *r, size_t have, const char *p, const char *end)
{
	const char *text;
	size_t n;
	while (p && p < end && *p != '\n') {
		p = next_field(r, p + 1, end, &text, &n);
		have++;
	}
	return have;
}

/* Takes the row at r->row; where the next one begins, NULL if it is not whole. */
static const char *
take_row(struct csv *r, const char *end, const struct rowwords *words)
{
	const char *p = r->row, *text;
	size_t n, i = 0;
	struct table *t = r->t;
	r->lines = 0;
	if (*p == '\n' || (*p == '\r' && p[1] == '\n')) {	/* a blank line */
		const char *nl = p + (*p == '\r');
		return nl < end || r->in->eof ? nl + 1 : NULL;
	}
	table_row(t);
	for (;;) {
		const char *e = next_field(r, p, end, &text, &n);
		if (!e)
			return NULL;
		if (i == r->n_columns)
			wrong_count(r, count_fields(r, i + 1, e, end), p);
		struct column *c = r->columns[i++];
		if (c && !table_put(t, c, text, n))
			die_at(r, p, "column '%s': not UTF-8 text", c->name);
		if (*e == '\n') {
			if (i < r->n_columns)
				wrong_count(r, i, e);
			rowwords_put(t, words);
			table_row_done(t);
			return e + 1;
		}
		p = e + 1;
	}
}

bool
csv_take_rows(struct csv *r, const struct rowwords *words)
{
	struct input *in = r->in;
	for (;;) {
		const char *end = in->p + in->n, *next;
		in->p[in->n] = '\n';
		for (r->row = in->p + in->at; r->row < end; r->row = next) {
			if (!(next = take_row(r, end, words)))
				break;
			r->line += 1 + r->lines;
		}
		in->at = (size_t)(r->row - in->p);
		if (in->at >= in->n && in->eof)
			return true;
		if (in->left == 0)
			return in->at == in->n;
		xinput_more(in);
		if (in->n - in->at > LINE_LIMIT_BYTES && r->fault)
			longjmp(*r->fault, 1);
		if (in->n - in->at > LINE_LIMIT_BYTES)
			die(ST_INPUT, "%s:%lu:1: row longer than %d bytes", in->name, r->line, (int)LINE_LIMIT_BYTES);
	}
}

/* ---- header -------------------------------------------------------------------------- */

enum { LOOK_BYTES = 1 << 14 };

/* What stands between: the first of these that the header has outside of quotes.
 * Where quotes are odd that hangs on how far is looked, which is always as far. */
static char
separator(const char *p, const char *end)
{
	if (end - p > LOOK_BYTES)
		end = p + LOOK_BYTES;
	size_t count[4] = {0};
	static const char known[] = ",\t;|";
	bool quoted = false;
	for (; p < end && (quoted || *p != '\n'); p++) {
		quoted ^= *p == '"';
		const char *at = quoted || !*p ? NULL : strchr(known, *p);
		if (at)
			count[at - known]++;
	}
	for (size_t i = 0; i < COUNT(count); i++)
		if (count[i])
			return known[i];
	return ',';
}

static void
name_column(struct csv *r, const char *at, const char *text, size_t n, char ***names)
{
	while (n && (*text == ' ' || *text == '\t'))
		text++, n--;
	while (n && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		n--;
	/* pandas writes an index so: the first name empty. */
	char *name = n ? xasprintf("%.*s", (int)n, text) : xasprintf("column_%zu", r->n_columns + 1);
	json_t *j = json_string(name);
	if (!j || strlen(name) < n)
		die_at(r, at, "a column's name is not UTF-8 text");
	json_decref(j);
	for (size_t i = 0; i < r->n_columns; i++)
		if (strcmp((*names)[i], name) == 0)
			die_at(r, at, "column '%s' stands twice", name);
	*names = xrealloc(*names, (r->n_columns + 1) * sizeof **names);
	r->columns = xrealloc(r->columns, (r->n_columns + 1) * sizeof *r->columns);
	(*names)[r->n_columns] = name;
	struct column *c = table_take(r->t, name, strlen(name));
	if (c)
		c->met = true;
	r->columns[r->n_columns++] = c;
}

/* The header's fields, named if `names`; where the row behind it begins, NULL if
 * it is not whole. */
static const char *
header_fields(struct csv *r, const char *end, char ***names)
{
	const char *p = r->row, *text;
	size_t n;
	r->lines = 0;
	for (;;) {
		const char *e = next_field(r, p, end, &text, &n);
		if (!e)
			return NULL;
		if (names)
			name_column(r, p, text, n, names);
		if (*e == '\n')
			return e + 1;
		p = e + 1;
	}
}

static void
xheader_more(struct csv *r)
{
	if (r->in->n - r->in->at > LINE_LIMIT_BYTES)
		die(ST_INPUT, "%s:%lu:1: row longer than %d bytes", r->in->name, r->line, (int)LINE_LIMIT_BYTES);
	xinput_more(r->in);
}

/* The first line that is not blank; false: there is none. */
static bool
take_header(struct csv *r)
{
	struct input *in = r->in;
	char **names = NULL;
	for (;; xheader_more(r)) {
		const char *p = in->p + in->at, *end = in->p + in->n;
		in->p[in->n] = '\n';
		for (; p < end && (*p == '\n' || *p == '\r'); p++)
			r->line += *p == '\n';
		in->at = (size_t)(p - in->p);
		if (p == end && in->eof)
			return false;
		if (end - p < LOOK_BYTES && !in->eof)
			continue;
		r->row = p;
		r->between = separator(p, end);
		if (p < end && header_fields(r, end, NULL))
			break;
	}
	const char *next = header_fields(r, in->p + in->n, &names);
	in->at = (size_t)(next - in->p);
	r->line += 1 + r->lines;
	for (size_t i = 0; i < r->n_columns; i++)
		free(names[i]);
	free(names);
	return true;
}

void
xread_csv(struct table *t, struct input *in, const struct rowwords *words)
{
	struct csv r = {.t = t, .in = in, .line = 1, .unquoted = {.limit = LINE_LIMIT_BYTES}};
	if (!take_header(&r))
		die(ST_INPUT, "%s:1:1: empty: a table begins with the names of its columns", in->name);
	struct parts *parts = words && words->n ? NULL : parts_begin(&r);
	bool whole = csv_take_rows(&r, words);
	if (parts && !parts_end(parts, &r, whole))
		csv_take_rows(&r, words);
	free(r.columns);
	buf_free(&r.unquoted);
}
