/* power.c: the power of a rank test whose estimate must also exceed a threshold. */
#include "stats/power.h"
#include "stats/normal.h"
#include "stats/rank_test.h"

#include <math.h>
#include <stdbool.h>

enum { MAX_RUNS = 1000000 };

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
	double freedom = (double)m + (double)n - 2;
	/* The root of a mean of few squares is too small on average. */
	return (struct power_noise){.center = logs ? center : 0, .threshold = threshold,
	    .deviation = freedom > 0 ? sqrt(squares / freedom) * (1 + 1 / (4 * freedom))
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
 * Student's and has only some levels.  The noise is estimated, by the runs that tell this shift
 * and by those that will have to show it: both errors count as further noise. */
static double
detectable_in_scale(const struct power_noise *e, size_t m, size_t n, struct power_aim aim)
{
	double level = rank_level(m, n, aim.alpha);
	double freedom = fmax(1, (double)m + (double)n - 2), above = normal_quantile(aim.power);
	double error = e->deviation * sqrt(acos(-1) / 3 * (1 / (double)m + 1 / (double)n));
	if (level <= 0)
		return INFINITY;
	double bound = t_quantile_near(normal_quantile(1 - level / 2), freedom);
	above *= sqrt(1 + (pow(bound + above, 2) + pow(bound, 2)) / (2 * freedom));
	return fmax(to_scale(e, e->threshold), error * bound) + error * above;
}

double
power_detectable(const struct power_noise *e, size_t m, size_t n, struct power_aim aim)
{
	return from_scale(e, detectable_in_scale(e, m, n, aim));
}

size_t
power_runs(const struct power_noise *e, double effect, struct power_aim aim)
{
	size_t few = 1, many = 2;
	/* With few runs the smallest possible p is the bound. */
	if (isnan(e->deviation)) {
		while (few < RANK_MAX_EXACT && rank_min_p(few, few) > aim.alpha)
			few++;
		return few;
	}
	while (many <= MAX_RUNS && !(power_detectable(e, many, many, aim) <= effect))
		many *= 2;
	while (many - few > 1) {
		size_t middle = (few + many) / 2;
		if (power_detectable(e, middle, middle, aim) <= effect)
			many = middle;
		else
			few = middle;
	}
	return many <= MAX_RUNS ? many : 0;
}
