/* two_samples.c: is it worse?  A family of tests, one for each cell and metric.
 *
 * A test is flagged if it is significant after Benjamini's and Hochberg's correction over
 * the gate's tests and its shift exceeds both floors.  For "no worse" a large p is not
 * enough: the shift's interval has to exclude a relevant shift.  All other tests are
 * unknown.
 */
#include "stats/two_samples.h"
#include "stats/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "stats/fdr.h"
#include "stats/normal.h"
#include "stats/power.h"

const char *const two_samples_answers[] = {
	[NO_WORSE] = "no_worse", [BETTER] = "better", [WORSE] = "worse", [UNKNOWN] = "unknown"};

enum { MIN_SPREAD = 4 };	/* values of a sample whose spread is tested */

/* ---- one test ------------------------------------------------------------------ */

/* Around each sample's own median, so that a shift does not count as spread. */
static struct rank_ks
spread_of(const struct test *t)
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

/* Of the shift, for a normal distribution: the rank test needs pi/3 times as many runs as
 * the mean.  Outliers do not widen the interval, but few values do. */
static double
standard_error(const struct test *t)
{
	double by_interval = (t->shift.high - t->shift.low) / 2 / normal_quantile(0.975);
	double squares = square_sum(t->x, t->m) + square_sum(t->y, t->n), by_square = NAN;
	if (t->m + t->n > 2)
		by_square = sqrt(squares / (double)(t->m + t->n - 2) *
		    (1 / (double)t->m + 1 / (double)t->n) * acos(-1) / 3);
	return isfinite(by_interval) ? fmin(by_interval, by_square) : by_square;
}

static void
test_one(struct test *t, const struct test_settings *settings)
{
	t->x_median = t->m ? sample_median(t->x, t->m) : (double)NAN;
	t->y_median = t->n ? sample_median(t->y, t->n) : (double)NAN;
	t->x_mad = t->m > 1 ? sample_mad(t->x, t->m) : (double)NAN;
	t->y_mad = t->n > 1 ? sample_mad(t->y, t->n) : (double)NAN;
	t->q = t->spread_q = t->sum.p = t->sum.delta = t->spread.p = NAN;
	t->shift = (struct rank_shift){NAN, -INFINITY, INFINITY};
	t->threshold = fmax(t->floor, settings->relative * fabs(t->x_median));
	t->tolerance = fmax(DETECT_FLOORS * t->floor, settings->detect * fabs(t->x_median));
	if (!t->m || !t->n)
		return;
	t->sum = rank_sum(t->x, t->m, t->y, t->n);
	t->shift = rank_shift(t->x, t->m, t->y, t->n);
	if (t->m >= MIN_SPREAD && t->n >= MIN_SPREAD)
		t->spread = spread_of(t);
}

static enum answer
answer_of(const struct test *t, double alpha)
{
	double worst = t->more_is_better ? -t->shift.low : t->shift.high;
	bool rises = t->shift.shift > 0;
	/* NaN compares false: an unknown shift is not flagged. */
	if (t->q <= alpha && fabs(t->shift.shift) > t->threshold)
		return rises != t->more_is_better ? WORSE : BETTER;
	/* A test that could not have been flagged, had it alone changed, does not pass. */
	if (!(t->detectable < (double)INFINITY))
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
adjust_family(struct test *t, size_t n)
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

/* The number of tests that have to change for one of them to be flagged: compares the k
 * smallest possible p with k shares of alpha. */
static size_t
simultaneous_tests(const struct test *t, size_t n, size_t family, double alpha)
{
	double *p = xmalloc((family + 1) * sizeof *p);
	size_t k = 0;
	for (size_t i = 0; i < n; i++)
		if (in_family(&t[i]))
			p[k++] = rank_min_p(t[i].m, t[i].n);
	sample_sort(p, k);
	for (k = 0; k < family && p[k] * (double)family > alpha * (double)(k + 1); k++)
		continue;
	free(p);
	return k < family ? k + 1 : 0;
}

static void
count_answer(struct test_totals *c, const struct test *t)
{
	c->count[t->answer]++;
	if (t->answer == UNKNOWN && c->runs_needed != SIZE_MAX)
		c->runs_needed = !t->runs_needed ? SIZE_MAX : t->runs_needed > c->runs_needed ?
		    t->runs_needed : c->runs_needed;
	if (!in_family(t))
		return;
	size_t few = t->m < t->n ? t->m : t->n, many = t->m < t->n ? t->n : t->m;
	c->min_runs = c->min_runs && c->min_runs < few ? c->min_runs : few;
	c->max_runs = c->max_runs > many ? c->max_runs : many;
	double p = rank_min_p(t->m, t->n);
	if (p > c->min_p) {
		c->min_p = p;
		c->weakest_m = t->m;
		c->weakest_n = t->n;
	}
}

struct test_totals
two_samples_compare(struct test *t, size_t n, const struct test_settings *settings)
{
	struct test_totals c = {0};
	for (size_t i = 0; i < n; i++) {
		test_one(&t[i], settings);
		c.family += in_family(&t[i]);
	}
	adjust_family(t, n);
	double alone = settings->alpha / (double)(c.family ? c.family : 1);
	for (size_t i = 0; i < n; i++) {
		double error = t[i].m && t[i].n ? standard_error(&t[i]) : (double)NAN;
		double effect = fmax(t[i].tolerance, fabs(t[i].shift.shift));
		t[i].detectable = power_detectable(error, t[i].m, t[i].n, alone);
		t[i].runs_needed = power_runs(effect, error, t[i].m, t[i].n, alone);
		t[i].answer = answer_of(&t[i], settings->alpha);
		c.max_detectable += in_family(&t[i]) && rank_min_p(t[i].m, t[i].n) <= alone;
		if (t[i].gate)
			count_answer(&c, &t[i]);
		/* A quick cell may double and still be within its floors. */
		double rise = t[i].more_is_better ? -t[i].shift.shift : t[i].shift.shift;
		c.by_floors += t[i].gate && t[i].answer == NO_WORSE &&
		    rise > settings->detect * fabs(t[i].x_median);
	}
	c.min_simultaneous = simultaneous_tests(t, n, c.family, settings->alpha);
	if (c.runs_needed == SIZE_MAX)
		c.runs_needed = 0;
	return c;
}
