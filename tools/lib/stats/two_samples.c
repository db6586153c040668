/* two_samples.c: is it worse?  Families of tests, one for each cell and metric.
 *
 * A test is flagged if it is significant after the correction for the number of tests and its
 * shift exceeds both floors.  For "no worse" a large p is not enough: the shift's interval has to
 * exclude a relevant shift.  All other tests are unknown.  Counts that do not vary are compared as
 * they are.
 *
 * Notebooks' totals are tested first, with most of alpha; where one has changed, its cells are
 * corrected among themselves only, with the same share.  The rest of alpha is for all cells
 * together, so that a change too small for its total is found, too.  Each step uses Benjamini's
 * and Hochberg's correction.  Pairs are corrected by pairs_adjust(), total and cells of a family
 * together.
 */
#include "stats/two_samples.h"
#include "stats/sample.h"

#include "base/die.h"
#include "stats/fdr.h"

const char *const two_samples_spreads[] =
    {[SPREAD_SAME] = NULL, [SPREAD_GREW] = "grew", [SPREAD_SHRANK] = "shrank"};

/* Values of a sample whose spread is tested; runs of each label that can be steady; pairs more,
 * where there are too few for any test. */
enum { MIN_SPREAD = 4, MIN_STEADY = 2, MIN_PAIRS_MORE = 2 };
static const double TOTALS_SHARE = 0.8;	/* of alpha, where there are cells too */

/* ---- one test ------------------------------------------------------------------ */

/* Sorted.  Shares of the median, because a slower cell varies by more.  Without the value in the
 * middle: its deviation is 0, or that of its neighbour, by definition. */
static double *
deviations_of(const double *v, size_t n, double median)
{
	double *away = xmalloc(n * sizeof *away), unit = fabs(median) > 0 ? fabs(median) : 1;
	for (size_t i = 0, k = 0; i < n; i++)
		if (i != n / 2)
			away[k++] = fabs(v[i] - median) / unit;
	sample_sort(away, n - 1);
	return away;
}

static void
test_spread(struct test *t)
{
	double *x = deviations_of(t->x, t->m, t->x_median);
	double *y = deviations_of(t->y, t->n, t->y_median);
	t->deviations = rank_sum(x, t->m - 1, y, t->n - 1);
	free(x);
	free(y);
}

/* With `pairs` at the last look; the caller frees its list. */
static struct pairs_looks
looks_of(const struct test_settings *settings, size_t pairs)
{
	size_t *look = xmalloc((settings->looks + 1) * sizeof *look), n = 0;
	for (size_t i = 0; i < settings->looks; i++)
		if (settings->look[i] < pairs)
			look[n++] = settings->look[i];
	look[n++] = pairs;
	return (struct pairs_looks){look, n, settings->planned > pairs ? settings->planned : pairs,
	    settings->alpha};
}

static double
interval_alpha_of(const struct test_settings *settings, size_t pairs)
{
	struct pairs_looks looks = looks_of(settings, pairs);
	double alpha = pairs_interval_alpha(&looks);
	free((size_t *)looks.pairs);
	return alpha;
}

/* The shift of a pair's difference, in the metric's unit. */
static double
shift_of(const struct test *t, double difference)
{
	return t->in_logs ? t->x_median * expm1(difference) : difference;
}

static void
test_pairs(struct test *t, double alpha)
{
	struct pairs_shift s = pairs_shift(t->pair, t->pairs, t->weight, alpha);
	t->shift = (struct rank_shift){shift_of(t, s.shift), shift_of(t, s.low),
	    shift_of(t, s.high)};
	t->sum.exact = false;
	/* A pair varies by two runs. */
	t->noise = (struct power_noise){.deviation = s.deviation / sqrt(2),
	    .center = t->in_logs ? t->x_median : 0, .threshold = t->threshold};
	t->pairs_known = s.n;
}

static void
test_one(struct test *t, const struct test_settings *settings, double interval_alpha)
{
	t->x_median = t->m ? sample_median(t->x, t->m) : (double)NAN;
	t->y_median = t->n ? sample_median(t->y, t->n) : (double)NAN;
	t->x_mad = t->m > 1 ? sample_mad(t->x, t->m) : (double)NAN;
	t->y_mad = t->n > 1 ? sample_mad(t->y, t->n) : (double)NAN;
	t->q = t->spread_q = t->sum.p = t->sum.delta = t->deviations.p = t->deviations.delta = NAN;
	t->shift = (struct rank_shift){NAN, -INFINITY, INFINITY};
	t->detectable = INFINITY;
	t->threshold = fmax(t->floor, settings->relative * fabs(t->x_median));
	t->tolerance = fmax(DETECT_FLOORS * t->floor, settings->detect * fabs(t->x_median));
	if (!t->m || !t->n)
		return;
	t->steady = t->counted && t->m >= MIN_STEADY && t->n >= MIN_STEADY &&
	    t->x[t->m - 1] - t->x[0] <= t->floor && t->y[t->n - 1] - t->y[0] <= t->floor;
	t->sum = rank_sum(t->x, t->m, t->y, t->n);
	if (t->pair)
		test_pairs(t, interval_alpha);
	else
		t->shift = rank_shift(t->x, t->m, t->y, t->n);
	if (t->m >= MIN_SPREAD && t->n >= MIN_SPREAD)
		test_spread(t);
}

static enum spread_change
spread_of(const struct test *t, const struct test_settings *settings)
{
	double more = t->y_mad / fabs(t->y_median) - t->x_mad / fabs(t->x_median);
	if (!(t->spread_q <= settings->alpha && fabs(more) > settings->relative &&
	    fabs(t->y_mad - t->x_mad) > t->floor))
		return SPREAD_SAME;
	return more > 0 ? SPREAD_GREW : SPREAD_SHRANK;
}

static enum test_result
result_of_test(const struct test *t, double alpha)
{
	double worst = t->more_is_better ? -t->shift.low : t->shift.high;
	bool rises = t->shift.shift > 0, moved = fabs(t->shift.shift) > t->threshold;
	if (t->steady)
		return !moved ? NO_WORSE : rises != t->more_is_better ? WORSE : BETTER;
	/* NaN compares false: an unknown shift is not flagged. */
	if (t->q <= alpha && moved)
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
has_chance(const struct test *t)
{
	return in_family(t) && !t->steady;
}

/* Sorts tests so that those of a total, and then those of each of its cells, follow each other. */
static int
by_total(const void *a, const void *b)
{
	const struct test *x = *(struct test *const *)a, *y = *(struct test *const *)b;
	if (x->is_total != y->is_total)
		return x->is_total ? -1 : 1;
	return (x->total > y->total) - (x->total < y->total);
}

/* Adjusts the p of n tests that have this share of alpha.  They are certain only if `total` is;
 * and they stay so if another correction said so. */
static void
adjust_tests(struct test *const *t, size_t n, double share, const struct test_settings *settings,
    const struct test *total)
{
	double *p = xmalloc(n * sizeof *p), alone = share * settings->alpha / (double)n;
	for (size_t i = 0; i < n; i++)
		p[i] = t[i]->sum.p;
	fdr_adjust(p, p, n);
	for (size_t i = 0; i < n; i++) {
		double q = fmin(1, fmax(p[i] / share, total ? total->q : 0));
		t[i]->q = isnan(t[i]->q) ? q : fmin(t[i]->q, q);
		*(total ? &t[i]->within : &t[i]->alone) = alone;
	}
	free(p);
}

static void
adjust_family(struct test *t, size_t n, const struct test_settings *settings)
{
	struct test **family = xmalloc((n + 1) * sizeof(struct test *));
	size_t k = 0, totals = 0;
	for (size_t i = 0; i < n; i++)
		if (has_chance(&t[i]) && !t[i].pair) {
			family[k++] = &t[i];
			totals += t[i].is_total;
		}
	qsort(family, k, sizeof *family, by_total);
	double share = !totals ? 0 : totals < k ? TOTALS_SHARE : 1;
	if (totals)
		adjust_tests(family, totals, share, settings, NULL);
	if (k > totals)
		adjust_tests(family + totals, k - totals, 1 - share, settings, NULL);
	for (size_t i = totals, end; i < k; i = end) {
		for (end = i; end < k && family[end]->total == family[i]->total; end++)
			continue;
		if (family[i]->total)
			adjust_tests(family + i, end - i, share, settings, family[i]->total);
	}
	free(family);
}

static int
by_family(const void *a, const void *b)
{
	const struct test *x = *(struct test *const *)a, *y = *(struct test *const *)b;
	return (x->family > y->family) - (x->family < y->family);
}

/* One family of pairs. */
static void
adjust_one_family(struct test *const *t, size_t n, const struct test_settings *settings)
{
	struct pairs_looks looks = looks_of(settings, t[0]->pairs);
	double *p = xmalloc(2 * (n + 1) * sizeof *p), *q = p + n + 1;
	const double **d = xmalloc((n + 1) * sizeof *d), **weight = xmalloc((n + 1) * sizeof *d);
	for (size_t i = 0; i < n; i++) {
		d[i] = t[i]->pair;
		weight[i] = t[i]->weight;
	}
	struct pairs_family family = {d, weight, n, t[0]->pairs};
	double alone = pairs_adjust(&family, &looks, p, q);
	for (size_t i = 0; i < n; i++) {
		t[i]->sum.p = p[i];
		t[i]->q = q[i];
		t[i]->alone = alone;
	}
	free((size_t *)looks.pairs);
	free(p);
	free(d);
	free(weight);
}

static void
adjust_pairs(struct test *t, size_t n, const struct test_settings *settings)
{
	struct test **paired = xmalloc((n + 1) * sizeof(struct test *));
	size_t k = 0;
	for (size_t i = 0; i < n; i++)
		if (has_chance(&t[i]) && t[i].pair)
			paired[k++] = &t[i];
	qsort(paired, k, sizeof *paired, by_family);
	for (size_t i = 0, end; i < k; i = end) {
		for (end = i; end < k && paired[end]->family == paired[i]->family; end++)
			continue;
		adjust_one_family(paired + i, end - i, settings);
	}
	free(paired);
}

static void
adjust_spreads(struct test *t, size_t n)
{
	double *p = xmalloc(n * sizeof *p);
	size_t k = 0;
	for (size_t i = 0; i < n; i++)
		if (isfinite(t[i].deviations.p))
			p[k++] = t[i].deviations.p;
	fdr_adjust(p, p, k);
	k = 0;
	for (size_t i = 0; i < n; i++)
		if (isfinite(t[i].deviations.p))
			t[i].spread_q = p[k++];
	free(p);
}

/* A cell is found alone, or with its total, to which its shift adds; there both steps have to
 * succeed.  These aims give a power of 80 %. */
static struct power_aim
aim_alone(const struct test *t)
{
	return (struct power_aim){t->alone, 0.8};
}

static struct power_aim
aim_within(const struct test *t)
{
	return (struct power_aim){t->within, 0.9};
}

static struct power_aim
aim_of_total(const struct test *t)
{
	return (struct power_aim){t->total->alone, 0.9};
}

static double
detectable_of(const struct test *t)
{
	double alone = power_detectable(&t->noise, t->m, t->n, aim_alone(t));
	if (!t->total)
		return alone;
	return fmin(alone, fmax(power_detectable(&t->noise, t->m, t->n, aim_within(t)),
	    power_detectable(&t->total->noise, t->total->m, t->total->n, aim_of_total(t))));
}

/* The runs of each label needed to detect `effect`; 0 if more than a million. */
static size_t
runs_for(const struct test *t, double effect, const struct power_noise *noise,
    const struct power_noise *of_total)
{
	size_t alone = power_runs(noise, effect, aim_alone(t));
	if (!t->total)
		return alone;
	size_t within = power_runs(noise, effect, aim_within(t));
	size_t total = power_runs(of_total, effect, aim_of_total(t));
	size_t both = !within || !total ? 0 : within > total ? within : total;
	return !both || (alone && alone < both) ? alone : both;
}

static void
find_power(struct test *t, struct test_totals *c)
{
	static const struct power_noise unknown = {.deviation = NAN};
	double effect = fmax(t->tolerance, fabs(t->shift.shift));
	if (!t->pair)
		t->noise = power_noise_of(t->x, t->m, t->y, t->n, fabs(t->x_median), t->threshold);
	/* With few pairs, not even the same sign of all is certain. */
	bool few = t->pair && !(ldexp(1, 1 - (int)t->pairs_known) <= t->alone);
	t->cv = t->noise.center > 0 ? t->noise.deviation :
	    t->noise.deviation / fabs(t->x_median);
	t->detectable = few ? (double)INFINITY : detectable_of(t);
	t->runs_needed = runs_for(t, effect, &t->noise, t->total ? &t->total->noise : NULL);
	size_t least_pairs = few ? MIN_PAIRS_MORE + t->pairs_known : 0;
	if (t->runs_needed && t->runs_needed < least_pairs)
		t->runs_needed = least_pairs;
	size_t least = in_family(t) ? runs_for(t, effect, &unknown, &unknown) : 0;
	c->least_runs = c->least_runs > least ? c->least_runs : least;
}

static void
count_answer(struct test_totals *c, const struct test *t)
{
	c->count[t->result]++;
	if (t->result == UNKNOWN && c->runs_needed != SIZE_MAX)
		c->runs_needed = !t->runs_needed ? SIZE_MAX : t->runs_needed > c->runs_needed ?
		    t->runs_needed : c->runs_needed;
	if (!in_family(t))
		return;
	size_t few = t->m < t->n ? t->m : t->n, many = t->m < t->n ? t->n : t->m;
	c->min_runs = c->min_runs && c->min_runs < few ? c->min_runs : few;
	c->max_runs = c->max_runs > many ? c->max_runs : many;
}

struct test_totals
two_samples_compare(struct test *t, size_t n, const struct test_settings *settings)
{
	struct test_totals c = {0};
	size_t pairs = 0;
	double interval_alpha = settings->alpha;
	for (size_t i = 0; i < n; i++) {
		/* Those of one label have as many. */
		if (t[i].pair && t[i].pairs != pairs)
			interval_alpha = interval_alpha_of(settings, pairs = t[i].pairs);
		t[i].alone = settings->alpha;
		test_one(&t[i], settings, interval_alpha);
	}
	adjust_family(t, n, settings);
	adjust_pairs(t, n, settings);
	adjust_spreads(t, n);
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < n; i++)
			if (t[i].is_total == (pass == 0) && t[i].m && t[i].n)
				find_power(&t[i], &c);
	for (size_t i = 0; i < n; i++) {
		bool moved = fabs(t[i].shift.shift) > t[i].threshold;
		t[i].result = result_of_test(&t[i], settings->alpha);
		t[i].gate = t[i].gate && (!t[i].only_worse || t[i].result == WORSE);
		t[i].small = t[i].q <= settings->alpha && !moved && !t[i].steady;
		t[i].spread = spread_of(&t[i], settings);
		c.family += in_family(&t[i]);
		c.max_detectable += in_family(&t[i]) && (t[i].steady ||
		    t[i].detectable < (double)INFINITY);
		if (t[i].gate)
			count_answer(&c, &t[i]);
		/* A quick cell may double and still be within its floors. */
		double rise = t[i].more_is_better ? -t[i].shift.shift : t[i].shift.shift;
		c.by_floors += t[i].gate && t[i].result == NO_WORSE &&
		    rise > settings->detect * fabs(t[i].x_median);
	}
	if (c.runs_needed == SIZE_MAX)
		c.runs_needed = 0;
	return c;
}
