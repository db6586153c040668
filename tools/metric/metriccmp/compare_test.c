/* compare_test.c: labels against a base, cell by cell, and the verdict. */
#include "compare_test.h"

#include "base/die.h"
#include "base/opt.h"
#include "compare_env.h"
#include "compare_verdict.h"
#include "metric/catalogue.h"
#include "stats/sample.h"

/* Of fewer pairs not even the same sign of all is certain. */
enum { MIN_PAIRS = 6, MAX_PAIRS = 100000 };
/* Of a pair in whose runs the cell waited for processors of others, whatever it measured. */
static const double DISTURBED_WEIGHT = 0.5;

/* Whether it is a notebook whose cells are known too. */
static bool
is_total(const struct comparison *cmp, const struct result_cell *c)
{
	return c->index == 0 && cmp->has_cells[c->notebook];
}

/* ---- failures ---------------------------------------------------------------------- */

static void
compare_failures(struct comparison *cmp, const struct result_cell *c, size_t label)
{
	const struct cell_results *x = results_of(c, cmp->base), *y = results_of(c, label);
	/* A notebook fails with one of its cells. */
	if (!x || !y || (!x->failed && !y->failed) || is_total(cmp, c))
		return;
	struct compare_failure f = {c, label, x->failed, x->runs, y->failed, y->runs, UNKNOWN};
	if (!x->failed && y->failed == y->runs)
		f.result = WORSE;
	else if (!y->failed)
		f.result = BETTER;
	cmp->failure = xgrow(cmp->failure, cmp->failures, sizeof *cmp->failure);
	cmp->failure[cmp->failures++] = f;
}

/* ---- tests ------------------------------------------------------------------------- */

static double
floor_of(const char *column, const struct compare_settings *s)
{
	const char *text = xmetric_setting(&s->floors, column, "--floor");
	return text ? xopt_real(text, 0, 1e15, "--floor") : metric_floor(column);
}

/* Counts a test where one side has no value of the metric, although the cell completed there. */
static void
note_one_sided(struct comparison *cmp, struct compare_row row, const struct cell_results *x,
    const struct cell_results *y)
{
	const struct cell_results *without = x->metric[row.metric].n ? y : x;
	if (without->failed == without->runs)
		return;
	if (!cmp->one_sided++)
		cmp->one_sided_first = row;
}

/* ---- pairs ------------------------------------------------------------------------- */

/* The number of pairs: the largest repetition of a completed cell. */
static size_t
count_pairs(const struct comparison *cmp, size_t label)
{
	double most = 0;
	for (size_t i = 0; i < cmp->m->cells; i++) {
		const struct cell_results *of = results_of(&cmp->m->cell[i], label);
		for (size_t k = 0; of && k < of->completions; k++)
			most = fmax(most, of->completed[k].repetition);
	}
	return most < MAX_PAIRS ? (size_t)most : 0;
}

/* The values by repetition; NaN: there is none.  Where a run waited for others, *weight becomes
 * less. */
static double *
values_of_pairs(const struct cell_results *of, size_t metric, size_t pairs, double *weight)
{
	const struct result_values *values = &of->metric[metric];
	double *v = xmalloc((pairs + 1) * sizeof *v);
	for (size_t i = 0; i < pairs; i++)
		v[i] = NAN;
	for (size_t i = 0; i < values->n; i++) {
		const struct completed_run *run = &of->completed[values->completed[i]];
		if (!(run->repetition >= 1 && run->repetition <= (double)pairs))
			continue;
		size_t at = (size_t)run->repetition - 1;
		v[at] = values->v[i];
		if (run->waited)
			weight[at] = DISTURBED_WEIGHT;
	}
	return v;
}

/* Makes the test one of pairs, if each label has all of its runs in pairs. */
static void
set_pairs(const struct comparison *cmp, struct test *t, const struct compare_row *row,
    const struct cell_results *x, const struct cell_results *y)
{
	const struct interleave *order = &cmp->interleave[cmp->interleaves - 1];
	size_t pairs = order->pairs, known = 0, disturbed = 0;
	if (!order->interleaved || pairs < MIN_PAIRS)
		return;
	double *weight = xmalloc(pairs * sizeof *weight);
	for (size_t i = 0; i < pairs; i++)
		weight[i] = 1;
	double *a = values_of_pairs(x, row->metric, pairs, weight);
	double *b = values_of_pairs(y, row->metric, pairs, weight);
	t->in_logs = t->x[0] > 0 && t->y[0] > 0;
	for (size_t i = 0; i < pairs; i++) {
		a[i] = t->in_logs ? log(b[i] / a[i]) : b[i] - a[i];
		known += isnan(a[i]) ? 0 : 1;
		disturbed += weight[i] < 1;
	}
	free(b);
	if (known < MIN_PAIRS) {
		free(a);
		free(weight);
		return;
	}
	t->pair = a;
	/* Equal weights are none. */
	t->weight = disturbed && disturbed < pairs ? weight : NULL;
	t->pairs = pairs;
	t->family = row->label * METRIC_FAMILIES + metric_family(cmp->m->metric[row->metric]);
}

/* The values, sorted. */
static double *
sorted_values(const struct result_values *values)
{
	double *v = xmalloc(values->n * sizeof *v);
	memcpy(v, values->v, values->n * sizeof *v);
	sample_sort(v, values->n);
	return v;
}

static bool
is_counted(const char *column)
{
	enum metric_family family = metric_family(column);
	return family == FAMILY_TRANSFER || family == FAMILY_OTHER;
}

/* ---- tests of one cell --------------------------------------------------------------- */

static void
append_tests(struct comparison *cmp, const struct result_cell *c, size_t label,
    const struct compare_settings *s)
{
	const struct cell_results *x = results_of(c, cmp->base), *y = results_of(c, label);
	bool total = is_total(cmp, c);
	if (!x || !y) {
		cmp->only_base += !total && x && !y;
		cmp->only_label += !total && y && !x;
		return;
	}
	for (size_t i = 0; i < cmp->m->metrics; i++) {
		const char *column = cmp->m->metric[i];
		const struct result_values *of_x = &x->metric[i], *of_y = &y->metric[i];
		struct compare_row row = {c, i, label};
		bool if_busy = i >= s->gate.n && i < s->gate.n + s->if_busy;
		bool gate = i < s->gate.n || (if_busy && cmp->busy);
		if (if_busy && !cmp->busy)
			continue;
		/* A cell that is not profiled has no value on either side. */
		if (!of_x->n || !of_y->n) {
			if (of_x->n != of_y->n && gate && !if_busy && !total)
				note_one_sided(cmp, row, x, y);
			continue;
		}
		struct test t = {.x = sorted_values(of_x), .y = sorted_values(of_y), .m = of_x->n,
		    .n = of_y->n, .floor = floor_of(column, s), .gate = gate,
		    .only_worse = if_busy, .counted = is_counted(column), .is_total = total,
		    .more_is_better = metric_more_is_better(column)};
		set_pairs(cmp, &t, &row, x, y);
		cmp->row[cmp->n] = row;
		cmp->test[cmp->n++] = t;
	}
}

/* Its place in a table of all notebooks, metrics and labels. */
static size_t
place_of(const struct comparison *cmp, const struct compare_row *row)
{
	return (row->cell->notebook * cmp->m->metrics + row->metric) * cmp->m->labels + row->label;
}

/* Links the tests of cells to the test of their notebook. */
static void
find_totals(struct comparison *cmp)
{
	size_t places = cmp->m->notebooks * cmp->m->metrics * cmp->m->labels;
	struct test **total = xmalloc((places + 1) * sizeof *total);
	for (size_t i = 0; i < places; i++)
		total[i] = NULL;
	for (size_t i = 0; i < cmp->n; i++)
		if (cmp->test[i].is_total)
			total[place_of(cmp, &cmp->row[i])] = &cmp->test[i];
	for (size_t i = 0; i < cmp->n; i++)
		if (!cmp->test[i].is_total && !cmp->test[i].pair && !cmp->row[i].cell->interaction)
			cmp->test[i].total = total[place_of(cmp, &cmp->row[i])];
	free(total);
}

/* The geometric mean of the ratios of all cells with positive medians; interactions are no part of
 * it. */
static void
append_mean(struct comparison *cmp, size_t metric, size_t label)
{
	double logs = 0;
	size_t k = 0;
	for (size_t i = 0; i < cmp->n; i++) {
		const struct test *t = &cmp->test[i];
		if (cmp->row[i].metric != metric || cmp->row[i].label != label || t->is_total ||
		    cmp->row[i].cell->interaction || !(t->x_median > 0 && t->y_median > 0))
			continue;
		logs += log(t->y_median / t->x_median);
		k++;
	}
	if (!k)
		return;
	cmp->mean = xgrow(cmp->mean, cmp->means, sizeof *cmp->mean);
	cmp->mean[cmp->means++] = (struct compare_mean){metric, label, k, exp(logs / (double)k)};
}

/* The names that --gate knows besides those of columns. */
static char *
known_names(void)
{
	struct buf b = {0};
	for (size_t i = 0; i < METRICS; i++)
		if (metric_catalogue[i].alias)
			buf_addf(&b, "%s%s", b.n ? ", " : "", metric_catalogue[i].alias);
	return b.p;
}

/* A metric of the gate that no cell has.  One that no record of nbscope has is mistyped. */
static void
find_missing_metric(struct comparison *cmp, const struct compare_settings *s)
{
	const struct results *m = cmp->m;
	for (size_t k = 0; k < s->gate.n && !cmp->missing_metric; k++) {
		size_t values = 0;
		for (size_t i = 0; i < m->cells; i++)
			for (size_t l = 0; l < m->cell[i].labels; l++)
				values += m->cell[i].label[l].metric[k].n;
		if (!values && !metric_is_column(m->metric[k]))
			die(ST_USAGE, "--gate: no cell has a metric '%s'; its names are %s, and "
			    "the columns of nbscope-metrics(7)", m->metric[k], known_names());
		if (!values && !metric_is_known(m->metric[k]))
			cmp->missing_metric = m->metric[k];
	}
}

void
compare_labels(struct comparison *cmp, struct results *m, size_t base,
    const struct compare_settings *s)
{
	cmp->m = m;
	cmp->base = base;
	cmp->has_cells = memset(xmalloc(m->notebooks + 1), 0, m->notebooks + 1);
	for (size_t i = 0; i < m->cells; i++)
		cmp->has_cells[m->cell[i].notebook] |= m->cell[i].index > 0;
	size_t most = m->cells * m->metrics * (m->labels ? m->labels : 1) + 1;
	cmp->busy = contention_matters(&cmp->contention, WAIT_OTHERS);
	cmp->test = xmalloc(most * sizeof *cmp->test);
	cmp->row = xmalloc(most * sizeof *cmp->row);
	cmp->interleave = xmalloc((m->labels + 1) * sizeof *cmp->interleave);
	for (size_t l = 0; l < m->labels; l++)
		compare_env_mixed(cmp, l, s);
	for (size_t l = 0; l < m->labels; l++) {
		if (l == base)
			continue;
		compare_env(cmp, l, s);
		cmp->interleave[cmp->interleaves++] = interleave_of(m, base, l);
		cmp->interleave[cmp->interleaves - 1].pairs = count_pairs(cmp, l);
		for (size_t i = 0; i < m->cells; i++) {
			compare_failures(cmp, &m->cell[i], l);
			append_tests(cmp, &m->cell[i], l, s);
		}
	}
	find_totals(cmp);
	struct test_settings test = s->test;
	for (size_t i = 0; i < cmp->interleaves; i++) {
		test.look = cmp->interleave[i].look;
		test.looks = cmp->interleave[i].looks;
		test.planned = cmp->interleave[i].planned;
	}
	cmp->totals = two_samples_compare(cmp->test, cmp->n, &test);
	for (size_t l = 0; l < m->labels; l++)
		for (size_t i = 0; l != base && i < m->metrics; i++)
			append_mean(cmp, i, l);
	find_missing_metric(cmp, s);
	compare_find_verdict(cmp, s);
}
