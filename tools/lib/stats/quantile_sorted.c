/* quantile_sorted.c: quantiles of values in ascending order. */
#include "stats/quantile_sorted.h"
#include "base/num.h"

#include <math.h>
#include <stdlib.h>

const char *
quantile_name(enum quantile q)
{
	static const char *const names[N_QUANTILES] =
	    {"linear", "nearest", "lower", "higher", "midpoint", "inverted_cdf", "hazen", "weibull",
	    "median_unbiased", "normal_unbiased"};
	return names[q];
}

struct rank_pair
quantile_ranks(size_t n, double p, enum quantile q)
{
	/* alpha and beta of numpy's virtual index n p + alpha + p (1 - alpha - beta) - 1. */
	static const double alpha[N_QUANTILES] = {
		[Q_HAZEN] = 0.5, [Q_MEDIAN_UNBIASED] = 1 / 3.0, [Q_NORMAL_UNBIASED] = 3 / 8.0};
	double last = (double)(n - 1), at = last * p;
	if (q == Q_INVERTED_CDF)
		at = ceil((double)n * p) - 1;
	else if (q >= Q_HAZEN)
		at = (double)n * p + alpha[q] + p * (1 - 2 * alpha[q]) - 1;
	at = at < 0 ? 0 : at > last ? last : at;
	size_t low = (size_t)at, high = low + (low + 1 < n);
	struct rank_pair l = {low, high, at - (double)low};
	switch (q) {
	case Q_NEAREST: l.share = l.share > 0.5 || (l.share == 0.5 && (low & 1)); break;
	case Q_LOWER: l.share = 0; break;
	case Q_HIGHER: l.share = l.share > 0; break;
	case Q_MIDPOINT: l.share = l.share > 0 ? 0.5 : 0; break;
	default: break;
	}
	return l;
}

/* Starts at the nearer end, as numpy does, so that the result never lies outside the two. */
static double
interpolate(double a, double b, double share)
{
	if (share <= 0 || a == b)
		return a;
	return share >= 0.5 ? b - (b - a) * (1 - share) : a + (b - a) * share;
}

double
quantile_sorted(const double *sorted, size_t n, double p, enum quantile q)
{
	struct rank_pair l = quantile_ranks(n, p, q);
	return interpolate(sorted[l.low], sorted[l.high], l.share);
}

double
quantile_of_few(double *v, size_t n, double p)
{
	qsort(v, n, sizeof *v, num_compare);
	return n ? quantile_sorted(v, n, p, Q_LINEAR) : (double)NAN;
}
