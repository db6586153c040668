/* table_csv.c: CSV as in RFC 4180 and as it is found: CRLF or LF, a byte order mark,
 * commas, semicolons, tabs or bars as separators, blank lines, comments before the header.
 *
 * The text passes through one buffer.  A row that is not complete in the buffer is
 * parsed again when more of it has been read.
 */
#include "table/table_csv.h"
#include "base/buf.h"
#include "base/die.h"
#include "json/lines.h"
#include "table/table_numbers.h"
#include "text/text.h"

#include <stdarg.h>
#include <stdio.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

struct csv {
	struct table *t;
	struct table_input *in;
	unsigned long line;	/* of the current row */
	unsigned long lines;	/* that the current row has after its first */
	const char *row;	/* where it begins */
	char separator;
	struct column **columns;	/* of each field; NULL: not kept */
	size_t n_columns;
	struct buf unquoted;
	/* Lines before the header; columns of the same name, and those with that of a number. */
	size_t comments, renamed, numbers;
};

static _Noreturn void PRINTF(3, 4)
die_at(const struct csv *r, const char *at, const char *fmt, ...)
{
	/* Lines within quoted fields before `at` count too. */
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

/* The next separator or newline; a sentinel follows the bytes of the buffer. */
static inline const char *
field_end(const char *p, char separator)
{
#ifdef __SSE2__
	const __m128i b = _mm_set1_epi8(separator), nl = _mm_set1_epi8('\n');
	for (;; p += 16) {
		__m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
		int found = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(x, b),
		    _mm_cmpeq_epi8(x, nl)));
		if (found)
			return p + __builtin_ctz((unsigned)found);
	}
#else
	while (*p != separator && *p != '\n')
		p++;
	return p;
#endif
}

/* A quoted field from after its opening quote; its text into *text and *n.  Returns its
 * end, a separator or newline; NULL: it is not complete in the buffer. */
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
		die_at(r, open, "unclosed quote");
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
	if (*after != r->separator && *after != '\n')
		die_at(r, after, "text after a closing quote");
	return after;
}

/* One field; returns its end, NULL if it is not complete in the buffer. */
static inline const char *
next_field(struct csv *r, const char *p, const char *end, const char **text, size_t *n)
{
	if (*p == '"')
		return quoted_end(r, p + 1, end, text, n);
	const char *e = field_end(p, r->separator);
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
die_wrong_count(const struct csv *r, size_t have, const char *at)
{
	die_at(r, at, "%zu field%s, but the header has %zu", have, have == 1 ? "" : "s",
	    r->n_columns);
}

/* The number of fields of the row after its first `have`, for a message. */
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

/* Reads the row at r->row; returns the beginning of the next, NULL if it is incomplete. */
static const char *
read_row(struct csv *r, const char *end, const struct path_values *values)
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
			die_wrong_count(r, count_fields(r, i + 1, e, end), p);
		struct column *c = r->columns[i++];
		if (c && !table_put(t, c, text, n))
			die_at(r, p, "column '%s': not UTF-8 text", c->name);
		if (*e == '\n') {
			if (i < r->n_columns)
				die_wrong_count(r, i, e);
			table_put_path(t, values);
			table_row_done(t);
			return e + 1;
		}
		p = e + 1;
	}
}

static void
xread_more(struct csv *r)
{
	xtable_input_more(r->in);
	if (r->in->n - r->in->at > LINE_LIMIT_BYTES)
		die(ST_INPUT, "%s:%lu:1: row longer than %d bytes", r->in->name, r->line,
		    (int)LINE_LIMIT_BYTES);
}

static void
read_rows(struct csv *r, const struct path_values *values)
{
	struct table_input *in = r->in;
	for (;;) {
		const char *end = in->p + in->n, *next;
		in->p[in->n] = '\n';
		for (r->row = in->p + in->at; r->row < end; r->row = next) {
			if (!(next = read_row(r, end, values)))
				break;
			r->line += 1 + r->lines;
		}
		in->at = (size_t)(r->row - in->p);
		if (in->at >= in->n && in->eof)
			return;
		xread_more(r);
	}
}

/* ---- header -------------------------------------------------------------------------- */

enum { SEPARATOR_BYTES = 1 << 14 };

/* The separator of which the header has most outside quotes; 0: none.  With unbalanced
 * quotes the result depends on the number of bytes, which is therefore constant. */
static char
find_separator(const char *p, const char *end)
{
	if (end - p > SEPARATOR_BYTES)
		end = p + SEPARATOR_BYTES;
	size_t count[4] = {0};
	static const char known[] = "\t,;|";
	bool quoted = false;
	for (; p < end && (quoted || *p != '\n'); p++) {
		quoted ^= *p == '"';
		const char *at = quoted || !*p ? NULL : strchr(known, *p);
		if (at)
			count[at - known]++;
	}
	size_t most = 0;
	for (size_t i = 1; i < COUNT(count); i++)
		most = count[i] > count[most] ? i : most;
	return count[most] ? known[most] : '\0';
}

/* The words of a line between separators that are not empty; *numbers: those that are
 * numbers. */
static size_t
count_words(const char *p, const char *end, char separator, size_t *numbers)
{
	const char stops[] = {separator, '\r', '\n', '\0'};
	size_t words = 0;
	*numbers = 0;
	while (p < end && *p != '\n') {
		size_t n = 0;
		while (p + n < end && !strchr(stops, p[n]))
			n++;
		words += n > 0;
		*numbers += n && !isnan(table_number(p, n));
		p += n ? n : 1;
	}
	return words;
}

/* The output of ps or sacct is one column of texts: a row of several words, some of them
 * numbers, below several names. */
static void
refuse_blanks(const struct csv *r, const char *p, const char *end)
{
	size_t numbers;
	const char *row = memchr(p, '\n', (size_t)(end - p));
	if (!row || memchr(p, '"', (size_t)(row - p)) ||
	    count_words(p, row, ' ', &numbers) < 2)
		return;
	const char *first = row + 1;
	size_t rule = strspn(first, "- \r");	/* a line below the names */
	if (first[rule] == '\n' && first + rule < end)
		first += rule + 1;
	if (count_words(first, end, ' ', &numbers) < 2 || !numbers)
		return;
	die_at(r, p, "no comma, tab, semicolon or bar in the header '%.*s': separate the columns "
	    "by one, as with tr -s ' ' '\\t'", (int)(row - p < 60 ? row - p : 60), p);
}

/* How many bytes of the lines at p come before the header: a comment, or "sep=;" as spreadsheets
 * write it, which sets the separator; 0: p is the header.  A line that begins with # is the
 * header if the next has as many fields, some of them numbers. */
static size_t
preamble_bytes(struct csv *r, const char *p, const char *end)
{
	size_t numbers, ignored;
	const char *nl = memchr(p, '\n', (size_t)(end - p)), *next = nl ? nl + 1 : end;
	if (end - p > 5 && strncasecmp(p, "sep=", 4) == 0 && (p[5] == '\r' || p[5] == '\n')) {
		r->separator = p[4];
		return (size_t)(next - p);
	}
	if (*p != '#' || next == end)
		return 0;
	char separator = find_separator(next, end);
	bool is_header = *next != '#' && count_words(next, end, separator, &numbers) ==
	    count_words(p, end, separator, &ignored) && numbers;
	r->comments += !is_header;
	return is_header ? 0 : (size_t)(next - p);
}

/* A column of the same name has its number behind it. */
static char *
unique_name(struct csv *r, char *name, const json_t *names)
{
	for (size_t i = r->n_columns + 1; json_object_get(names, name); i++) {
		char *other = xasprintf("%s_%zu", name, i);
		if (!r->renamed++)
			warn("%s: the second column '%s' is read as '%s'", r->in->name, name,
			    other);
		free(name);
		name = other;
	}
	return name;
}

static void
add_column(struct csv *r, const char *at, const char *text, size_t n, json_t *names)
{
	while (n && (*text == ' ' || *text == '\t'))
		text++, n--;
	while (n && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		n--;
	/* pandas leaves the name of the index empty. */
	char *name = n ? xasprintf("%.*s", (int)n, text) : xasprintf("column_%zu",
	    r->n_columns + 1);
	json_t *j = json_string(name);
	if (!j || strlen(name) < n)
		die_at(r, at, "the name of a column is not UTF-8 text");
	const char *cr = strchr(name, '\r');
	if (cr && cr[1] != '\n')
		die_at(r, at, "lines end in CR alone: use tr '\\r' '\\n'");
	r->numbers += isnan(table_number(name, strlen(name))) ? 0 : 1;
	json_decref(j);
	name = unique_name(r, name, names);
	struct column *c = table_take(r->t, name, strlen(name));
	for (size_t i = 0; c && i < r->n_columns; i++)
		if (r->columns[i] == c) {
			warn("%s: '%s' is not read: it means the same column as '%s'", r->in->name,
			    name, c->name);
			c = NULL;
		}
	if (c)
		c->met = true;
	json_object_set_new(names, name, json_true());
	r->columns = xrealloc(r->columns, (r->n_columns + 1) * sizeof *r->columns);
	r->columns[r->n_columns++] = c;
	free(name);
}

/* Reads the fields of the header, and adds the columns if `names`.  Returns the
 * beginning of the next row, NULL if the header is incomplete. */
static const char *
header_fields(struct csv *r, const char *end, json_t *names)
{
	const char *p = r->row, *text;
	size_t n;
	r->lines = 0;
	for (;;) {
		const char *e = next_field(r, p, end, &text, &n);
		if (!e)
			return NULL;
		if (names)
			add_column(r, p, text, n, names);
		if (*e == '\n')
			return e + 1;
		p = e + 1;
	}
}

static void
xread_header(struct csv *r)
{
	struct table_input *in = r->in;
	json_t *names = json_object();
	for (;; xread_more(r)) {
		const char *p = in->p + in->at, *end = in->p + in->n;
		in->p[in->n] = '\n';
		for (; p < end && (*p == '\n' || *p == '\r'); p++)
			r->line += *p == '\n';
		in->at = (size_t)(p - in->p);
		if (p == end && in->eof)
			die(ST_INPUT, "%s:1:1: empty: the first line must name the columns",
			    in->name);
		if (end - p < SEPARATOR_BYTES && !in->eof)
			continue;
		size_t before = preamble_bytes(r, p, end);
		if (before) {
			in->at += before;
			r->line++;
			continue;
		}
		r->row = p;
		r->separator = r->separator ? r->separator : find_separator(p, end);
		if (!r->separator) {
			r->separator = ',';
			refuse_blanks(r, p, end);
		}
		if (p < end && header_fields(r, end, NULL))
			break;
	}
	const char *next = header_fields(r, in->p + in->n, names);
	if (2 * r->numbers > r->n_columns && !in->get)
		warn("%s: most names of columns are numbers: is the first line the header?",
		    in->name);
	if (r->comments)
		warn("%s: skipped %zu line%s of comments before the header", in->name, r->comments,
		    text_plural(r->comments));
	r->t->has_commas = r->separator == ';';
	in->at = (size_t)(next - in->p);
	r->line += 1 + r->lines;
	json_decref(names);
}

void
xtable_csv_read(struct table *t, struct table_input *in, const struct path_values *values)
{
	struct csv r = {.t = t, .in = in, .line = 1, .unquoted = {.limit = LINE_LIMIT_BYTES}};
	/* A row of Parquet has no line. */
	t->line = in->get ? NULL : &r.line;
	t->more_lines = in->get ? NULL : &r.lines;
	xread_header(&r);
	read_rows(&r, values);
	t->line = t->more_lines = NULL;
	free(r.columns);
	buf_free(&r.unquoted);
}
