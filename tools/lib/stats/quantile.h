/* quantile.h: quantiles.  Values are finite; the caller leaves missing ones out. */
#ifndef QUANTILE_H
#define QUANTILE_H

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
/* The quantile p in [0,1] of n > 0 values in ascending order. */
double quantile_sorted(const double *sorted, size_t n, double p, enum quantile);
/* Writes those of n > 0 values in any order, for n_p ascending ps, to `out`, by selection
 * instead of sorting.  Reorders v. */
void quantile_many(double *v, size_t n, const double *p, size_t n_p, enum quantile, double *out);
double quantile_median(double *v, size_t n);	/* reorders v; n > 0 */
void quantile_sort(double *v, size_t n);	/* ascending; never quadratic */

/* Median absolute deviation from `median`, unscaled (times 1.4826 it estimates a normal
 * distribution's std).  Overwrites v; n > 0. */
double quantile_mad(double *v, size_t n, double median);

#endif
