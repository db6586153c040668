/* scaling.h: how a cost grows with parameters: y = fixed + scale * x1^k1 * x2^k2 ... */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
	SCALING_MAX_PARAMS = 12,
	SCALING_MAX_WIDTH = 1,	/* of an interval that has a word */
};
struct scaling {
	double fixed, scale;
	double k[SCALING_MAX_PARAMS];	/* exponents */
	/* Their 95 % intervals over all values of `fixed`; infinite: unbounded. */
	double low[SCALING_MAX_PARAMS], high[SCALING_MAX_PARAMS];
	double spread;	/* standard deviation of the relative errors */
	size_t points;
	bool has_fixed;	/* fits significantly better than without */
	/* How much repetitions differ: the standard deviation of their relative differences, and
	 * the largest relative distance of their mean from the law; NaN: there are too few. */
	double noise, off;
	bool fits_badly;	/* that distance is more than noise */
};
/* Fits n points: x[j][i] of `params` parameters, each with more than one value, and y[i], all
 * above 0.  False where there are too few points or parameters depend on each other. */
bool scaling_fit(struct scaling *, double *const *x, size_t params, const double *y, size_t n);
/* Finds only the law, in a tenth of the time, for many resamples. */
bool scaling_fit_brief(struct scaling *, double *const *x, size_t params, const double *y,
    size_t n);
double scaling_at(const struct scaling *, const double *x, size_t params);
