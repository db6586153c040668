/* effect.c: many tests at once, and what so many runs can see. */
#include "stats/effect.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/nbscope.h"
#include "stats/rank_test.h"

enum { MOST_RUNS = 1000000 };
static const double power = 0.8;

double
normal_above(double z)
{
	return erfc(z / sqrt(2)) / 2;
}

/* A monotone function's inverse, halving down to a double's last digit. */
static double
invert(double (*above)(double, double), double arg, double p)
{
	double low = 0, high = 1, tail = fmin(p, 1 - p);
	while (above(high, arg) > tail && high < DBL_MAX / 4)
		high *= 2;
	for (;;) {
		double middle = low + (high - low) / 2;
		if (middle <= low || middle >= high)
			break;
		if (above(middle, arg) > tail)
			low = middle;
		else
			high = middle;
	}
	return p < 0.5 ? -high : high;
}

static double
above_normal(double z, double unused)
{
	(void)unused;
	return normal_above(z);
}

/* A family asks for the same one again and again. */
double
normal_quantile(double p)
{
	static double of[4], z[4];
	static size_t oldest;
	for (size_t i = 0; i < COUNT(of); i++)
		if (fabs(of[i] - p) <= 0)
			return z[i];
	oldest = (oldest + 1) % COUNT(of);
	of[oldest] = p;
	return z[oldest] = fabs(p - 0.5) <= 0 ? 0 : invert(above_normal, 0, p);
}

/* The regularised incomplete beta function by Lentz's continued fraction. */
static double
beta_share(double x, double a, double b)
{
	if (x <= 0 || x >= 1)
		return x > 0;
	if (x > (a + 1) / (a + b + 2))
		return 1 - beta_share(1 - x, b, a);
	double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), f = d;
	for (int k = 1; k < 1000; k++) {
		double even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k));
		double odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));
		d = 1 / (1 + even * d);
		c = 1 + even / c;
		f *= c * d;
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		f *= c * d;
		if (fabs(c * d - 1) < 1e-15)
			break;
	}
	return exp(a * log(x) + b * log1p(-x) + lgamma(a + b) - lgamma(a) - lgamma(b)) * f / a;
}

static double
above_t(double t, double freedom)
{
	return beta_share(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
}

double
normal_t_quantile(double p, double freedom)
{
	return fabs(p - 0.5) <= 0 ? 0 : invert(above_t, freedom, p);
}

/* ---- many tests ------------------------------------------------------------------ */

struct ranked {
	double p;
	size_t at;
};

static int
descending(const void *a, const void *b)
{
	double x = ((const struct ranked *)a)->p, y = ((const struct ranked *)b)->p;
	return (x < y) - (x > y);
}

void
fdr_adjust(const double *p, double *q, size_t n)
{
	struct ranked *r = xmalloc(n * sizeof *r);
	double least = 1;
	for (size_t i = 0; i < n; i++)
		r[i] = (struct ranked){p[i], i};
	if (n)
		qsort(r, n, sizeof *r, descending);
	for (size_t i = 0; i < n; i++) {
		least = fmin(least, r[i].p * (double)n / (double)(n - i));
		q[r[i].at] = least;
	}
	free(r);
}

double
descriptive_geometric_mean(const double *v, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += v[i] > 0 ? log(v[i]) : (double)NAN;
	return n ? exp(sum / (double)n) : (double)NAN;
}

/* ---- what can be seen ----------------------------------------------------------------- */

/* Student's quantile from the normal one: Cornish and Fisher's first terms. */
static double
wider(double z, double freedom)
{
	double cube = z * z * z;
	return z + (cube + z) / (4 * freedom) + (5 * cube * z * z + 16 * cube + 3 * z) / (96 * freedom * freedom);
}

/* So many standard errors off is found in 4 of 5 tries; the error itself is known
 * from m and n runs. */
static double
errors_seen(double alpha, size_t m, size_t n)
{
	double freedom = fmax(1, (double)m + (double)n - 2);
	return wider(normal_quantile(1 - alpha / 2), freedom) + wider(normal_quantile(power), freedom);
}

double
power_detectable(double error, size_t m, size_t n, double alpha)
{
	return rank_least_p(m, n) > alpha ? (double)INFINITY : error * errors_seen(alpha, m, n);
}

size_t
power_runs(double effect, double error, size_t m, size_t n, double alpha)
{
	/* The order alone bounds what few runs can say. */
	size_t least = 1;
	while (least < RANK_EXACT_MOST && rank_least_p(least, least) > alpha)
		least++;
	if (isnan(error) || !m || !n)
		return least;
	double one = error / sqrt(1 / (double)m + 1 / (double)n) / effect, off = one * errors_seen(alpha, MOST_RUNS, MOST_RUNS);
	double runs = fmax((double)least, ceil(2 * off * off));
	/* Few runs know their noise less well. */
	while (runs <= MOST_RUNS && one * sqrt(2 / runs) * errors_seen(alpha, (size_t)runs, (size_t)runs) > 1)
		runs++;
	return runs <= MOST_RUNS ? (size_t)runs : 0;
}
