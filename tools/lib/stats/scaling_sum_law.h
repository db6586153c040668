/* scaling_sum_law.h: the sum of a fixed cost and given parts that fits best. */
#ifndef SCALING_SUM_LAW_H
#define SCALING_SUM_LAW_H

#include <stdbool.h>
#include <stddef.h>

enum { SCALING_SUM_MAX_PARTS = 4 };
struct scaling_sum_points {
	/* For each part: the logarithms of its parameter, less their mean. */
	const double *x[SCALING_SUM_MAX_PARTS];
	/* Its parameter.  Of two parts of a parameter, the first has the higher exponent. */
	size_t of[SCALING_SUM_MAX_PARTS];
	const double *y;
	size_t parts, n;
};
/* The unknowns: the fixed cost; the parts, where the logarithm of the parameter is its mean; the
 * exponents. */
struct scaling_sum_law {
	double fixed, part[SCALING_SUM_MAX_PARTS], k[SCALING_SUM_MAX_PARTS], squares;
};
/* False: there is none with parts above 0 and exponents in order. */
bool scaling_sum_law_fit(const struct scaling_sum_points *, struct scaling_sum_law *);
double scaling_sum_law_at(const struct scaling_sum_points *, const struct scaling_sum_law *,
    size_t i);
/* How far the exponent of part j can go in this direction (1, -1) before the squares exceed
 * `most`: all other unknowns are fitted again. */
double scaling_sum_law_end(const struct scaling_sum_points *, const struct scaling_sum_law *best,
    size_t j, double most, int direction);

#endif
