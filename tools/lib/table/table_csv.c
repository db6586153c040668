/* table_csv.c: CSV as in RFC 4180 and as it is found: CRLF or LF, a byte order mark,
 * commas, semicolons, tabs or bars as separators, blank lines.
 *
 * The text passes through one buffer.  A row that is not complete in the buffer is
 * parsed again when more of it has been read.
 */
#include "table/table_csv.h"
#include "base/die.h"
#include "json/lines.h"
#include "table/table_numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static _Noreturn void PRINTF(3, 4)
die_at(const struct csv *r, const char *at, const char *fmt, ...)
{
	if (r->fault)
		longjmp(*r->fault, 1);
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

bool
table_csv_rows(struct csv *r, const struct path_values *values)
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
			return true;
		if (in->left == 0)
			return in->at == in->n;
		xtable_input_more(in);
		if (in->n - in->at > LINE_LIMIT_BYTES && r->fault)
			longjmp(*r->fault, 1);
		if (in->n - in->at > LINE_LIMIT_BYTES)
			die(ST_INPUT, "%s:%lu:1: row longer than %d bytes", in->name, r->line,
			    (int)LINE_LIMIT_BYTES);
	}
}

/* ---- header -------------------------------------------------------------------------- */

enum { SEPARATOR_BYTES = 1 << 14 };

/* The first of these separators that the header has outside quotes; 0: none.  With unbalanced
 * quotes the result depends on the number of bytes, which is therefore constant. */
static char
find_separator(const char *p, const char *end)
{
	if (end - p > SEPARATOR_BYTES)
		end = p + SEPARATOR_BYTES;
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
	return '\0';
}

/* The words of a line that blanks separate; *numbers: those that are numbers. */
static size_t
count_words(const char *p, const char *end, size_t *numbers)
{
	size_t words = 0;
	*numbers = 0;
	while (p < end && *p != '\n') {
		size_t n = 0;
		while (p + n < end && !strchr(" \r\n", p[n]))
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
	if (!row || memchr(p, '"', (size_t)(row - p)) || count_words(p, row, &numbers) < 2)
		return;
	const char *first = row + 1;
	size_t rule = strspn(first, "- \r");	/* a line below the names */
	if (first[rule] == '\n' && first + rule < end)
		first += rule + 1;
	if (count_words(first, end, &numbers) < 2 || !numbers)
		return;
	die_at(r, p, "no comma, tab, semicolon or bar in the header '%.*s': separate the columns "
	    "by one, as with tr -s ' ' '\\t'", (int)(row - p < 60 ? row - p : 60), p);
}

/* A name of the header, and where it is. */
struct header_name {
	char *name;
	const char *at;
};

static int
compare_names(const void *a, const void *b)
{
	const struct header_name *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : (x->at > y->at) - (x->at < y->at);
}

static void
refuse_duplicates(const struct csv *r, struct header_name *names)
{
	const struct header_name *first = NULL;
	qsort(names, r->n_columns, sizeof *names, compare_names);
	for (size_t i = 1; i < r->n_columns; i++)
		if (strcmp(names[i - 1].name, names[i].name) == 0 &&
		    (!first || names[i].at < first->at))
			first = &names[i];
	if (first)
		die_at(r, first->at, "duplicate column '%s'", first->name);
}

static void
add_column(struct csv *r, const char *at, const char *text, size_t n, struct header_name **names)
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
	json_decref(j);
	*names = xrealloc(*names, (r->n_columns + 1) * sizeof **names);
	r->columns = xrealloc(r->columns, (r->n_columns + 1) * sizeof *r->columns);
	(*names)[r->n_columns] = (struct header_name){name, at};
	struct column *c = table_take(r->t, name, strlen(name));
	for (size_t i = 0; c && i < r->n_columns; i++)
		if (r->columns[i] == c && strcmp((*names)[i].name, name) != 0) {
			warn("%s: '%s' is not read: it means the same column as '%s'", r->in->name,
			    name, (*names)[i].name);
			c = NULL;
		}
	if (c)
		c->met = true;
	r->columns[r->n_columns++] = c;
}

/* Reads the fields of the header, and adds the columns if `names`.  Returns the
 * beginning of the next row, NULL if the header is incomplete. */
static const char *
header_fields(struct csv *r, const char *end, struct header_name **names)
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
xheader_more(struct csv *r)
{
	if (r->in->n - r->in->at > LINE_LIMIT_BYTES)
		die(ST_INPUT, "%s:%lu:1: row longer than %d bytes", r->in->name, r->line,
		    (int)LINE_LIMIT_BYTES);
	xtable_input_more(r->in);
}

void
xtable_csv_header(struct csv *r)
{
	struct table_input *in = r->in;
	struct header_name *names = NULL;
	for (;; xheader_more(r)) {
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
		r->row = p;
		r->separator = find_separator(p, end);
		if (!r->separator) {
			r->separator = ',';
			refuse_blanks(r, p, end);
		}
		if (p < end && header_fields(r, end, NULL))
			break;
	}
	const char *next = header_fields(r, in->p + in->n, &names);
	refuse_duplicates(r, names);
	in->at = (size_t)(next - in->p);
	r->line += 1 + r->lines;
	for (size_t i = 0; i < r->n_columns; i++)
		free(names[i].name);
	free(names);
}
