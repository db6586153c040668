/* compare_test.c: labels against a base, cell by cell, and the verdict. */
#include "compare_test.h"

#include "base/die.h"
#include "base/opt.h"
#include "compare_env.h"
#include "compare_verdict.h"
#include "stats/sample.h"

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
		bool gate = i < s->gate.n;
		/* A cell that is not profiled has no value on either side. */
		if (!of_x->n || !of_y->n) {
			if (of_x->n != of_y->n && gate && !total)
				note_one_sided(cmp, row, x, y);
			continue;
		}
		cmp->row[cmp->n] = row;
		cmp->test[cmp->n++] = (struct test){.x = of_x->v, .y = of_y->v, .m = of_x->n,
		    .n = of_y->n, .floor = floor_of(column, s), .gate = gate,
		    .is_total = total, .more_is_better = metric_more_is_better(column)};
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
		if (!cmp->test[i].is_total)
			cmp->test[i].total = total[place_of(cmp, &cmp->row[i])];
	free(total);
}

/* The geometric mean of the ratios of all cells with positive medians. */
static void
append_mean(struct comparison *cmp, size_t metric, size_t label)
{
	double logs = 0;
	size_t k = 0;
	for (size_t i = 0; i < cmp->n; i++) {
		const struct test *t = &cmp->test[i];
		if (cmp->row[i].metric != metric || cmp->row[i].label != label || t->is_total ||
		    !(t->x_median > 0 && t->y_median > 0))
			continue;
		logs += log(t->y_median / t->x_median);
		k++;
	}
	if (!k)
		return;
	cmp->mean = xgrow(cmp->mean, cmp->means, sizeof *cmp->mean);
	cmp->mean[cmp->means++] = (struct compare_mean){metric, label, k, exp(logs / (double)k)};
}

static void
sort_values(struct results *m)
{
	for (size_t i = 0; i < m->cells; i++)
		for (size_t l = 0; l < m->cell[i].labels; l++)
			for (size_t k = 0; k < m->metrics; k++) {
				struct result_values *v = &m->cell[i].label[l].metric[k];
				v->n = sample_sort(v->v, v->n);
			}
}

/* A metric of the gate that no cell has: usually its name is mistyped. */
static void
find_missing_metric(struct comparison *cmp, const struct compare_settings *s)
{
	const struct results *m = cmp->m;
	for (size_t k = 0; k < s->gate.n && !cmp->missing_metric; k++) {
		size_t values = 0;
		for (size_t i = 0; i < m->cells; i++)
			for (size_t l = 0; l < m->cell[i].labels; l++)
				values += m->cell[i].label[l].metric[k].n;
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
	sort_values(m);
	for (size_t l = 0; l < m->labels; l++)
		compare_env_mixed(cmp, l, s);
	for (size_t l = 0; l < m->labels; l++) {
		if (l == base)
			continue;
		compare_env(cmp, l, s);
		cmp->interleave[cmp->interleaves++] = interleave_of(m, base, l);
		for (size_t i = 0; i < m->cells; i++) {
			compare_failures(cmp, &m->cell[i], l);
			append_tests(cmp, &m->cell[i], l, s);
		}
	}
	find_totals(cmp);
	cmp->totals = two_samples_compare(cmp->test, cmp->n, &s->test);
	for (size_t l = 0; l < m->labels; l++)
		for (size_t i = 0; l != base && i < m->metrics; i++)
			append_mean(cmp, i, l);
	find_missing_metric(cmp, s);
	compare_find_verdict(cmp, s);
}
