/* power.c: the power of a rank test whose estimate must also exceed a threshold. */
#include "stats/power.h"

#include <math.h>
#include <stdbool.h>

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

static double
square_sum(const double *v, size_t n, bool logs)
{
	double mean = 0, sum = 0;
	for (size_t i = 0; i < n; i++)
		mean += (logs ? log(v[i]) : v[i]) / (double)n;
	for (size_t i = 0; i < n; i++)
		sum += pow((logs ? log(v[i]) : v[i]) - mean, 2);
	return sum;
}

struct power_noise
power_noise_of(const double *x, size_t m, const double *y, size_t n, double center,
    double threshold)
{
	bool logs = m && n && x[0] > 0 && y[0] > 0;	/* the samples are sorted */
	double squares = square_sum(x, m, logs) + square_sum(y, n, logs);
	return (struct power_noise){.center = logs ? center : 0, .threshold = threshold,
	    .deviation = m && n && m + n > 2 ? sqrt(squares / (double)(m + n - 2))
	    : (double)NAN};
}

/* A shift in the scale of the noise, and back. */
static double
to_scale(const struct power_noise *e, double shift)
{
	return e->center > 0 ? log1p(shift / e->center) : shift;
}

static double
from_scale(const struct power_noise *e, double shift)
{
	return e->center > 0 ? e->center * expm1(shift) : shift;
}

/* The detectable shift in the scale of the noise.  A rank test needs pi/3 times as many runs as
 * Student's, has only some levels, and the noise itself is estimated from the runs. */
static double
detectable_in_scale(const struct power_noise *e, size_t m, size_t n, double alpha)
{
	double level = rank_level(m, n, alpha), freedom = fmax(1, (double)m + (double)n - 2);
	double error = e->deviation * sqrt(acos(-1) / 3 * (1 / (double)m + 1 / (double)n));
	if (level <= 0)
		return INFINITY;
	double bound = error * t_quantile_near(normal_quantile(1 - level / 2), freedom);
	return fmax(to_scale(e, e->threshold), bound) +
	    error * t_quantile_near(normal_quantile(power), freedom);
}

double
power_detectable(const struct power_noise *e, size_t m, size_t n, double alpha)
{
	return from_scale(e, detectable_in_scale(e, m, n, alpha));
}

size_t
power_runs(const struct power_noise *e, double effect, double alpha)
{
	size_t few = 1, many = 2;
	/* With few runs the smallest possible p is the bound. */
	if (isnan(e->deviation)) {
		while (few < RANK_MAX_EXACT && rank_min_p(few, few) > alpha)
			few++;
		return few;
	}
	while (many <= MAX_RUNS && !(power_detectable(e, many, many, alpha) <= effect))
		many *= 2;
	while (many - few > 1) {
		size_t middle = (few + many) / 2;
		if (power_detectable(e, middle, middle, alpha) <= effect)
			many = middle;
		else
			few = middle;
	}
	return many <= MAX_RUNS ? many : 0;
}
