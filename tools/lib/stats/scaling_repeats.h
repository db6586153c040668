/* scaling_repeats.h: how much runs with the same parameters differ, and whether a law is further
 * from them than that. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct scaling_repeats {
	size_t n, groups;	/* points, and different parameters */
	double freedom;		/* points less groups */
	double squares;		/* of relative differences from the mean of a group */
	double variance;	/* squares by freedom; NaN: no group has two points */
};
/* x[j][i]: parameter j of point i, or its logarithm. */
struct scaling_repeats scaling_repeats_of(double *const *x, size_t params, const double *y,
    size_t n);
/* The mean of the points with the parameters of point i. */
double scaling_repeats_mean(double *const *x, size_t params, const double *y, size_t n, size_t i);
/* Whether a law with these squares and unknowns lacks fit at this level. */
bool scaling_repeats_reject(const struct scaling_repeats *, double squares, size_t unknowns,
    double level);
