/* reportcells.c: all cells and all notebooks as tables, in HTML and as data for the
 * page's script, which shows long ones a screen at a time; what failed. */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More rows than these are in the page for those without script alone. */
enum { SHOWN_AT_ONCE = 100, MOST_FAILURES = 50, MOST_PICTURES = 20, PICTURE_BYTES = 2 << 20, ERROR_BYTES = 4000 };

static json_t *
real_or_null(double x, int decimals)
{
	return isfinite(x) ? json_real(num_round(x, decimals)) : json_null();
}

static const char *
status_of(const struct told *c)
{
	return c->status ? c->status : "?";
}

static void
put_status(struct buf *b, const char *status)
{
	bool bad = strcmp(status, "Completed") != 0 && strcmp(status, "Not Run") != 0 && strcmp(status, "Skipped") != 0;
	buf_addf(b, "<td class=\"status%s\">", bad ? " bad" : strcmp(status, "Completed") == 0 ? " good" : "");
	put_text(b, status);
	buf_addf(b, "</td>");
}

/* "5: 1.10 to 1.42"; of runs without a time their number. */
static void
put_runs(struct buf *b, size_t n, double least, double most)
{
	buf_addf(b, "<td class=\"n\">");
	if (n > 1 && isfinite(least))
		buf_addf(b, "%zu: %.3f to %.3f", n, least, most);
	else
		buf_addf(b, "%zu", n);
	buf_addf(b, "</td>");
}

/* ---- cells ------------------------------------------------------------------------------ */

/* What a person looks for first, first: a narrow window shows that much. */
static const char *const cell_columns[] = {"notebook", "#cell", "#seconds", "where", "first line", "status", "#runs", "#wait, s", "#kernel, s",
	"#delivery, s", "#drawing, s", "#kernel's peak, MB", "#received, MB", NULL};

/* The columns' names without those that have nothing to show; room for all. */
static void
choose_columns(const char **to, const struct report *r, bool bars)
{
	for (size_t i = 0; i < COUNT(cell_columns); i++) {
		const char *name = cell_columns[i];
		if (name && ((!bars && strcmp(name, "where") == 0) || (!r->apart && strcmp(name, "#delivery, s") == 0)))
			continue;
		*to++ = name && !r->apart && strcmp(name, "#wait, s") == 0 ? "#wait and delivery, s" : name;
	}
}

/* Seconds of each phase; waiting and delivery are one where they cannot be told apart. */
static void
put_phases(struct buf *b, const struct report *r, const struct told *c)
{
	double part[PHASES];
	phases_of(r, &c->spent, part);
	for (size_t i = 0; i < PHASES; i++)
		if (i != 2 || r->apart)
			put_number(b, c->client_s > 0 ? part[i] : NAN, 3);
}

/* What any table of cells says of one. */
static void
put_measured(struct buf *b, const struct report *r, const struct cell_row *row)
{
	const struct told *c = &r->told[row->shown];
	buf_addf(b, "<td class=\"code\"><code>");
	put_text(b, c->line);
	buf_addf(b, "</code></td>");
	put_status(b, status_of(c));
	put_runs(b, row->n, row->least_s, row->most_s);
	put_phases(b, r, c);
	put_number(b, c->peak_bytes / 1e6, 1);
	put_number(b, c->received_mb, 3);
}

static void
put_cell_row(struct buf *b, const struct report *r, const struct cell_row *row, bool bar)
{
	const struct told *c = &r->told[row->shown];
	const struct book *k = &r->book[row->book];
	char *anchor = anchor_of(k->name, c->index);
	buf_addf(b, "<tr id=\"%s\"><th scope=\"row\">", anchor);
	put_book_link(b, r, k, c->index, NULL);
	buf_addf(b, "</th><td class=\"n\"><a href=\"#%s\">%ld</a></td>", anchor, c->index);
	put_number(b, c->client_s, 3);
	if (bar) {
		/* As shares: by seconds those of the fast ones could not be seen. */
		double part[PHASES];
		buf_addf(b, "<td class=\"wide\">");
		put_bar(b, r, &c->spent, c->client_s, 0, phases_of(r, &c->spent, part));
		buf_addf(b, "</td>");
	}
	put_measured(b, r, row);
	buf_addf(b, "</tr>\n");
	free(anchor);
}

/* Without script a page of thousands of bars is slow. */
static void
put_rest(struct buf *b, const struct report *r, const size_t *at, size_t n)
{
	const char *columns[COUNT(cell_columns)];
	choose_columns(columns, r, false);
	buf_addf(b, "<noscript>\n");
	put_table(b, "plain", "The other cells", columns);
	for (size_t i = 0; i < n; i++)
		put_cell_row(b, r, &r->row[at[i]], false);
	end_table(b);
	buf_addf(b, "</noscript>\n");
}

void
put_cells(struct buf *b, const struct report *r)
{
	size_t *at = report_by_time(r), n = r->n_rows < SHOWN_AT_ONCE ? r->n_rows : SHOWN_AT_ONCE;
	if (!n) {
		buf_addf(b, "<p>No cell was run.</p>\n");
	} else {
		const char *columns[COUNT(cell_columns)];
		choose_columns(columns, r, true);
		put_table(b, "live cells", "All cells, the slowest first; seconds are those that a person waited, bars their shares", columns);
		for (size_t i = 0; i < n; i++)
			put_cell_row(b, r, &r->row[at[i]], true);
		end_table(b);
		if (r->n_rows > n)
			put_rest(b, r, at + n, r->n_rows - n);
	}
	free(at);
}

/* What the script builds rows of: values in the columns' order, the least that
 * tells all. Notebooks stand once. */
void
put_data_json(struct buf *b, const struct report *r)
{
	json_t *books = json_array(), *cells = json_array();
	size_t *at = report_by_time(r);
	for (size_t i = 0; i < r->n_books; i++) {
		char *shown = book_shown(r, &r->book[i]), *anchor = anchor_of(r->book[i].name, 0);
		anchor[strlen(anchor) - 1] = '\0';	/* "c-NAME/" */
		json_array_append_new(books, json_pack("[s, s, b]", shown, anchor, is_file_name(r->book[i].name)));
		free(anchor);
		free(shown);
	}
	/* A table of few rows is sorted where it stands. */
	for (size_t i = 0; i < r->n_rows && r->n_rows > SHOWN_AT_ONCE; i++) {
		const struct cell_row *row = &r->row[at[i]];
		const struct told *c = &r->told[row->shown];
		double part[PHASES];
		phases_of(r, &c->spent, part);
		json_t *v = json_pack("[i, I, s, s]", (int)row->book, (json_int_t)c->index, c->line ? c->line : "", status_of(c));
		json_array_append_new(v, real_or_null(c->client_s, 3));
		json_array_append_new(v, json_integer((json_int_t)row->n));
		for (size_t p = 0; p < PHASES; p++)
			json_array_append_new(v, real_or_null(c->client_s > 0 ? part[p] : NAN, 3));
		json_array_append_new(v, real_or_null(c->peak_bytes / 1e6, 1));
		json_array_append_new(v, real_or_null(c->received_mb, 3));
		json_array_append_new(v, real_or_null(row->least_s, 3));
		json_array_append_new(v, real_or_null(row->most_s, 3));
		json_array_append_new(cells, v);
	}
	json_t *data = json_pack("{s:o, s:o, s:b, s:s?}", "books", books, "cells", cells, "apart", r->apart, "pages", r->pages);
	put_script_json(b, data);
	json_decref(data);
	free(at);
}

/* Of one notebook's page: few, and with what the report's table has no room for. */
void
put_page_cells(struct buf *b, const struct report *r)
{
	const struct book *k = &r->book[r->book_now];
	static const char *const apart[] = {"#cell", "#seconds", "first line", "status", "#runs", "#wait, s", "#kernel, s", "#delivery, s", "#drawing, s",
		"#kernel's peak, MB", "#received, MB", "#script, ms", "why", NULL};
	static const char *const together[] = {"#cell", "#seconds", "first line", "status", "#runs", "#wait and delivery, s", "#kernel, s", "#drawing, s",
		"#kernel's peak, MB", "#received, MB", "#script, ms", "why", NULL};
	const char *const *columns = r->apart ? apart : together;
	put_table(b, "live", "Cells of this notebook; the seconds are those that a person waited", columns);
	for (size_t i = 0; i < k->rows; i++) {
		const struct cell_row *row = &r->row[k->first + i];
		const struct told *c = &r->told[row->shown];
		char *anchor = anchor_of(k->name, c->index);
		buf_addf(b, "<tr id=\"%s\"><th scope=\"row\" class=\"n\"><a href=\"#%s\">%ld</a></th>", anchor, anchor, c->index);
		put_number(b, c->client_s, 3);
		put_measured(b, r, row);
		put_number(b, c->script_s * 1e3, 1);
		put_cell_text(b, c->diagnosis, "why");
		buf_addf(b, "</tr>\n");
		free(anchor);
	}
	end_table(b);
}

/* ---- notebooks ----------------------------------------------------------------------------- */

void
put_notebooks(struct buf *b, const struct report *r)
{
	static const char *const columns[] = {"notebook", "status", "#cells", "#seconds", "#runs", "where", "#received, MB", NULL};
	double most = 0;
	for (size_t i = 0; i < r->n_books; i++) {
		double s = r->sum.v[r->book[i].shown].client_s;
		most = s > most ? s : most;
	}
	char *caption = r->sum.legend ? xasprintf("Notebooks, by %s", r->sum.legend) : xstrdup("Notebooks");
	put_table(b, "live books", caption, columns);
	free(caption);
	for (size_t i = 0; i < r->n_books; i++) {
		const struct book *k = &r->book[i];
		const struct result *v = &r->sum.v[k->shown];
		buf_addf(b, "<tr><th scope=\"row\">");
		put_book_link(b, r, k, 0, NULL);
		buf_addf(b, "</th>");
		put_status(b, v->status);
		buf_addf(b, "<td class=\"n\">%ld/%ld</td>", v->executed, v->total);
		put_number(b, v->client_s, 3);
		put_runs(b, k->n, k->least_s, k->most_s);
		buf_addf(b, "<td class=\"wide\">");
		put_bar(b, r, &v->spent, v->client_s, 0, most);
		buf_addf(b, "</td>");
		put_number(b, v->received_mb, 3);
		buf_addf(b, "</tr>\n");
	}
	end_table(b);
}

/* ---- failures -------------------------------------------------------------------------------- */

static bool
put_screenshot(struct buf *b, const struct report *r, const struct result *v, const struct told *c)
{
	if (!r->screenshots || !is_file_name(c->screenshot) || !is_file_name(v->name))
		return false;
	char *dir = v->repetition > 1 ? xasprintf("%s/%s@%ld", r->screenshots, v->name, v->repetition) : xasprintf("%s/%s", r->screenshots, v->name);
	char *path = xasprintf("%s/%s", dir, c->screenshot);
	struct buf data = {0};
	bool got = put_data(&data, path, "image/png", PICTURE_BYTES);
	if (got) {
		buf_addf(b, "<figure class=\"picture shot\"><img loading=\"lazy\" alt=\"The viewer after cell %ld of ", c->index);
		put_text(b, v->told);
		buf_addf(b, "\" src=\"");
		buf_add(b, data.p, data.n);
		buf_addf(b, "\"><figcaption>After cell %ld.</figcaption></figure>", c->index);
	}
	buf_free(&data);
	free(path);
	free(dir);
	return got;
}

static const struct told *
cell_of(const struct report *r, const struct book *k, size_t result, long index)
{
	for (size_t i = k->told_first; i < k->told_first + k->told_n; i++)
		if (r->told[i].result == result && r->told[i].index == index)
			return &r->told[i];
	return NULL;
}

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool
fails_alike(const struct result *a, const struct result *b)
{
	return summary_failed(a) && summary_failed(b) && a->failed_cell == b->failed_cell && same_text(a->status, b->status) && same_text(a->why, b->why);
}

static void
put_failure(struct buf *b, const struct report *r, const struct book *k, size_t run, size_t *pictures)
{
	size_t result = k->runs[run], alike = 0;
	const struct result *v = &r->sum.v[result];
	const struct told *c = v->failed_cell ? cell_of(r, k, result, v->failed_cell) : NULL;
	for (size_t i = 0; i < k->n; i++)
		alike += fails_alike(v, &r->sum.v[k->runs[i]]);
	buf_addf(b, "<li><h3>");
	put_book_link(b, r, k, v->failed_cell, v->told ? v->told : v->name);
	buf_addf(b, ": <span class=\"bad\">");
	put_text(b, v->status);
	buf_addf(b, "</span>");
	if (v->failed_cell)
		buf_addf(b, " in cell %ld", v->failed_cell);
	if (k->n > 1)
		buf_addf(b, ", in %zu of %zu runs", alike, k->n);
	buf_addf(b, "</h3>");
	if (c && c->line && *c->line) {
		buf_addf(b, "<p><code>");
		put_text(b, c->line);
		buf_addf(b, "</code></p>");
	}
	if (v->why) {
		buf_addf(b, "<pre>");
		put_cut(b, v->why, ERROR_BYTES);
		buf_addf(b, "</pre>");
	}
	if (c && *pictures < MOST_PICTURES)
		*pictures += put_screenshot(b, r, v, c);
	buf_addf(b, "</li>\n");
}

/* Each of a notebook's ways to fail once. */
static void
put_book_failures(struct buf *b, const struct report *r, const struct book *k, size_t *n, size_t *pictures)
{
	for (size_t i = 0; i < k->n; i++) {
		bool told = !summary_failed(&r->sum.v[k->runs[i]]);
		for (size_t m = 0; m < i && !told; m++)
			told = fails_alike(&r->sum.v[k->runs[m]], &r->sum.v[k->runs[i]]);
		if (told || ++*n > MOST_FAILURES)
			continue;
		buf_addf(b, *n == 1 ? "<ul class=\"failures\">\n" : "");
		put_failure(b, r, k, i, pictures);
	}
}

void
put_failures(struct buf *b, const struct report *r)
{
	size_t pictures = 0, n = 0;
	for (size_t i = 0; i < r->n_books; i++)
		if (r->now != A_PAGE || i == r->book_now)
			put_book_failures(b, r, &r->book[i], &n, &pictures);
	if (n)
		buf_addf(b, "</ul>\n");
	else
		buf_addf(b, r->now == A_PAGE ? "<p>It completed.</p>\n" : r->sum.n ? "<p>Every notebook that was run completed.</p>\n" : "<p>Nothing was run.</p>\n");
	if (n > MOST_FAILURES)
		buf_addf(b, "<p>%zu more: the table of notebooks has them, and their pages say why.</p>\n", n - MOST_FAILURES);
	if (r->sum.skipped && r->now != A_PAGE)
		buf_addf(b, "<p>%zu skipped: beyond this machine. The table of notebooks says which.</p>\n", r->sum.skipped);
}
