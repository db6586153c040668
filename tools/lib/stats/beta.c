/* beta.c: the beta distribution. */
#include "stats/beta.h"
#include "base/nbscope.h"

/* Lentz's continued fraction, which needs about the root of a + b steps. */
double
beta_share(double x, double a, double b)
{
	if (x <= 0 || x >= 1)
		return x > 0;
	if (x > (a + 1) / (a + b + 2))
		return 1 - beta_share(1 - x, b, a);
	double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), f = d;
	for (int k = 1; k < 1000000; k++) {
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

double
beta_quantile(double p, double a, double b)
{
	double low = 0, high = 1;
	for (double middle; (middle = low + (high - low) / 2) > low && middle < high; )
		*(beta_share(middle, a, b) < p ? &low : &high) = middle;
	return high;
}
