/* report_model.c: a label's metrics, as cells and notebooks over their repetitions.
 * The repetitions of a cell are one row, which shows the run with the median time: its
 * phases add up to a time that was measured. */
#include "base/nbscope.h"
#include "base/die.h"
#include "metric/repeated.h"
#include "report_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows over repetitions ---------------------------------------------------------- */

static const struct report *sorted;	/* for qsort */

static int
compare_cells(const void *a, const void *b)
{
	const struct report_cell *x = a, *y = b;
	const struct run_summary *p = &sorted->sum.v[x->result], *q = &sorted->sum.v[y->result];
	int names = x->result == y->result ? 0 : strcmp(p->name, q->name);
	if (names)
		return names;
	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	/* By time, for the median; runs without a time last. */
	bool m = isfinite(x->client_s), n = isfinite(y->client_s);
	if (m != n)
		return m ? -1 : 1;
	if (m && x->client_s != y->client_s)
		return x->client_s < y->client_s ? -1 : 1;
	return x->result < y->result ? -1 : x->result > y->result;
}

static struct cell_row
make_row(const struct report *r, size_t from, size_t to)
{
	struct cell_row row = {.least_s = NAN, .most_s = NAN};
	for (size_t i = from; i < to; i++)
		row.n += isfinite(r->cells[i].client_s) ? 1 : 0;
	row.shown = from + (row.n ? (row.n - 1) / 2 : 0);
	if (row.n) {
		row.least_s = r->cells[from].client_s;
		row.most_s = r->cells[from + row.n - 1].client_s;
	}
	for (size_t i = to; i-- > from;)
		if (cell_status_is_bad(r->cells[i].status)) {
			row.shown = i;
			row.failed = true;
		}
	return row;
}

static void
make_rows(struct report *r)
{
	sorted = r;
	if (r->n_cells)
		qsort(r->cells, r->n_cells, sizeof *r->cells, compare_cells);
	r->row = xmalloc((r->n_cells + 1) * sizeof *r->row);
	for (size_t i = 0, k; i < r->n_cells; i = k) {
		for (k = i + 1; k < r->n_cells && r->cells[k].index == r->cells[i].index &&
		    strcmp(r->sum.v[r->cells[k].result].name,
		        r->sum.v[r->cells[i].result].name) == 0; k++)
			;
		r->row[r->n_rows++] = make_row(r, i, k);
	}
}

static int
compare_names(const void *a, const void *b)
{
	size_t p = *(const size_t *)a, q = *(const size_t *)b;
	int order = strcmp(sorted->sum.v[p].name, sorted->sum.v[q].name);
	return order ? order : p < q ? -1 : p > q;
}

static void
make_books(struct report *r)
{
	size_t *at = xmalloc((r->sum.n + 1) * sizeof *at), row = 0, told = 0;
	    /* the books refer to it */
	for (size_t i = 0; i < r->sum.n; i++)
		at[i] = i;
	sorted = r;
	qsort(at, r->sum.n, sizeof *at, compare_names);
	r->book = xmalloc((r->sum.n + 1) * sizeof *r->book);
	for (size_t i = 0, k; i < r->sum.n; i = k) {
		for (k = i + 1; k < r->sum.n &&
		    strcmp(r->sum.v[at[k]].name, r->sum.v[at[i]].name) == 0; k++)
			;
		struct book *b = &r->book[r->n_books];
		struct repeated runs = repeated_of(&r->sum, at + i, k - i);
		*b = (struct book){.name = r->sum.v[runs.shown].name, .runs = runs.runs,
		    .n = runs.n, .shown = runs.shown, .failed = runs.failed,
		    .skipped = runs.skipped, .least_s = runs.least_s, .most_s = runs.most_s};
		b->film = r->sum.v[at[k - 1]].filmed ? at[k - 1] : NO_FILM;
		r->repeated = r->repeated || runs.n > 1;
		r->most_runs = runs.n > r->most_runs ? runs.n : r->most_runs;
		/* Rows are sorted by the same names. */
		for (b->first = row; row < r->n_rows &&
		    strcmp(report_row_result(r, &r->row[row])->name, b->name) == 0; row++)
			r->row[row].book = r->n_books;
		b->rows = row - b->first;
		for (b->cell_first = told; told < r->n_cells &&
		    strcmp(r->sum.v[r->cells[told].result].name, b->name) == 0; told++)
			;
		b->cell_n = told - b->cell_first;
		r->n_books++;
	}
}

static bool
same_heading(const struct report_cell *a, const struct report_cell *b)
{
	return a->heading == b->heading ||
	    (a->heading && b->heading && strcmp(a->heading, b->heading) == 0);
}

void
report_finish(struct report *r)
{
	summary_finish(&r->sum);
	for (size_t i = 1; i < r->n_cells && !r->by_heading; i++)
		r->by_heading = !same_heading(&r->cells[0], &r->cells[i]);
	r->apart = true;
	for (size_t i = 0; i < r->n_cells; i++) {
		struct report_cell *c = &r->cells[i];
		if (c->kernel_only && !r->sum.kernel_only)
			c->client_s = NAN;
		if (c->client_s > 0 && !phase_is_separable(&c->spent))
			r->apart = false;
	}
	make_rows(r);
	make_books(r);
}

const struct run_summary *
report_row_result(const struct report *r, const struct cell_row *row)
{
	return &r->sum.v[r->cells[row->shown].result];
}

const struct report_cell *
report_cell_of(const struct report *r, const struct book *k, size_t result, long index)
{
	for (size_t i = k->cell_first; i < k->cell_first + k->cell_n; i++)
		if (r->cells[i].result == result && r->cells[i].index == index)
			return &r->cells[i];
	return NULL;
}

char *
report_book_name(const struct report *r, const struct book *k)
{
	const struct run_summary *v = &r->sum.v[k->shown];
	if (r->n_books == 1 && r->sum.usecase)
		return xstrdup(r->sum.usecase);
	char *text = xstrdup(v->shown ? v->shown : v->name), *at = strrchr(text, ' ');
	if (v->repetition > 1 && at && at[1] == '@')
		*at = '\0';
	return text;
}

static int
compare_times(const void *a, const void *b)
{
	size_t i = *(const size_t *)a, k = *(const size_t *)b;
	double x = sorted->cells[sorted->row[i].shown].client_s, y =
	    sorted->cells[sorted->row[k].shown].client_s;
	x = isfinite(x) ? x : -1;
	y = isfinite(y) ? y : -1;
	return x > y ? -1 : x < y ? 1 : i < k ? -1 : i > k;
}

size_t *
report_by_time(const struct report *r)
{
	size_t *at = xmalloc((r->n_rows + 1) * sizeof *at);
	for (size_t i = 0; i < r->n_rows; i++)
		at[i] = i;
	sorted = r;
	qsort(at, r->n_rows, sizeof *at, compare_times);
	return at;
}
