/* compare_verdict.c: is it worse?  The result of all tests together. */
#include "compare_verdict.h"

#include "compare_text.h"
#include "metric/metric_text.h"
#include "text/text.h"

enum { NAMED = 3 };	/* tests that the verdict names */

/* The flagged test with the largest shift relative to its median. */
static size_t
worst_of(const struct comparison *cmp, enum test_result result)
{
	size_t worst = SIZE_MAX;
	double most = -1;
	for (size_t i = 0; i < cmp->n; i++) {
		const struct test *t = &cmp->test[i];
		double share = fabs(t->shift.shift) / fabs(t->x_median);
		if (t->gate && t->result == result && !(share <= most)) {
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
		char *name = compare_name(cmp, at), *change = compare_change(cmp, at);
		buf_addf(b, "worse: %s %s, from %s to %s", name, change,
		    metric_text_value(t->x_median, column).p,
		    metric_text_value(t->y_median, column).p);
		if (others)
			buf_addf(b, " and %zu more", others);
		free(name);
		free(change);
	}
	for (size_t i = 0; failing && i < cmp->failures; i++)
		if (cmp->failure[i].result == WORSE) {
			char *name = metric_text_cell(cmp->m, cmp->failure[i].cell);
			buf_addf(b, "%s%s fails now", at == SIZE_MAX ? "worse: " : "; ", name);
			if (failing > 1)
				buf_addf(b, " and %zu more", failing - 1);
			free(name);
			break;
		}
}

static bool
is_unknown(const struct test *t)
{
	return t->result == UNKNOWN;
}

static bool
is_small(const struct test *t)
{
	return t->small;
}

static bool
has_grown(const struct test *t)
{
	return t->spread == SPREAD_GREW;
}

/* The first tests for which `is` holds, and how many more. */
static void
add_names(struct buf *b, const struct comparison *cmp, bool (*is)(const struct test *))
{
	size_t n = 0;
	for (size_t i = 0; i < cmp->n; i++) {
		if (!cmp->test[i].gate || !is(&cmp->test[i]) || n++ >= NAMED)
			continue;
		char *name = compare_name(cmp, i);
		char *spread = is == has_grown ? compare_spread(&cmp->test[i]) : NULL;
		buf_addf(b, "%s%s%s%s", n > 1 ? ", " : "", name, spread ? " from " : "",
		    spread ? spread : "");
		free(name);
		free(spread);
	}
	if (n > NAMED)
		buf_addf(b, " and %zu more", n - NAMED);
}

static void
add_busy(struct buf *b, const struct comparison *cmp)
{
	char *extent = contention_extent(&cmp->contention, WAIT_OTHERS);
	buf_addf(b, "; the machine was busy in %s: repeat both labels when nothing else runs, with "
	    "CORES=1", extent);
	free(extent);
}

/* More runs do not help where other processes disturb each of them. */
static void
add_next_step(struct buf *b, const struct comparison *cmp)
{
	const struct test_totals *c = &cmp->totals;
	if (cmp->busy) {
		add_busy(b, cmp);
		if (c->least_runs > c->min_runs)
			buf_addf(b, " and REPEAT=%zu", c->least_runs);
	} else if (c->runs_needed) {
		buf_addf(b, "; %s %zu runs needed (REPEAT=%zu)", c->min_runs < 2 ? "at least" :
		    "about", c->runs_needed, c->runs_needed);
	} else if (c->count[UNKNOWN]) {
		buf_addf(b, "; more than a million runs needed");
	}
}

/* Whether CPU time was asked, because the machine was busy, and no shift of it is possible. */
static bool
is_cpu_unchanged(const struct comparison *cmp)
{
	size_t asked = 0, unchanged = 0;
	for (size_t i = 0; i < cmp->n; i++) {
		asked += cmp->test[i].only_worse;
		unchanged += cmp->test[i].only_worse && cmp->test[i].result == NO_WORSE;
	}
	return asked && unchanged == asked;
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
			buf_addf(b, "cannot tell: label '%s' mixes runs with different %s (%s, %s)",
			    cmp->m->label[d->label].name, d->mixed, d->base, d->label_value);
		else
			buf_addf(b, "cannot tell: %s differs (%s, %s)", d->what, d->base,
			    d->label_value);
		if (cmp->refused > 1)
			buf_addf(b, " and %zu more", cmp->refused - 1);
		buf_addf(b, "; to permit %s: ALLOW=%s", cmp->refused > 1 ? "the first" : "it",
		    d->word);
		return;
	}
	if (!c->family) {
		buf_addf(b, "cannot tell: no cell has a value for both labels");
		return;
	}
	bool unchanged = is_cpu_unchanged(cmp);
	buf_addf(b, "cannot tell%s: %zu of %zu tests undecided with %zu",
	    unchanged ? " by wall time" : "", c->count[UNKNOWN], c->family, c->min_runs);
	if (c->max_runs != c->min_runs)
		buf_addf(b, " to %zu", c->max_runs);
	buf_addf(b, " run%s of each label: ", text_plural(c->max_runs));
	add_names(b, cmp, is_unknown);
	buf_addf(b, "%s", unchanged ? "; CPU time unchanged" : "");
	add_next_step(b, cmp);
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
	char *name = metric_text_cell(cmp->m, r->cell);
	buf_addf(b, "cannot tell: %s of %s has values only in '%s'",
	    metric_title(cmp->m->metric[r->metric]), name,
	    cmp->m->label[base_has ? cmp->base : r->label].name);
	if (cmp->one_sided > 1)
		buf_addf(b, ", and %zu more", cmp->one_sided - 1);
	free(name);
}

/* What is certain and does not decide: changes below the floor, and spreads that grew. */
static void
add_findings(struct buf *b, const struct comparison *cmp)
{
	static const struct { bool (*is)(const struct test *); const char *what; } findings[] = {
		{is_small, "certain, but below the floor"}, {has_grown, "spread grew"}};
	for (size_t k = 0; k < COUNT(findings); k++) {
		struct buf names = {0};
		add_names(&names, cmp, findings[k].is);
		if (names.n)
			buf_addf(b, "; %s: %s", findings[k].what, names.p);
		buf_free(&names);
	}
}

void
compare_find_verdict(struct comparison *cmp, const struct compare_settings *s)
{
	struct buf b = {0};
	size_t failing = 0, unsure = 0;
	for (size_t i = 0; i < cmp->failures; i++) {
		failing += cmp->failure[i].result == WORSE;
		unsure += cmp->failure[i].result == UNKNOWN &&
		    cmp->failure[i].failed > cmp->failure[i].base_failed;
	}
	buf_addf(&b, "verdict: ");
	cmp->result = UNKNOWN;
	if (cmp->refused) {
		cmp->reason = "environment";
		describe_unknown(cmp, &b);
	} else if (cmp->totals.count[WORSE] || failing) {
		cmp->result = WORSE;
		describe_worse(cmp, &b, failing);
	} else if (cmp->missing_metric || (cmp->one_sided && !cmp->totals.count[UNKNOWN])) {
		cmp->reason = cmp->missing_metric ? "nothing" : "values";
		describe_missing(cmp, &b);
	} else if (!cmp->totals.family || cmp->totals.count[UNKNOWN]) {
		cmp->reason = !cmp->totals.family ? "nothing" : cmp->busy ? "busy" : "runs";
		describe_unknown(cmp, &b);
	} else if (unsure) {
		cmp->reason = "failures";
		buf_addf(&b, "cannot tell: %zu cell%s failed in some runs", unsure,
		    text_plural(unsure));
	} else {
		cmp->result = NO_WORSE;
		buf_addf(&b, "no worse: %zu test%s, no shift of %.3g %% or more",
		    cmp->totals.family, text_plural(cmp->totals.family), 100 * s->test.detect);
		if (cmp->totals.by_floors)
			buf_addf(&b, " (%zu within ten absolute floors)", cmp->totals.by_floors);
		if (cmp->totals.count[BETTER])
			buf_addf(&b, "; %zu better", cmp->totals.count[BETTER]);
	}
	if (!cmp->refused)
		add_findings(&b, cmp);
	if (cmp->result != UNKNOWN && cmp->busy)
		add_busy(&b, cmp);
	cmp->line = b.p;
}

