/* pairs.h: what changed in an interleaved experiment, by its pairs of runs.
 *
 * A pair is a run of the base and one of the label that followed each other.  Each test has one
 * difference for each pair, mostly log(label / base).  Its statistic is Wilcoxon's: the sum of the
 * ranks of the absolute differences, with their signs, over the root of the sum of their squares
 * (Wilcoxon, Biometrics Bulletin 1, 1945).  Without a change each sign is as likely as the other,
 * and all tests of a pair change their signs together, which keeps how cells move together:
 * Westfall and Young, Resampling-Based Multiple Testing, 1993 (maxT).  Where the experiment is
 * compared several times, alpha is spent over these looks: Lan and DeMets, Biometrika 70, 1983.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct pairs_looks {
	const size_t *pairs;	/* of each look so far, ascending; the last: all that there are */
	size_t n;		/* at least one */
	size_t planned;		/* pairs at most; the last look has all of alpha */
	double alpha;
};
struct pairs_family {
	const double **d;	/* the differences of each test; NaN: the pair has none */
	const double **weight;	/* of each test's pairs, above 0; NULL: 1 each */
	size_t tests, pairs;
};
/* The two-sided p of each test alone, and q: p corrected for all tests (step-down) and looks.  A
 * test is certain at the last look where its q is at most alpha.  Returns the p that a test needs
 * alone; 0: no p of so few pairs suffices. */
double pairs_adjust(const struct pairs_family *, const struct pairs_looks *, double *p, double *q);

struct pairs_shift {
	double shift;		/* Hodges-Lehmann: the weighted median of all means of two */
	double low, high;	/* interval of level 1 - alpha; infinite with too few pairs */
	double deviation;	/* standard deviation of the differences; NaN: fewer than two */
	size_t n;		/* pairs with a difference */
};
struct pairs_shift pairs_shift(const double *d, size_t pairs, const double *weight, double alpha);
/* The alpha of an interval at the last look, so that those of all looks together have alpha. */
double pairs_interval_alpha(const struct pairs_looks *);
