/* report.c: a label's metrics, as cells and notebooks over their repetitions.
 * The repetitions of a cell are one row, which shows the run nearest to the median time: its
 * phases add up to a time that was measured. */
#include "report.h"
#include "base/die.h"
#include "base/nbscope.h"
#include "metric/repeated.h"

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
	/* Runs of a cell are sorted by time, for the median; those without a time are last. */
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
	struct cell_row row = {.least_s = NAN, .median_s = NAN, .most_s = NAN};
	const struct report_cell *c = &r->cells[from];
	while (from + row.n < to && isfinite(c[row.n].client_s))
		row.n++;
	row.shown = from + (row.n ? (row.n - 1) / 2 : 0);
	if (row.n) {
		row.least_s = c[0].client_s;
		row.median_s = (c[(row.n - 1) / 2].client_s + c[row.n / 2].client_s) / 2;
		row.most_s = c[row.n - 1].client_s;
	}
	for (size_t i = to; i-- > from; )
		if (cell_status_is_bad(r->cells[i].status))
			row.shown = i;
	return row;
}

static const char *
name_of_cell(const struct report *r, size_t cell)
{
	return r->sum.v[r->cells[cell].result].name;
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
		    strcmp(name_of_cell(r, k), name_of_cell(r, i)) == 0; k++)
			;
		r->row[r->n_rows++] = make_row(r, i, k);
	}
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

static size_t *
sorted_numbers(const struct report *r, size_t n, int (*compare)(const void *, const void *))
{
	size_t *at = xmalloc((n + 1) * sizeof *at);
	for (size_t i = 0; i < n; i++)
		at[i] = i;
	sorted = r;
	qsort(at, n, sizeof *at, compare);
	return at;
}

/* ---- notebooks ---------------------------------------------------------------------- */

static int
compare_names(const void *a, const void *b)
{
	size_t p = *(const size_t *)a, q = *(const size_t *)b;
	int order = strcmp(sorted->sum.v[p].name, sorted->sum.v[q].name);
	return order ? order : p < q ? -1 : p > q;
}

/* Its rows and cells follow those of the notebook before: they are sorted by the same names. */
static void
add_notebook(struct report *r, const struct repeated *runs, size_t film)
{
	const struct report_notebook *before = r->n_notebooks
	    ? &r->notebook[r->n_notebooks - 1] : NULL;
	struct report_notebook k = {.name = r->sum.v[runs->shown].name, .runs = runs->runs,
	    .n = runs->n, .shown = runs->shown, .failed = runs->failed,
	    .skipped = runs->skipped, .least_s = runs->least_s, .most_s = runs->most_s,
	    .median_s = runs->median_s, .film = film,
	    .first = before ? before->first + before->rows : 0,
	    .cell_first = before ? before->cell_first + before->cell_n : 0};
	r->most_runs = runs->n > r->most_runs ? runs->n : r->most_runs;
	for (size_t i; (i = k.first + k.rows) < r->n_rows &&
	    strcmp(name_of_cell(r, r->row[i].shown), k.name) == 0; k.rows++)
		r->row[i].notebook = r->n_notebooks;
	while (k.cell_first + k.cell_n < r->n_cells &&
	    strcmp(name_of_cell(r, k.cell_first + k.cell_n), k.name) == 0)
		k.cell_n++;
	r->notebook[r->n_notebooks++] = k;
}

static void
make_notebooks(struct report *r)
{
	/* The notebooks refer to it. */
	size_t *at = sorted_numbers(r, r->sum.n, compare_names);
	r->notebook = xmalloc((r->sum.n + 1) * sizeof *r->notebook);
	for (size_t i = 0, k; i < r->sum.n; i = k) {
		for (k = i + 1; k < r->sum.n &&
		    strcmp(r->sum.v[at[k]].name, r->sum.v[at[i]].name) == 0; k++)
			;
		struct repeated runs = repeated_of(&r->sum, at + i, k - i);
		add_notebook(r, &runs, r->sum.v[at[k - 1]].filmed ? at[k - 1] : NO_FILM);
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
	r->phases_separable = true;
	for (size_t i = 0; i < r->n_cells; i++) {
		struct report_cell *c = &r->cells[i];
		r->by_heading |= !same_heading(&r->cells[0], c);
		if (c->kernel_only && !r->sum.kernel_only)
			c->client_s = NAN;
		if (c->client_s > 0 && !phase_is_separable(&c->spent))
			r->phases_separable = false;
	}
	make_rows(r);
	r->slowest = sorted_numbers(r, r->n_rows, compare_times);
	make_notebooks(r);
}

const struct report_cell *
report_cell_of(const struct report *r, const struct report_notebook *k, size_t result, long index)
{
	for (size_t i = k->cell_first; i < k->cell_first + k->cell_n; i++)
		if (r->cells[i].result == result && r->cells[i].index == index)
			return &r->cells[i];
	return NULL;
}

char *
report_notebook_name(const struct report *r, const struct report_notebook *k)
{
	const struct run_summary *v = &r->sum.v[k->shown];
	if (r->n_notebooks == 1 && r->sum.usecase)
		return xstrdup(r->sum.usecase);
	char *text = xstrdup(v->shown ? v->shown : v->name), *at = strrchr(text, ' ');
	if (v->repetition > 1 && at && at[1] == '@')
		*at = '\0';
	return text;
}
