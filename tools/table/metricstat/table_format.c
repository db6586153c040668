/* table_format.c: records as a table: CSV, Markdown, LaTeX, or aligned text. */
#include "table_format.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/output.h"
#include "json/csv.h"
#include "json/json_text.h"
#include "json/member.h"
#include "table/parquet_output.h"
#include "text/markup.h"
#include "text/text.h"
#include "text/unit.h"

#include <stdio.h>

enum { MAX_WIDTH = 160 };

void
table_format_column(struct table_format *s, const char *title, const char *path, int kind)
{
	const char *nl = strchr(path, '\n');
	s->columns = xgrow(s->columns, s->n, sizeof *s->columns);
	s->columns[s->n++] = (struct format_column){title, nl ? xasprintf("%.*s",
	    (int)(nl - path), path) : "", nl ? nl + 1 : path, kind};
}

bool
table_format_is_flat(enum format format)
{
	return format == FORMAT_CSV || format == FORMAT_PARQUET;
}

/* A record, split into its members and those of an object within it. */
struct table_row {
	struct buf line;
	struct scan members, inner;
	const char *outer;	/* which object */
};

static void
read_row(struct table_row *r, const struct record_list *l, size_t i)
{
	r->line.n = 0;
	r->outer = NULL;
	l->record(l->of, i, &r->line);
	scan_record(&r->members, r->line.p, r->line.n);
}

static struct span
get_member(struct table_row *r, const struct format_column *c)
{
	if (!*c->outer)
		return scan_get(&r->members, c->name);
	if (!r->outer || strcmp(r->outer, c->outer) != 0)
		scan_members(&r->inner, scan_get(&r->members, c->outer));
	r->outer = c->outer;
	return scan_get(&r->inner, c->name);
}

static struct unit
unit_in_record(struct table_row *r)
{
	struct unit u = {.factor = 1};
	char *symbol = scan_string(&r->members, "unit");
	if (symbol)
		unit_parse(symbol, &u);
	free(symbol);
	return u;
}

/* "n=3 filter=r". */
static void
add_shared(struct buf *b, struct span list)
{
	json_t *shared = span_json(list), *p;
	size_t i;
	json_array_foreach(shared, i, p)
		buf_addf(b, "%s%s=%s", i ? " " : "", json_string_value(json_object_get(p,
		    "parameter")),
		    json_string_value(json_object_get(p, "value")));
	if (!json_array_size(shared))
		buf_addf(b, "-");
	json_decref(shared);
}

/* A cell for people. */
static void
add_cell(struct buf *b, const struct format_column *c, struct table_row *r, bool binary)
{
	struct span v = get_member(r, c);
	struct unit u = c->kind == CELL_VALUE ? unit_in_record(r) : (struct unit){.factor = 1};
	double x = span_number(v);
	char *text = span_string(v);
	if (c->kind > CELL_VALUE)
		unit_parse(c->kind == CELL_PCT ? "%" : c->kind == CELL_BYTES ? "bytes" : "s", &u);
	if (span_null(v))
		buf_addf(b, "%s", strcmp(c->outer, "group") == 0 &&
		    span_is(scan_get(&r->members, "total"), "true") ? "total" : "-");
	else if (text)
		buf_addf(b, "%s", text);
	else if (!isnan(x) && (c->kind >= CELL_VALUE || memchr(v.p, '.', v.n) ||
	    memchr(v.p, 'e', v.n)))
		unit_print(b, x, &u, binary);
	else if (*v.p == '[')
		add_shared(b, v);
	else
		buf_add(b, v.p, v.n);
	free(text);
}

static bool
is_left(const struct format_column *c)
{
	return c->kind == CELL_TEXT;
}

/* ---- CSV: all digits, units in a column -------------------------------- */

static void
put_csv(const struct table_format *s, const struct record_list *l)
{
	struct buf b = {0};
	struct table_row r = {0};
	for (size_t i = 0; i < s->n; i++) {
		buf_add(&b, ",", i ? 1 : 0);
		csv_text(&b, s->columns[i].title, s->escape);
	}
	printf("%s\r\n", b.p);
	for (size_t k = 0; k < l->n; k++) {
		read_row(&r, l, k);
		b.n = 0;
		for (size_t i = 0; i < s->n; i++) {
			buf_add(&b, ",", i ? 1 : 0);
			csv_span(&b, get_member(&r, &s->columns[i]), s->escape);
		}
		buf_add(&b, "\r\n", 2);
		xoutput_text(b.p, b.n);
	}
	buf_free(&b);
}

/* ---- Parquet: the same with types -------------------------------------- */

static void
put_parquet(const struct table_format *s, const struct record_list *l)
{
	static const char *const types[] = {[CELL_TEXT] = "string", [CELL_COUNT] = "int64",
	    [CELL_VALUE] = "double", [CELL_PCT] = "double",
	    [CELL_BYTES] = "int64", [CELL_TIME] = "double"};
	struct buf b = {0};
	struct table_row r = {0};
	json_t *columns = json_array();
	for (size_t i = 0; i < s->n; i++)
		json_array_append_new(columns, json_pack("[s, s]", s->columns[i].title,
		    types[s->columns[i].kind]));
	struct child *o = xparquet_output_start(columns, -1);
	for (size_t k = 0; k < l->n; k++) {
		read_row(&r, l, k);
		b.n = 0;
		buf_add(&b, "{", 1);
		for (size_t i = 0; i < s->n; i++) {
			json_text_add_string(&b, s->columns[i].title, strlen(s->columns[i].title));
			struct span v = get_member(&r, &s->columns[i]);
			buf_addf(&b, ":%.*s,", v.p ? (int)v.n : 4, v.p ? v.p : "null");
		}
		member_end(&b);
		parquet_output_row(o, b.p, b.n);
	}
	xparquet_output_end(o, NULL);
	json_decref(columns);
	buf_free(&b);
}

/* ---- for people -------------------------------------------------------------------- */

static void
markdown_text(struct buf *b, const char *text)
{
	markup_markdown(b, text, false);
}

static void
latex_text(struct buf *b, const char *text)
{
	static const char *const as[][2] = {{"\\", "\\textbackslash{}"},
	    {"~", "\\textasciitilde{}"}, {"^", "\\textasciicircum{}"},
		{"<", "\\textless{}"}, {">", "\\textgreater{}"}, {"\n", " "}, {"\r", " "}};
	for (; *text; text++) {
		size_t i = 0;
		while (i < COUNT(as) && *as[i][0] != *text)
			i++;
		if (i < COUNT(as))
			buf_addf(b, "%s", as[i][1]);
		else if (strchr("&%$#_{}", *text))
			buf_addf(b, "\\%c", *text);
		else
			buf_add(b, text, 1);
	}
}

/* The cells of one row; NULL: the titles. */
static void
make_cells(const struct table_format *s, struct table_row *r, bool binary, struct buf *cells)
{
	for (size_t i = 0; i < s->n; i++) {
		cells[i].n = 0;
		if (r)
			add_cell(&cells[i], &s->columns[i], r, binary);
		else
			buf_addf(&cells[i], "%s", s->columns[i].title);
	}
}

static struct buf *
new_cells(const struct table_format *s)
{
	return memset(xmalloc(s->n * sizeof(struct buf)), 0, s->n * sizeof(struct buf));
}

struct markup {
	const char *before, *between, *after, *rule;	/* of a row; below the titles */
	void (*escape)(struct buf *, const char *);
};

static void
put_marked_up(const struct table_format *s, const struct record_list *l, const struct markup *m,
    bool binary)
{
	struct buf *cells = new_cells(s), b = {0};
	struct table_row r = {0};
	for (size_t k = 0; k <= l->n; k++) {
		if (k)
			read_row(&r, l, k - 1);
		make_cells(s, k ? &r : NULL, binary, cells);
		b.n = 0;
		for (size_t i = 0; i < s->n; i++) {
			buf_addf(&b, "%s", i ? m->between : m->before);
			m->escape(&b, cells[i].p);
		}
		printf("%s%s\n%s", b.p, m->after, k ? "" : m->rule);
	}
	buf_free(&b);
}

static void
put_markdown(const struct table_format *s, const struct record_list *l, bool binary)
{
	struct buf rule = {0};
	if (s->caption)
		printf("**%s**\n\n", s->caption);
	for (size_t i = 0; i < s->n; i++)
		buf_addf(&rule, "|%s", is_left(&s->columns[i]) ? ":---" : "---:");
	buf_addf(&rule, "|\n");
	put_marked_up(s, l, &(struct markup){"| ", " | ", " |", rule.p, markdown_text}, binary);
	buf_free(&rule);
}

/* Writes LaTeX with booktabs' rules. */
static void
put_latex(const struct table_format *s, const struct record_list *l, bool binary)
{
	static const struct markup latex = {"", " & ", " \\\\", "\\midrule\n", latex_text};
	printf("\\begin{tabular}{");
	for (size_t i = 0; i < s->n; i++)
		putchar(is_left(&s->columns[i]) ? 'l' : 'r');
	puts("}\n\\toprule");
	put_marked_up(s, l, &latex, binary);
	puts("\\bottomrule\n\\end{tabular}");
}

static size_t
columns_of(const char *text)
{
	struct buf b = {0};
	size_t n = text_show(&b, text, MAX_WIDTH);
	buf_free(&b);
	return n;
}

static void
put_aligned(const struct table_format *s, const struct buf *cells, const size_t *width)
{
	struct buf b = {0};
	buf_add(&b, "", 0);
	for (size_t i = 0; i < s->n; i++) {
		if (i)
			buf_addf(&b, "  ");
		if (is_left(&s->columns[i])) {
			text_show_padded(&b, cells[i].p, width[i]);
			continue;
		}
		for (size_t n = columns_of(cells[i].p); n < width[i]; n++)
			buf_addf(&b, " ");
		text_show(&b, cells[i].p, width[i]);
	}
	text_put_trimmed(&b);
	buf_free(&b);
}

/* Each record is made twice: for the widths of the columns, and to be shown. */
static void
put_terminal_table(const struct table_format *s, const struct record_list *l, bool binary)
{
	size_t *width = xmalloc(s->n * sizeof *width);
	struct buf *cells = new_cells(s);
	struct table_row r = {0};
	memset(width, 0, s->n * sizeof *width);
	if (s->caption)
		puts(s->caption);
	for (int pass = 0; pass < 2; pass++)
		for (size_t k = 0; k <= l->n; k++) {
			if (k)
				read_row(&r, l, k - 1);
			make_cells(s, k ? &r : NULL, binary, cells);
			for (size_t i = 0; pass == 0 && i < s->n; i++) {
				size_t n = columns_of(cells[i].p);
				width[i] = n > width[i] ? n : width[i];
			}
			if (pass == 1)
				put_aligned(s, cells, width);
		}
	free(width);
}

static void
put_records(const struct record_list *l)
{
	struct buf b = {0};
	for (size_t k = 0; k < l->n; k++) {
		b.n = 0;
		l->record(l->of, k, &b);
		xoutput_line(b.p, b.n);
	}
	buf_free(&b);
}

void
table_format_put(const struct table_format *s, const struct record_list *l, enum format format,
    bool binary)
{
	switch (format) {
	case FORMAT_RECORDS:
		put_records(l);
		break;
	case FORMAT_CSV: put_csv(s, l); break;
	case FORMAT_PARQUET: put_parquet(s, l); break;
	case FORMAT_MARKDOWN: put_markdown(s, l, binary); break;
	case FORMAT_LATEX: put_latex(s, l, binary); break;
	case FORMAT_TEXT: put_terminal_table(s, l, binary); break;
	}
}
