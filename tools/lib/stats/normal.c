/* normal.c: the normal distribution and Student's. */
#include "stats/normal.h"
#include "base/nbscope.h"

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
	return fabs(p - 0.5) <= 0 ? 0 : invert_tail(above_t, freedom, p);
}
