/* power.c: the power of a rank test. */
#include "stats/power.h"

#include <math.h>

#include "stats/normal.h"
#include "stats/rank_test.h"

enum { MAX_RUNS = 1000000 };
static const double power = 0.8;

/* Student's quantile from the normal one: the first terms of Cornish and Fisher's
 * expansion. */
static double
t_quantile_near(double z, double freedom)
{
	double cube = z * z * z;
	return z + (cube + z) / (4 * freedom) + (5 * cube * z * z + 16 * cube + 3 * z) / (96 *
	    freedom * freedom);
}

/* The effect, in standard errors, that is detected with probability `power`; the
 * standard error itself is estimated from m and n runs. */
static double
detectable_errors(double alpha, size_t m, size_t n)
{
	double freedom = fmax(1, (double)m + (double)n - 2);
	return t_quantile_near(normal_quantile(1 - alpha / 2), freedom) +
	    t_quantile_near(normal_quantile(power), freedom);
}

double
power_detectable(double error, size_t m, size_t n, double alpha)
{
	if (rank_min_p(m, n) > alpha)
		return INFINITY;
	return error * detectable_errors(alpha, m, n);
}

size_t
power_runs(double effect, double error, size_t m, size_t n, double alpha)
{
	/* With few runs the smallest possible p is the bound. */
	size_t least = 1;
	while (least < RANK_MAX_EXACT && rank_min_p(least, least) > alpha)
		least++;
	if (isnan(error) || !m || !n)
		return least;
	double one = error / sqrt(1 / (double)m + 1 / (double)n) / effect;
	double off = one * detectable_errors(alpha, MAX_RUNS, MAX_RUNS);
	double runs = fmax((double)least, ceil(2 * off * off));
	/* Few runs estimate the noise less precisely. */
	while (runs <= MAX_RUNS && one * sqrt(2 / runs) *
	    detectable_errors(alpha, (size_t)runs, (size_t)runs) > 1)
		runs++;
	return runs <= MAX_RUNS ? (size_t)runs : 0;
}
