/* quantile.h: quantiles.  Values are finite; the caller leaves missing ones out. */
#pragma once

#include "stats/quantile_sorted.h"

/* Writes the quantiles of n > 0 values in any order, for n_p ascending ps, to `out`, by selection
 * instead of sorting.  Reorders v. */
void quantile_many(double *v, size_t n, const double *p, size_t n_p, enum quantile, double *out);
double quantile_median(double *v, size_t n);	/* reorders v; n > 0 */
void quantile_sort(double *v, size_t n);	/* ascending; never quadratic */

/* Median absolute deviation from `median`, unscaled (times 1.4826 it estimates a normal
 * distribution's std).  Overwrites v; n > 0. */
double quantile_mad(double *v, size_t n, double median);
