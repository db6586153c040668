/* scaling_sum.h: a cost in which each parameter has a part of its own:
 * y = fixed + part1 * x1^k1 + part2 * x2^k2 ...; or one parameter has two. */
#ifndef SCALING_SUM_H
#define SCALING_SUM_H

#include <stdbool.h>
#include <stddef.h>

enum { SCALING_SUM_MAX_PARAMS = 4 };
struct scaling_sum {
	double fixed;
	double part[SCALING_SUM_MAX_PARAMS];	/* where the parameter is 1; 0: it has no part */
	double k[SCALING_SUM_MAX_PARAMS];
	/* Of the parameter with two parts: that with the lower exponent. */
	double second_part[SCALING_SUM_MAX_PARAMS], second_k[SCALING_SUM_MAX_PARAMS];
	/* 95 % intervals; infinite: unbounded.  Of a parameter without a part: those of the
	 * exponent that the whole cost could have. */
	double low[SCALING_SUM_MAX_PARAMS], high[SCALING_SUM_MAX_PARAMS];
	double squares;		/* sum of squares of the relative errors */
	size_t unknowns;	/* that were fitted */
};
/* Fits n points: x[j][i], logarithms of `params` parameters, and y[i] above 0, with all sums of
 * two to four parts; chooses that with the least `cost`, which is of its squares and unknowns.
 * False: there are too many parameters, or too few points. */
struct scaling_choice {
	double (*cost)(const struct scaling_choice *, double squares, size_t unknowns);
	size_t n;
	double variance;	/* of repetitions; 0: unknown */
	bool brief;		/* without intervals */
};
bool scaling_sum_fit(struct scaling_sum *, double *const *x, size_t params, const double *y,
    size_t n, const struct scaling_choice *);

#endif
