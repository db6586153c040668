/* compare_test.c: labels against a base, cell by cell, and the verdict. */
#include "compare_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/die.h"
#include "base/opt.h"
#include "compare_env.h"
#include "metric/metric_text.h"
#include "stats/sample.h"

static const char *
plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* ---- failures ---------------------------------------------------------------------- */

static void
compare_failures(struct comparison *cmp, const struct result_cell *c, size_t label)
{
	const struct cell_results *x = results_of(c, cmp->base), *y = results_of(c, label);
	if (!x || !y || (!x->failed && !y->failed))
		return;
	struct compare_failure f = {c, label, x->failed, x->runs, y->failed, y->runs, UNKNOWN};
	if (!x->failed && y->failed == y->runs)
		f.answer = WORSE;
	else if (!y->failed)
		f.answer = BETTER;
	cmp->failure = xrealloc(cmp->failure, (cmp->failures + 1) * sizeof *cmp->failure);
	cmp->failure[cmp->failures++] = f;
}

/* ---- tests ------------------------------------------------------------------------- */

/* The item NAME or NAME=VALUE of a list with commas between, where NAME is the metric: its VALUE
 * or "".  NULL: there is none. */
static char *
find_item(const char *list, const char *column, const char *option)
{
	char *copy = xstrdup(list), *rest = copy, *found = NULL;
	for (char *item; !found && (item = strsep(&rest, ", "));) {
		char *value = strchr(item, '=');
		if (option && *item && (!value || value == item))
			die(ST_USAGE, "%s must be NAME=VALUE, not '%s'", option, item);
		if (value)
			*value++ = '\0';
		if (*item && strcmp(metric_name(item), column) == 0)
			found = xstrdup(value ? value : "");
	}
	free(copy);
	return found;
}

static double
floor_of(const char *column, const char *floors)
{
	char *text = floors ? find_item(floors, column, "--floor") : NULL;
	double x = text ? xopt_real(text, 0, 1e15, "--floor") : metric_floor(column);
	free(text);
	return x;
}

static bool
in_gate(const char *column, const char *gate)
{
	char *item = gate ? find_item(gate, column, NULL) : NULL;
	free(item);
	return !gate || item;
}

/* Only one side has values of the metric, although the cell completed on the other too. */
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
	if (!x || !y) {
		cmp->only_base += x && !y;
		cmp->only_label += y && !x;
		return;
	}
	for (size_t i = 0; i < cmp->m->metrics; i++) {
		const char *column = cmp->m->metric[i];
		const struct result_values *of_x = &x->metric[i], *of_y = &y->metric[i];
		struct compare_row row = {c, i, label};
		bool gate = in_gate(column, s->gate);
		/* A cell that is not profiled has no value on either side. */
		if (!of_x->n || !of_y->n) {
			if (of_x->n != of_y->n && gate)
				note_one_sided(cmp, row, x, y);
			continue;
		}
		cmp->row[cmp->n] = row;
		cmp->test[cmp->n++] = (struct test){.x = of_x->v, .y = of_y->v, .m = of_x->n,
		    .n = of_y->n, .floor = floor_of(column, s->floors), .gate = gate,
		    .more_is_better = metric_more_is_better(column)};
	}
}

/* The geometric mean of the ratios of all cells with positive medians. */
static void
append_mean(struct comparison *cmp, size_t metric, size_t label)
{
	double logs = 0;
	size_t k = 0;
	for (size_t i = 0; i < cmp->n; i++) {
		const struct test *t = &cmp->test[i];
		if (cmp->row[i].metric != metric || cmp->row[i].label != label ||
		    !(t->x_median > 0 && t->y_median > 0))
			continue;
		logs += log(t->y_median / t->x_median);
		k++;
	}
	if (!k)
		return;
	cmp->mean = xrealloc(cmp->mean, (cmp->means + 1) * sizeof *cmp->mean);
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

/* ---- the verdict ------------------------------------------------------------------- */

/* The flagged test with the largest shift relative to its median. */
static size_t
worst_of(const struct comparison *cmp, enum answer answer)
{
	size_t worst = SIZE_MAX;
	double most = -1;
	for (size_t i = 0; i < cmp->n; i++) {
		const struct test *t = &cmp->test[i];
		double share = fabs(t->shift.shift) / fabs(t->x_median);
		if (t->gate && t->answer == answer && !(share <= most)) {
			worst = i;
			most = share;
		}
	}
	return worst;
}

static void
describe_worse(const struct comparison *cmp, struct buf *b, size_t failing)
{
	size_t at = worst_of(cmp, WORSE), others = cmp->totals.count[WORSE] - (at != SIZE_MAX);
	if (at != SIZE_MAX) {
		const struct test *t = &cmp->test[at];
		const char *column = cmp->m->metric[cmp->row[at].metric];
		char *name = metric_text_cell(cmp->row[at].cell);
		char *before = metric_text_value(t->x_median, column);
		char *after = metric_text_value(t->y_median, column);
		buf_addf(b, "worse: %s of %s ", metric_title(column), name);
		if (fabs(t->x_median) > 0)
			buf_addf(b, "%+.1f %% (%s to %s)", 100 * t->shift.shift / fabs(t->x_median),
			    before, after);
		else
			buf_addf(b, "from %s to %s", before, after);
		if (others)
			buf_addf(b, " and %zu more", others);
		free(name);
		free(before);
		free(after);
	}
	for (size_t i = 0; failing && i < cmp->failures; i++)
		if (cmp->failure[i].answer == WORSE) {
			char *name = metric_text_cell(cmp->failure[i].cell);
			buf_addf(b, "%s%s fails now", at == SIZE_MAX ? "worse: " : "; ", name);
			if (failing > 1)
				buf_addf(b, " and %zu more", failing - 1);
			free(name);
			break;
		}
}

static void
describe_unknown(const struct comparison *cmp, struct buf *b)
{
	const struct test_totals *c = &cmp->totals;
	if (cmp->refused) {
		const struct compare_difference *d = cmp->difference;
		while (d->allowed)
			d++;
		if (d->mixed)
			buf_addf(b, "cannot tell: label '%s' mixes runs with different packages "
			    "(%s, %s)", cmp->m->label[d->label].name, d->base, d->label_value);
		else
			buf_addf(b, "cannot tell: %s differs (%s, %s)", d->what, d->base,
			    d->label_value);
		if (cmp->refused > 1)
			buf_addf(b, " and %zu more", cmp->refused - 1);
		buf_addf(b, "; see --allow");
		return;
	}
	if (!c->family) {
		buf_addf(b, "cannot tell: no cell has a value for both labels");
		return;
	}
	buf_addf(b, "cannot tell: %zu of %zu tests undecided with %zu", c->count[UNKNOWN],
	    c->family, c->min_runs);
	if (c->max_runs != c->min_runs)
		buf_addf(b, " to %zu", c->max_runs);
	buf_addf(b, " run%s of each label", plural(c->max_runs));
	if (c->runs_needed)
		buf_addf(b, "; %s %zu runs needed", c->min_runs < 2 ? "at least" :
		    "about", c->runs_needed);
	else if (c->count[UNKNOWN])
		buf_addf(b, "; more than a million runs needed");
}

/* A metric of the gate that no cell has: usually its name is mistyped. */
static void
find_missing_metric(struct comparison *cmp, const struct compare_settings *s)
{
	const struct results *m = cmp->m;
	for (size_t k = 0; k < m->metrics && !cmp->missing_metric; k++) {
		size_t values = 0;
		for (size_t i = 0; i < m->cells; i++)
			for (size_t l = 0; l < m->cell[i].labels; l++)
				values += m->cell[i].label[l].metric[k].n;
		if (!values && !metric_is_known(m->metric[k]) && s->gate &&
		    in_gate(m->metric[k], s->gate))
			cmp->missing_metric = m->metric[k];
	}
}

static void
describe_missing(const struct comparison *cmp, struct buf *b)
{
	if (cmp->missing_metric) {
		buf_addf(b, "cannot tell: no cell has a value for metric '%s'",
		    cmp->missing_metric);
		return;
	}
	const struct compare_row *r = &cmp->one_sided_first;
	bool base_has = results_of(r->cell, cmp->base)->metric[r->metric].n;
	char *name = metric_text_cell(r->cell);
	buf_addf(b, "cannot tell: %s of %s has values only in '%s'",
	    metric_title(cmp->m->metric[r->metric]), name,
	    cmp->m->label[base_has ? cmp->base : r->label].name);
	if (cmp->one_sided > 1)
		buf_addf(b, ", and %zu more", cmp->one_sided - 1);
	free(name);
}

static void
find_verdict(struct comparison *cmp, const struct compare_settings *s)
{
	struct buf b = {0};
	size_t failing = 0, unsure = 0;
	for (size_t i = 0; i < cmp->failures; i++) {
		failing += cmp->failure[i].answer == WORSE;
		unsure += cmp->failure[i].answer == UNKNOWN &&
		    cmp->failure[i].failed > cmp->failure[i].base_failed;
	}
	buf_addf(&b, "verdict: ");
	cmp->answer = UNKNOWN;
	if (cmp->refused) {
		cmp->reason = "environment";
		describe_unknown(cmp, &b);
	} else if (cmp->totals.count[WORSE] || failing) {
		cmp->answer = WORSE;
		describe_worse(cmp, &b, failing);
	} else if (cmp->missing_metric || (cmp->one_sided && !cmp->totals.count[UNKNOWN])) {
		cmp->reason = cmp->missing_metric ? "nothing" : "values";
		describe_missing(cmp, &b);
	} else if (!cmp->totals.family || cmp->totals.count[UNKNOWN]) {
		cmp->reason = cmp->totals.family ? "runs" : "nothing";
		describe_unknown(cmp, &b);
	} else if (unsure) {
		cmp->reason = "failures";
		buf_addf(&b, "cannot tell: %zu cell%s failed in some runs", unsure, plural(unsure));
	} else {
		cmp->answer = NO_WORSE;
		buf_addf(&b, "no worse: %zu test%s, no shift of %.3g %% or more",
		    cmp->totals.family, plural(cmp->totals.family), 100 * s->test.detect);
		if (cmp->totals.by_floors)
			buf_addf(&b, " (%zu within ten absolute floors)", cmp->totals.by_floors);
		if (cmp->totals.count[BETTER])
			buf_addf(&b, "; %zu better", cmp->totals.count[BETTER]);
	}
	cmp->line = b.p;
}

void
compare_labels(struct comparison *cmp, struct results *m, size_t base,
    const struct compare_settings *s)
{
	*cmp = (struct comparison){.m = m, .base = base};
	size_t most = m->cells * m->metrics * (m->labels ? m->labels : 1) + 1;
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
	cmp->totals = two_samples_compare(cmp->test, cmp->n, &s->test);
	for (size_t l = 0; l < m->labels; l++)
		for (size_t i = 0; l != base && i < m->metrics; i++)
			append_mean(cmp, i, l);
	find_missing_metric(cmp, s);
	find_verdict(cmp, s);
}
