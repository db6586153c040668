/* effect.h: many tests at once, and what so many runs can see. */
#ifndef EFFECT_H
#define EFFECT_H

#include <stdbool.h>
#include <stddef.h>

double normal_above(double z);	/* share of the normal distribution above z */
double normal_quantile(double p);	/* p in (0, 1) */
double normal_t_quantile(double p, double freedom);	/* Student's; p in (0, 1) */

/* Benjamini and Hochberg: each p as the false discovery rate at which its test
 * is the last that is taken.  q may be p. */
void fdr_adjust(const double *p, double *q, size_t n);

/* exp of the mean logarithm; NaN of nothing, or where one is not above 0. */
double descriptive_geometric_mean(const double *v, size_t n);

/* What a rank test of m against n runs sees in 80 of 100 tries when its p has to
 * be at most `alpha`; `error` is the standard error of the shift.  Infinite where
 * no order of so few values has such a p. */
double power_detectable(double error, size_t m, size_t n, double alpha);
/* So many runs of each would see `effect`; 0: more than a million.  error may be
 * NaN (one run tells no noise): then what the order of values needs at least. */
size_t power_runs(double effect, double error, size_t m, size_t n, double alpha);

#endif
