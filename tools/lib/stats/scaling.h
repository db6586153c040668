/* scaling.h: how a cost grows with parameters: y = fixed + scale * x1^k1 * x2^k2 ..., or
 * y = fixed + part1 * x1^k1 + part2 * x2^k2 ... */
#ifndef SCALING_H
#define SCALING_H

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
	bool is_sum;	/* each parameter has a part of its own; `scale` is not used */
	double part[SCALING_MAX_PARAMS];
	/* A second part of a parameter, with a lower exponent; 0: it has none. */
	double second_part[SCALING_MAX_PARAMS], second_k[SCALING_MAX_PARAMS];
	/* Of repetitions: the standard deviation of their relative differences, and the largest
	 * relative distance of their mean from the law; NaN: there are too few. */
	double noise, off;
	bool fits_badly;	/* that distance is more than noise */
};
/* Fits n points: x[j][i] of `params` parameters, each with more than one value, and y[i], all
 * above 0.  False where there are too few points or parameters depend on each other. */
bool scaling_fit(struct scaling *, double *const *x, size_t params, const double *y, size_t n);
/* The same in a tenth of the time, for many resamples: only the law is found. */
bool scaling_fit_brief(struct scaling *, double *const *x, size_t params, const double *y,
    size_t n);
/* The cost at x, and the share of it that does not depend on parameter j. */
double scaling_at(const struct scaling *, const double *x, size_t params);
double scaling_rest(const struct scaling *, const double *x, size_t params, size_t j);

#endif
