/* dist.h: what is to be said of many numbers: exact sums, moments, quantiles.
 * Numbers are finite; the caller leaves missing ones out. */
#ifndef DIST_H
#define DIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A sum without rounding, however many and however large its terms: zeroed
 * before its first use.  Its value is the true sum, rounded once. */
struct exact {
	int64_t limb[70];	/* 32 bits each, from 2^-1074 */
	unsigned added;		/* since carries were last moved up */
};
void exact_add(struct exact *, double);
double exact_value(struct exact *);
double exact_sum(const double *v, size_t n);

enum quantile {	/* Hyndman and Fan's numbers in brackets */
	Q_LINEAR,	/* (7) between the two neighbours; numpy's and pandas' default */
	Q_NEAREST,	/* the neighbour that is nearer to (n-1)p, the even one of a tie; numpy's "nearest" */
	Q_LOWER, Q_HIGHER, Q_MIDPOINT,
	Q_INVERTED_CDF,	/* (1) the smallest value with at least p of all at or below it */
	Q_HAZEN,	/* (5) */
	Q_WEIBULL,	/* (6) */
	Q_MEDIAN_UNBIASED,	/* (8) */
	Q_NORMAL_UNBIASED,	/* (9) */
	N_QUANTILES,
};
const char *quantile_name(enum quantile);	/* as numpy's: "linear", "median_unbiased" */
/* Of n > 0 values in ascending order; p in [0,1]. */
double quantile_sorted(const double *sorted, size_t n, double p, enum quantile);
/* The same of values in any order, for n_p ps in ascending order, into `out`: all are
 * found in one go, and nothing is sorted that need not be.  Reorders v.  n > 0. */
void quantile_many(double *v, size_t n, const double *p, size_t n_p, enum quantile, double *out);
double quantile_median(double *v, size_t n);	/* reorders v; n > 0 */
void quantile_sort(double *v, size_t n);	/* ascending; never quadratic */

/* All of n values.  NaN where there are too few: mean, min and max of none, std of
 * one. */
struct descriptive {
	size_t n;
	double sum, mean;	/* rounded once */
	double std;		/* sample's (n - 1), from deviations: no cancelling */
	double min, max;
};
void descriptive_of(struct descriptive *, const double *v, size_t n);
/* Median absolute deviation from `median`, unscaled (times 1.4826 it estimates a
 * normal distribution's std).  Uses v up; n > 0. */
double quantile_mad(double *v, size_t n, double median);

#endif
