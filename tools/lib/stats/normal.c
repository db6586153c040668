/* normal.c: the normal distribution and Student's. */
#include "stats/normal.h"
#include "base/nbscope.h"
#include "stats/beta.h"

#include <float.h>

double
normal_above(double z)
{
	return erfc(z / sqrt(2)) / 2;
}

/* The inverse of a monotone function, by bisection to a double's last digit. */
static double
invert_tail(double (*above)(double, double), double arg, double p)
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

/* Remembers the last few: a family of tests uses the same quantiles repeatedly. */
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
	return z[oldest] = fabs(p - 0.5) <= 0 ? 0 : invert_tail(above_normal, 0, p);
}

static double
above_t(double t, double freedom)
{
	return beta_share(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
}

double
normal_t_quantile(double p, double freedom)
{
	return fabs(p - 0.5) <= 0 ? 0 : invert_tail(above_t, freedom, p);
}
