/* scaling_law.h: the power law that fits best with a given fixed cost. */
#pragma once

#include "stats/scaling.h"

enum { SCALING_LAW_TERMS = SCALING_MAX_PARAMS + 1 };
struct scaling_points {
	double *const *x;	/* logarithms */
	const double *y;
	size_t params, n;
};
struct scaling_law {
	double c[SCALING_LAW_TERMS];	/* coefficients, the first is the constant */
	double error[SCALING_LAW_TERMS];	/* their standard errors for a spread of 1 */
	double squares;	/* sum of squares of the relative errors */
};
/* How many different values x has; no more than `most` are counted. */
size_t scaling_law_levels(const double *x, size_t n, size_t most);
/* Fits y = fixed + exp(c0 + c1 * x1 + c2 * x2 ...).  near: a law that fits well with a similar
 * fixed cost, or NULL.  False: there is none. */
bool scaling_law_fit(const struct scaling_points *, double fixed, const struct scaling_law *near,
    struct scaling_law *);
