/* reporttake.c: records of a label, gathered into cells and notebooks.
 * Repetitions of a cell are one row: the run with the median time stands for all,
 * so that its phases add up to what a person did wait. */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INDEX = 1000000000 };

static void
take_cell(struct report *r, struct scan *s)
{
	if (r->n_told == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 256;
		r->told = xrealloc(r->told, r->cap * sizeof *r->told);
	}
	struct told *c = &r->told[r->n_told++];
	double index = span_number(scan_get(s, "cell_index"));
	*c = (struct told){.result = summary_cell(&r->sum, s), .index = index > 0 && index < MOST_INDEX ? (long)index : 0};
	c->id = span_string(scan_get(s, "cell_id"));
	c->status = span_string(scan_get(s, "execution_status"));
	c->client_s = span_number(scan_get(s, "client_execution_time_metric"));
	c->received_mb = span_number(scan_get(s, "client_total_data_received_metric"));
	double queue = span_number(scan_get(s, "queue_s")), both = span_number(scan_get(s, "transport_s"));
	c->spent.delivery = span_number(scan_get(s, "delivery_s"));
	c->spent.render = span_number(scan_get(s, "render_s"));
	c->peak_bytes = span_number(scan_get(s, "kernel_peak_rss_bytes"));
	double dispatch = span_number(scan_get(s, "dispatch_s"));
	c->spent.kernel = span_number(scan_get(s, "kernel_s"));
	c->spent.wait = dispatch + queue;
	c->spent.wait_delivery = dispatch + both;
	c->bound_s = span_number(scan_get(s, "clock_bound_s"));
	c->script_s = span_number(scan_get(s, "script_s"));
	c->screenshot = span_string(scan_get(s, "screenshot"));
	c->error_name = span_string(scan_get(s, "error_name"));
	c->error_value = span_string(scan_get(s, "error_value"));
	c->reason = span_string(scan_get(s, "reason"));
	c->diagnosis = span_string(scan_get(s, "diagnosis"));
	c->line = span_string(scan_get(s, "source_line"));
	c->t = span_number(scan_get(s, "t"));
}

void
report_start(struct report *r)
{
	*r = (struct report){.notebooks = json_array(), .truth = json_array(), .comparison = json_array(), .compared = json_array(),
		.outliers = json_array(), .scaling = json_array(), .environment = json_array(), .reports = json_array(),
		.stats = json_array(), .check = json_array(), .largest = json_array(), .figures = json_array(), .links = json_array()};
	summary_start(&r->sum, 10, 0);
}

static json_t *
whole(struct scan *s)
{
	json_t *o = json_object();
	for (size_t i = 0; i < s->n; i++) {
		char *key = xasprintf("%.*s", (int)s->m[i].key.n, s->m[i].key.p);
		json_object_set_new(o, key, span_json(s->m[i].value));
		free(key);
	}
	return o;
}

void
report_take(struct report *r, struct scan *s)
{
	const struct { const char *type; json_t *to; } others[] = {{"truth", r->truth}, {"comparison", r->comparison},
		{"comparison_verdict", r->compared}, {"outlier", r->outliers}, {"scaling", r->scaling}, {"environment", r->environment}, {"report", r->reports},
		{"stat", r->stats}, {"summary_check", r->check}, {"largest", r->largest}};
	if (scan_type_is(s, "cell_metrics")) {
		take_cell(r, s);
	} else if (scan_type_is(s, "notebook_metrics")) {
		json_t *o = whole(s);
		json_object_set_new(o, "result", json_integer((json_int_t)summary_notebook(&r->sum, s)));
		json_array_append_new(r->notebooks, o);
	} else {
		for (size_t i = 0; i < COUNT(others); i++)
			if (scan_type_is(s, others[i].type))
				json_array_append_new(others[i].to, whole(s));
	}
}

/* ---- repetitions become one ----------------------------------------------------------- */

static const struct report *sorted;	/* for qsort */

static int
by_cell(const void *a, const void *b)
{
	const struct told *x = a, *y = b;
	const struct result *p = &sorted->sum.v[x->result], *q = &sorted->sum.v[y->result];
	int names = x->result == y->result ? 0 : strcmp(p->name, q->name);
	if (names)
		return names;
	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	/* By time: the one in the middle of those that have one. */
	bool m = isfinite(x->client_s), n = isfinite(y->client_s);
	if (m != n)
		return m ? -1 : 1;
	if (m && x->client_s != y->client_s)
		return x->client_s < y->client_s ? -1 : 1;
	return x->result < y->result ? -1 : x->result > y->result;
}

static bool
has_failed(const char *status)
{
	static const char *const well[] = {"Completed", "Skipped", "Not Run"};
	for (size_t i = 0; i < COUNT(well); i++)
		if (status && strcmp(status, well[i]) == 0)
			return false;
	return true;
}

static struct cell_row
one_row(const struct report *r, size_t from, size_t to)
{
	struct cell_row row = {.least_s = NAN, .most_s = NAN};
	for (size_t i = from; i < to; i++)
		row.n += isfinite(r->told[i].client_s) ? 1 : 0;
	row.shown = from + (row.n ? (row.n - 1) / 2 : 0);
	if (row.n) {
		row.least_s = r->told[from].client_s;
		row.most_s = r->told[from + row.n - 1].client_s;
	}
	for (size_t i = to; i-- > from;)
		if (has_failed(r->told[i].status)) {
			row.shown = i;
			row.failed = true;
		}
	return row;
}

static void
make_rows(struct report *r)
{
	sorted = r;
	if (r->n_told)
		qsort(r->told, r->n_told, sizeof *r->told, by_cell);
	r->row = xmalloc((r->n_told + 1) * sizeof *r->row);
	for (size_t i = 0, k; i < r->n_told; i = k) {
		for (k = i + 1; k < r->n_told && r->told[k].index == r->told[i].index &&
		    strcmp(r->sum.v[r->told[k].result].name, r->sum.v[r->told[i].result].name) == 0; k++)
			;
		r->row[r->n_rows++] = one_row(r, i, k);
	}
}

static int
by_name(const void *a, const void *b)
{
	const struct result *p = &sorted->sum.v[*(const size_t *)a], *q = &sorted->sum.v[*(const size_t *)b];
	int names = strcmp(p->name, q->name);
	if (names)
		return names;
	double x = isfinite(p->client_s) ? p->client_s : INFINITY, y = isfinite(q->client_s) ? q->client_s : INFINITY;
	return x < y ? -1 : x > y ? 1 : p->repetition < q->repetition ? -1 : p->repetition > q->repetition;
}

static struct book
one_book(const struct report *r, const size_t *at, size_t n)
{
	struct book k = {.name = r->sum.v[at[0]].name, .runs = at, .n = n, .least_s = NAN, .most_s = NAN};
	size_t timed = 0;
	for (size_t i = 0; i < n; i++) {
		const struct result *v = &r->sum.v[at[i]];
		timed += isfinite(v->client_s) ? 1 : 0;
		k.failed += summary_failed(v);
		k.skipped += summary_skipped(v);
	}
	k.shown = at[timed ? (timed - 1) / 2 : 0];
	if (timed) {
		k.least_s = r->sum.v[at[0]].client_s;
		k.most_s = r->sum.v[at[timed - 1]].client_s;
	}
	for (size_t i = n; i-- > 0;)
		if (summary_failed(&r->sum.v[at[i]]))
			k.shown = at[i];
	return k;
}

static void
make_books(struct report *r)
{
	size_t *at = xmalloc((r->sum.n + 1) * sizeof *at), row = 0, told = 0;	/* the books keep it */
	for (size_t i = 0; i < r->sum.n; i++)
		at[i] = i;
	sorted = r;
	qsort(at, r->sum.n, sizeof *at, by_name);
	r->book = xmalloc((r->sum.n + 1) * sizeof *r->book);
	for (size_t i = 0, k; i < r->sum.n; i = k) {
		for (k = i + 1; k < r->sum.n && strcmp(r->sum.v[at[k]].name, r->sum.v[at[i]].name) == 0; k++)
			;
		struct book *b = &r->book[r->n_books];
		*b = one_book(r, at + i, k - i);
		r->repeated = r->repeated || k - i > 1;
		/* Rows are in the same order of names. */
		for (b->first = row; row < r->n_rows && strcmp(result_of_row(r, &r->row[row])->name, b->name) == 0; row++)
			r->row[row].book = r->n_books;
		b->rows = row - b->first;
		for (b->told_first = told; told < r->n_told && strcmp(r->sum.v[r->told[told].result].name, b->name) == 0; told++)
			;
		b->told_n = told - b->told_first;
		r->n_books++;
	}
}

void
report_finish(struct report *r)
{
	summary_finish(&r->sum);
	r->apart = true;
	for (size_t i = 0; i < r->n_told; i++) {
		const struct told *c = &r->told[i];
		if (c->client_s > 0 && c->spent.wait_delivery > 0 && !(isfinite(c->spent.wait) && isfinite(c->spent.delivery)))
			r->apart = false;
	}
	make_rows(r);
	make_books(r);
}

const struct result *
result_of_row(const struct report *r, const struct cell_row *row)
{
	return &r->sum.v[r->told[row->shown].result];
}

char *
book_shown(const struct report *r, const struct book *k)
{
	const struct result *v = &r->sum.v[k->shown];
	if (r->n_books == 1 && r->sum.usecase)
		return xstrdup(r->sum.usecase);
	char *text = xstrdup(v->shown ? v->shown : v->name), *at = strrchr(text, ' ');
	if (v->repetition > 1 && at && at[1] == '@')
		*at = '\0';
	return text;
}

static int
slower(const void *a, const void *b)
{
	size_t i = *(const size_t *)a, k = *(const size_t *)b;
	double x = sorted->told[sorted->row[i].shown].client_s, y = sorted->told[sorted->row[k].shown].client_s;
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
	qsort(at, r->n_rows, sizeof *at, slower);
	return at;
}
