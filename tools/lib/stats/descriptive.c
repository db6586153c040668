/* descriptive.c: sums and moments of many numbers. */
#include "stats/descriptive.h"
#include "stats/exact_sum.h"

#include <math.h>

/* Deviations from the rounded mean avoid cancellation; the mean's rounding error is then
 * subtracted from the sum of their squares.  Both sums are exact: fma gives the rounding
 * error of each square.  Scaled by a power of two where squares would overflow. */
static double
deviation(const double *v, size_t n, double mean, struct exact *sum, double range)
{
	struct exact squares = {0};
	double scale = range > 1e140 ? 0x1p-700 : range < 1e-140 ? 0x1p500 : 1;
	for (size_t i = 0; i < n; i++) {
		double d = v[i] * scale - mean * scale, square = d * d;
		exact_add(&squares, square);
		exact_add(&squares, fma(d, d, -square));
	}
	double all = (double)n * mean;
	exact_add(sum, -all);
	exact_add(sum, -fma((double)n, mean, -all));
	double rest = exact_value(sum) * scale;
	double ss = exact_value(&squares) - rest * rest / (double)n;
	return ss > 0 ? sqrt(ss / (double)(n - 1)) / scale : 0;
}

void
descriptive_of(struct descriptive *d, const double *v, size_t n)
{
	*d = (struct descriptive){.n = n, .mean = NAN, .std = NAN, .min = NAN, .max = NAN};
	if (n == 0)
		return;
	struct exact sum = {0};
	d->min = d->max = v[0];
	for (size_t i = 0; i < n; i++) {
		exact_add(&sum, v[i]);
		d->min = v[i] < d->min ? v[i] : d->min;
		d->max = v[i] > d->max ? v[i] : d->max;
	}
	d->sum = n > 1 ? exact_value(&sum) : v[0] + 0.0;
	d->mean = d->sum / (double)n;
	if (n > 1 && isfinite(d->sum))
		d->std = deviation(v, n, d->mean, &sum, d->max - d->min);
}
