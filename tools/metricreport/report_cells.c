/* report_cells.c: tables of cells and notebooks, in HTML and as data for the page's script,
 * which shows long tables a hundred rows at a time; failures. */
#include "base/nbscope.h"
#include "base/die.h"
#include "base/num.h"
#include "html.h"
#include "report_cells.h"
#include "report_picture.h"
#include "report_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows after SHOWN_AT_ONCE are in the HTML only for browsers without JavaScript. */
enum { SHOWN_AT_ONCE = 100, MAX_FAILURES = 50, FAILURES_BYTES = 20 << 20,
    ERROR_BYTES = 4000 };

static json_t *
rounded_or_null(double x, int decimals)
{
	return isfinite(x) ? json_real(num_round(x, decimals)) : json_null();
}

static const char *
status_class(enum cell_status status)
{
	static const char *const classes[] = {[CELL_PASSED] = "status good",
		[CELL_AT_FAULT] = "status bad", [CELL_BROKEN] = "status bad",
		[CELL_LEFT_OUT] = "status"};
	return classes[cell_status_outcome(status)];
}

static void
put_status(struct buf *b, enum cell_status status)
{
	buf_addf(b, "<td class=\"%s\">", status_class(status));
	html_text(b, cell_status_shown(status));
	buf_addf(b, "</td>");
}

/* "5: 1.10 to 1.42", or the number of runs if none has a time. */
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

/* ---- cells -------------------------------------------------------------------------- */

/* A table of cells: `first` and what all have in common, the most important first, since a narrow
 * window shows only these; then `last`. */
static void
start_cells(struct buf *b, const struct report *r, const char *class, const char *caption,
    const char *const *first, const char *const *last)
{
	static const char *const with_heading[] = {"first line", "heading", "status", "#runs",
		NULL}, *const without[] = {"first line", "status", "#runs", NULL};
	char *memory = html_metric_column(M_kernel_peak_rss_bytes, "MB");
	char *received = html_metric_column(M_client_total_data_received_metric, "MB");
	const char *const end[] = {memory, received, NULL};
	const char *const *const lists[] =
	    {first, r->by_heading ? with_heading : without, NULL, end, last};
	const char *columns[32], **to = columns;
	char phases[N_PHASES][32];
	for (size_t i = 0; i < COUNT(lists); i++) {
		for (enum phase k = 0; k < N_PHASES && !lists[i]; k++)
			if (phase_is_shown(k, r->apart)) {
				snprintf(phases[k], sizeof phases[k], "#%s, s", phase_defs[k].name);
				*to++ = phases[k];
			}
		for (const char *const *name = lists[i]; name && *name; name++)
			*to++ = *name;
	}
	*to = NULL;
	html_table(b, class, caption, columns);
	free(memory);
	free(received);
}

static const char *const no_columns[] = {NULL};

static void
put_phases(struct buf *b, const struct report *r, const struct report_cell *c)
{
	for (enum phase k = 0; k < N_PHASES; k++)
		if (phase_is_shown(k, r->apart))
			html_td_number(b, c->client_s > 0 ? c->spent.s[k] : NAN, 3);
}

/* The columns that all tables of cells have. */
static void
put_measured(struct buf *b, const struct report *r, const struct cell_row *row)
{
	const struct report_cell *c = &r->cells[row->shown];
	report_code_cell(b, r, c);
	if (r->by_heading)
		html_td_text(b, c->heading, "heading");
	put_status(b, c->status);
	put_runs(b, row->n, row->least_s, row->most_s);
	put_phases(b, r, c);
	html_td_number(b, c->peak_bytes / 1e6, 1);
	html_td_number(b, c->received_mb, 3);
}

static void
put_cell_row(struct buf *b, const struct report *r, const struct cell_row *row, bool bar)
{
	const struct report_cell *c = &r->cells[row->shown];
	const struct book *k = &r->book[row->book];
	char *anchor = html_anchor(k->name, c->index);
	buf_addf(b, "<tr id=\"%s\"><th scope=\"row\">", anchor);
	report_book_link(b, r, k, c->index, NULL);
	buf_addf(b, "</th><td class=\"n\"><a href=\"#%s\">%ld</a></td>", anchor, c->index);
	html_td_number(b, c->client_s, 3);
	if (bar) {
		/* As shares: on a common scale, those of fast cells would not be visible. */
		buf_addf(b, "<td class=\"wide\">");
		report_bar(b, r, &c->spent, c->client_s, 0, phase_sum_s(&c->spent, r->apart));
		buf_addf(b, "</td>");
	}
	put_measured(b, r, row);
	buf_addf(b, "</tr>\n");
	free(anchor);
}

/* Without bars: a page with thousands of them is slow. */
static void
put_rows_without_script(struct buf *b, const struct report *r, const size_t *at, size_t n)
{
	char *client = html_metric_column(summary_time(&r->sum), "s");
	const char *const first[] = {"notebook", "#cell", client, NULL};
	buf_addf(b, "<noscript>\n");
	start_cells(b, r, "plain", "The other cells", first, no_columns);
	free(client);
	for (size_t i = 0; i < n; i++)
		put_cell_row(b, r, &r->row[at[i]], false);
	html_table_end(b);
	buf_addf(b, "</noscript>\n");
}

void
report_cells(struct buf *b, const struct report *r)
{
	size_t *at = report_by_time(r), n = r->n_rows < SHOWN_AT_ONCE ? r->n_rows : SHOWN_AT_ONCE;
	if (!n) {
		buf_addf(b, "<p>No cells.</p>\n");
	} else {
		char *client = html_metric_column(summary_time(&r->sum), "s");
		const char *const first[] = {"notebook", "#cell", client, "phases", NULL};
		start_cells(b, r, "live cells",
		    "All cells, slowest first; bars show the share of each phase", first,
		    no_columns);
		free(client);
		for (size_t i = 0; i < n; i++)
			put_cell_row(b, r, &r->row[at[i]], true);
		html_table_end(b);
		if (r->n_rows > n)
			put_rows_without_script(b, r, at + n, r->n_rows - n);
	}
	free(at);
}

/* Its place among the headings, each of which is written once. */
static json_t *
heading_index(json_t *headings, const char *heading)
{
	size_t i, n = json_array_size(headings);
	for (i = 0; i < n; i++)
		if (strcmp(json_string_value(json_array_get(headings, i)), heading) == 0)
			break;
	if (i == n)
		json_array_append_new(headings, json_string(heading));
	return json_integer((json_int_t)i);
}

/* The data from which the script builds rows: values in the order of the columns. */
void
report_data(struct buf *b, const struct report *r)
{
	json_t *books = json_array(), *cells = json_array(), *phases = json_array(),
	    *headings = json_array();
	size_t *at = report_by_time(r);
	for (size_t i = 0; i < r->n_books; i++) {
		char *shown = report_book_name(r, &r->book[i]), *anchor =
		    html_anchor(r->book[i].name, 0);
		anchor[strlen(anchor) - 1] = '\0';	/* "c-NAME/" */
		json_array_append_new(books,
		    json_pack("[s, s, b]", shown, anchor, html_is_file_name(r->book[i].name)));
		free(anchor);
		free(shown);
	}
	/* For a short table the script reads the rows of the HTML. */
	for (size_t i = 0; i < r->n_rows && r->n_rows > SHOWN_AT_ONCE; i++) {
		const struct cell_row *row = &r->row[at[i]];
		const struct report_cell *c = &r->cells[row->shown];
		json_t *v = json_pack("[i, I, s, s, s]", (int)row->book, (json_int_t)c->index,
		    c->line ? c->line : "", cell_status_shown(c->status),
		    status_class(c->status)), *times = json_array();
		json_array_append_new(v, rounded_or_null(c->client_s, 3));
		json_array_append_new(v, json_integer((json_int_t)row->n));
		json_array_append_new(v, rounded_or_null(c->peak_bytes / 1e6, 1));
		json_array_append_new(v, rounded_or_null(c->received_mb, 3));
		json_array_append_new(v, rounded_or_null(row->least_s, 3));
		json_array_append_new(v, rounded_or_null(row->most_s, 3));
		for (enum phase k = 0; k < N_PHASES; k++)
			if (phase_is_shown(k, r->apart))
				json_array_append_new(times, rounded_or_null(c->client_s > 0
				    ? c->spent.s[k] : NAN, 3));
		json_array_append_new(v, times);
		if (r->by_heading)
			json_array_append_new(v, heading_index(headings, c->heading ? c->heading :
			    ""));
		json_array_append_new(cells, v);
	}
	for (enum phase k = 0; k < N_PHASES; k++)
		if (phase_is_shown(k, r->apart))
			json_array_append_new(phases, json_string(phase_defs[k].name));
	json_t *data = json_pack("{s:o, s:o, s:o, s:o, s:s?}", "books", books, "cells", cells,
	    "phases", phases, "headings", headings, "pages", r->pages);
	html_script_json(b, data);
	json_decref(data);
	free(at);
}

/* For a notebook's page, with columns that the report's table has no space for. */
void
report_notebook_cells(struct buf *b, const struct report *r)
{
	const struct book *k = &r->book[r->book_now];
	char *client = html_metric_column(summary_time(&r->sum), "s");
	const char *const first[] = {"#cell", client, NULL};
	char *script = html_metric_column(M_script_s, "ms");
	char *speed = html_metric_column(M_speed_index_s, "s");
	bool filmed = k->film != NO_FILM;
	const char *const last[] = {speed, script, "diagnosis", NULL};
	start_cells(b, r, "live", "Cells of this notebook", first, filmed ? last : last + 1);
	free(client);
	free(script);
	free(speed);
	for (size_t i = 0; i < k->rows; i++) {
		const struct cell_row *row = &r->row[k->first + i];
		const struct report_cell *c = &r->cells[row->shown];
		char *anchor = html_anchor(k->name, c->index);
		buf_addf(b, "<tr id=\"%s\"><th scope=\"row\" class=\"n\"><a "
		    "href=\"#%s\">%ld</a></th>", anchor, anchor, c->index);
		html_td_number(b, c->client_s, 3);
		put_measured(b, r, row);
		const struct report_cell *film = filmed
		    ? report_cell_of(r, k, k->film, c->index) : NULL;
		if (filmed)
			html_td_number(b, film ? film->speed_index_s : NAN, 3);
		html_td_number(b, c->script_s * 1e3, 1);
		html_td_text(b, c->diagnosis, "why");
		buf_addf(b, "</tr>\n");
		free(anchor);
	}
	html_table_end(b);
}

/* ---- notebooks ---------------------------------------------------------------------- */

void
report_notebooks(struct buf *b, const struct report *r)
{
	char *received = html_metric_column(M_client_total_data_received_metric, "MB");
	char *client = html_metric_column(summary_time(&r->sum), "s");
	const char *const columns[] =
	    {"notebook", "status", "#cells", client, "#runs", "phases", received, NULL};
	double most = 0;
	for (size_t i = 0; i < r->n_books; i++) {
		double s = r->sum.v[r->book[i].shown].client_s;
		most = s > most ? s : most;
	}
	char *caption = r->sum.legend ? xasprintf("Notebooks, by %s", r->sum.legend)
	    : xstrdup("Notebooks");
	html_table(b, "live books", caption, columns);
	free(received);
	free(client);
	free(caption);
	for (size_t i = 0; i < r->n_books; i++) {
		const struct book *k = &r->book[i];
		const struct run_summary *v = &r->sum.v[k->shown];
		buf_addf(b, "<tr><th scope=\"row\">");
		report_book_link(b, r, k, 0, NULL);
		buf_addf(b, "</th>");
		put_status(b, v->ended);
		char *cells = summary_cells_text(v);
		html_td_text(b, cells, "n");
		free(cells);
		html_td_number(b, v->client_s, 3);
		put_runs(b, k->n, k->least_s, k->most_s);
		buf_addf(b, "<td class=\"wide\">");
		report_bar(b, r, &v->spent, v->client_s, 0, most);
		buf_addf(b, "</td>");
		html_td_number(b, v->received_mb, 3);
		buf_addf(b, "</tr>\n");
	}
	html_table_end(b);
}

/* ---- failures ----------------------------------------------------------------------- */

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool
fails_alike(const struct run_summary *a, const struct run_summary *b)
{
	return summary_failed(a) && summary_failed(b) && a->failed_cell == b->failed_cell &&
	    same_text(a->status, b->status) && same_text(a->why, b->why);
}

static void
put_failure(struct buf *b, const struct report *r, const struct book *k, size_t run,
    struct picture_budget *pictures)
{
	size_t result = k->runs[run], alike = 0;
	const struct run_summary *v = &r->sum.v[result];
	const struct report_cell *c = v->failed_cell
	    ? report_cell_of(r, k, result, v->failed_cell) : NULL;
	for (size_t i = 0; i < k->n; i++)
		alike += fails_alike(v, &r->sum.v[k->runs[i]]);
	buf_addf(b, "<li><h3>");
	report_book_link(b, r, k, v->failed_cell, v->full_name ? v->full_name : v->name);
	buf_addf(b, ": <span class=\"bad\">");
	html_text(b, v->status);
	buf_addf(b, "</span>");
	if (v->failed_cell)
		buf_addf(b, " in cell %ld", v->failed_cell);
	if (k->n > 1)
		buf_addf(b, ", in %zu of %zu runs", alike, k->n);
	buf_addf(b, "</h3>");
	if (c && c->line && *c->line) {
		buf_addf(b, "<p><code>");
		html_text(b, c->line);
		buf_addf(b, "</code></p>");
	}
	if (v->why) {
		buf_addf(b, "<pre>");
		html_text_cut(b, v->why, ERROR_BYTES);
		buf_addf(b, "</pre>");
	}
	if (c && c->screenshot) {
		char *about = xasprintf("The output after cell %ld of %s", c->index, v->full_name);
		report_picture_whole(b, r, v, c->screenshot, about, pictures);
		free(about);
	}
	buf_addf(b, "</li>\n");
}

/* Each distinct failure of a notebook once. */
static void
put_book_failures(struct buf *b, const struct report *r, const struct book *k, size_t *n,
    struct picture_budget *pictures)
{
	for (size_t i = 0; i < k->n; i++) {
		bool shown = !summary_failed(&r->sum.v[k->runs[i]]);
		for (size_t m = 0; m < i && !shown; m++)
			shown = fails_alike(&r->sum.v[k->runs[m]], &r->sum.v[k->runs[i]]);
		if (shown || ++*n > MAX_FAILURES)
			continue;
		buf_addf(b, *n == 1 ? "<ul class=\"failures\">\n" : "");
		put_failure(b, r, k, i, pictures);
	}
}

void
report_failures(struct buf *b, const struct report *r)
{
	struct picture_budget pictures = {FAILURES_BYTES};
	size_t n = 0;
	for (size_t i = 0; i < r->n_books; i++)
		if (r->now != REPORT_PAGE || i == r->book_now)
			put_book_failures(b, r, &r->book[i], &n, &pictures);
	if (n)
		buf_addf(b, "</ul>\n");
	else
		html_empty(b, r->now == REPORT_PAGE ? "None." : !r->sum.n ? "No runs."
		    : r->sum.skipped ? "None." : "None: all notebooks completed.");
	if (n > MAX_FAILURES)
		buf_addf(b, "<p>%zu more: see the table of notebooks and their pages.</p>\n",
		    n - MAX_FAILURES);
	if (r->sum.skipped && r->now != REPORT_PAGE)
		buf_addf(b, "<p>%zu skipped, since they require more memory than this machine has: "
		    "see the table of notebooks.</p>\n", r->sum.skipped);
}
