/* quantile_sorted.h: quantiles of values in ascending order.  Values are finite. */
#pragma once

#include <stddef.h>

enum quantile { /* Hyndman and Fan's numbers in brackets */
	Q_LINEAR, /* (7) between the two neighbours; numpy's and pandas' default */
	Q_NEAREST, /* the neighbour nearer to (n-1)p, of a tie the even one; numpy's "nearest" */
	Q_LOWER,
	Q_HIGHER,
	Q_MIDPOINT,
	Q_INVERTED_CDF, /* (1) the smallest value with at least p of all at or below it */
	Q_HAZEN, /* (5) */
	Q_WEIBULL, /* (6) */
	Q_MEDIAN_UNBIASED, /* (8) */
	Q_NORMAL_UNBIASED, /* (9) */
	N_QUANTILES,
};
const char *quantile_name(enum quantile);	/* as numpy's: "linear", "median_unbiased" */
/* The quantile of n > 0 values in ascending order; p in [0,1]. */
double quantile_sorted(const double *sorted, size_t n, double p, enum quantile);
/* A quantile lies between the values of two ranks, at `share` of the distance. */
struct rank_pair {
	size_t low, high;
	double share;
};
struct rank_pair quantile_ranks(size_t n, double p, enum quantile);
/* Sorts v, and interpolates linearly.  NaN if n is 0. */
double quantile_of_few(double *v, size_t n, double p);
