/* compare.c: is it worse?  A family of tests, one for each cell and metric.
 *
 * Flagged is what survives Benjamini and Hochberg over the gate's tests and is
 * beyond both floors.  "No worse" wants more than a p that is not small: the
 * shift's interval has to rule out what would matter.  The rest cannot be told.
 */
#include "stats/two_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/effect.h"
#include "base/nbscope.h"

const char *const answer_words[] = {[NO_WORSE] = "no_worse", [BETTER] = "better", [WORSE] = "worse", [UNKNOWN] = "unknown"};

enum { LEAST_SPREAD = 4 };	/* fewer values in a sample have no spread to speak of */

/* ---- one test ------------------------------------------------------------------ */

/* Around each sample's own median, so that a shift is no spread. */
static struct rank_ks
of_spread(const struct test *t)
{
	double *x = xmalloc(t->m * sizeof *x), *y = xmalloc(t->n * sizeof *y);
	for (size_t i = 0; i < t->m; i++)
		x[i] = t->x[i] - t->x_median;
	for (size_t i = 0; i < t->n; i++)
		y[i] = t->y[i] - t->y_median;
	struct rank_ks ks = rank_ks(x, t->m, y, t->n);
	free(x);
	free(y);
	return ks;
}

static double
square_sum(const double *v, size_t n)
{
	double mean = 0, sum = 0;
	for (size_t i = 0; i < n; i++)
		mean += v[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	return sum;
}

/* Of the shift, for a normal law: the rank test needs pi/3 as many runs as the
 * mean.  Outliers do not widen the interval, but few values do. */
static double
standard_error(const struct test *t)
{
	double by_interval = (t->shift.high - t->shift.low) / 2 / normal_quantile(0.975), by_square = NAN;
	if (t->m + t->n > 2)
		by_square = sqrt((square_sum(t->x, t->m) + square_sum(t->y, t->n)) / (double)(t->m + t->n - 2) *
		    (1 / (double)t->m + 1 / (double)t->n) * acos(-1) / 3);
	return isfinite(by_interval) ? fmin(by_interval, by_square) : by_square;
}

static void
test_one(struct test *t, const struct compare_how *how)
{
	t->x_median = t->m ? rank_median(t->x, t->m) : (double)NAN;
	t->y_median = t->n ? rank_median(t->y, t->n) : (double)NAN;
	t->x_mad = t->m > 1 ? rank_mad(t->x, t->m) : (double)NAN;
	t->y_mad = t->n > 1 ? rank_mad(t->y, t->n) : (double)NAN;
	t->q = t->spread_q = t->sum.p = t->sum.delta = t->spread.p = NAN;
	t->shift = (struct rank_shift){NAN, -INFINITY, INFINITY};
	t->threshold = fmax(t->floor, how->relative * fabs(t->x_median));
	t->tolerance = fmax(DETECT_FLOORS * t->floor, how->detect * fabs(t->x_median));
	if (!t->m || !t->n)
		return;
	t->sum = rank_sum(t->x, t->m, t->y, t->n);
	t->shift = rank_shift(t->x, t->m, t->y, t->n);
	if (t->m >= LEAST_SPREAD && t->n >= LEAST_SPREAD)
		t->spread = of_spread(t);
}

static enum answer
answer_of(const struct test *t, double alpha)
{
	double worst = t->more_is_better ? -t->shift.low : t->shift.high;
	bool rises = t->shift.shift > 0;
	/* Written so that what is not known is not flagged. */
	if (t->q <= alpha && fabs(t->shift.shift) > t->threshold)
		return rises != t->more_is_better ? WORSE : BETTER;
	/* What could not have been flagged, had it changed alone, is no pass. */
	if (!(t->seen < (double)INFINITY))
		return UNKNOWN;
	return worst < t->tolerance || (worst <= 0 && isfinite(worst)) ? NO_WORSE : UNKNOWN;
}

/* ---- the family ------------------------------------------------------------------- */

static bool
in_family(const struct test *t)
{
	return t->gate && t->m && t->n;
}

static bool
has_spread(const struct test *t)
{
	return isfinite(t->spread.p);
}

static void
correct(struct test *t, size_t n)
{
	double *p = xmalloc(2 * n * sizeof *p), *q = p + n;
	size_t k = 0;
	for (size_t i = 0; i < n; i++)
		if (in_family(&t[i]))
			p[k++] = t[i].sum.p;
	fdr_adjust(p, q, k);
	k = 0;
	for (size_t i = 0; i < n; i++)
		if (in_family(&t[i]))
			t[i].q = q[k++];
	k = 0;
	for (size_t i = 0; i < n; i++)
		if (has_spread(&t[i]))
			p[k++] = t[i].spread.p;
	fdr_adjust(p, q, k);
	k = 0;
	for (size_t i = 0; i < n; i++)
		if (has_spread(&t[i]))
			t[i].spread_q = q[k++];
	free(p);
}

/* How many of the family have to change before the first can be flagged: the k
 * smallest p that there can be, against k shares of alpha. */
static size_t
least_together(const struct test *t, size_t n, size_t family, double alpha)
{
	double *p = xmalloc((family + 1) * sizeof *p);
	size_t k = 0;
	for (size_t i = 0; i < n; i++)
		if (in_family(&t[i]))
			p[k++] = rank_least_p(t[i].m, t[i].n);
	rank_sort(p, k);
	for (k = 0; k < family && p[k] * (double)family > alpha * (double)(k + 1); k++)
		continue;
	free(p);
	return k < family ? k + 1 : 0;
}

static void
count_answer(struct compared *c, const struct test *t)
{
	c->count[t->answer]++;
	if (t->answer == UNKNOWN && c->runs != SIZE_MAX)
		c->runs = !t->runs ? SIZE_MAX : t->runs > c->runs ? t->runs : c->runs;
	if (!in_family(t))
		return;
	size_t few = t->m < t->n ? t->m : t->n, many = t->m < t->n ? t->n : t->m;
	c->few = c->few && c->few < few ? c->few : few;
	c->many = c->many > many ? c->many : many;
	double least = rank_least_p(t->m, t->n);
	if (least > c->least_p) {
		c->least_p = least;
		c->least_m = t->m;
		c->least_n = t->n;
	}
}

struct compared
compare(struct test *t, size_t n, const struct compare_how *how)
{
	struct compared c = {0};
	for (size_t i = 0; i < n; i++) {
		test_one(&t[i], how);
		c.family += in_family(&t[i]);
	}
	correct(t, n);
	double alone = how->alpha / (double)(c.family ? c.family : 1);
	for (size_t i = 0; i < n; i++) {
		double error = t[i].m && t[i].n ? standard_error(&t[i]) : (double)NAN;
		t[i].seen = power_detectable(error, t[i].m, t[i].n, alone);
		t[i].runs = power_runs(fmax(t[i].tolerance, fabs(t[i].shift.shift)), error, t[i].m, t[i].n, alone);
		t[i].answer = answer_of(&t[i], how->alpha);
		c.alone += in_family(&t[i]) && rank_least_p(t[i].m, t[i].n) <= alone;
		if (t[i].gate)
			count_answer(&c, &t[i]);
		/* A quick cell may double within its floors. */
		double rise = t[i].more_is_better ? -t[i].shift.shift : t[i].shift.shift;
		c.by_floors += t[i].gate && t[i].answer == NO_WORSE && rise > how->detect * fabs(t[i].x_median);
	}
	c.together = least_together(t, n, c.family, how->alpha);
	if (c.runs == SIZE_MAX)
		c.runs = 0;
	return c;
}
