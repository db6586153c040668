/* limit_interval.h: where a limit is reached, and how certain that is. */
#pragma once

#include "stats/scaling.h"

/* The runs that a law was fitted to: x[j][i] of `params` parameters, and y[i]. */
struct limit_runs {
	double *x[SCALING_MAX_PARAMS], *y;
	size_t params, n;
	double max[SCALING_MAX_PARAMS];	/* the largest value of each parameter */
	struct scaling *law;	/* of other runs, which limit_interval() adds; free() them */
	size_t laws;
};

/* The value of parameter j at which the limit is reached, with the others at their maximum.
 * NaN: never, or no law fits. */
double limit_value(const struct scaling *, const struct limit_runs *, size_t j, double limit);
/* Its 95 % interval, of the law with all its coefficients: laws are fitted to costs that the law
 * predicts, with the relative errors of other runs (a bootstrap of residuals), once for all
 * parameters.  NaN: no end. */
void limit_interval(const struct scaling *, struct limit_runs *, size_t j, double limit,
    double *low, double *high);
