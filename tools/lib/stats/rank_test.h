/* rank_test.h: whether two samples differ, by the order of their values alone.
 *
 * Samples are sorted in ascending order, finite and not empty: see sample_sort().  The
 * two-sided p-values equal those of scipy.stats (tests/ranktest.bats).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* With at most this many values in each sample, and without ties, p is exact. */
enum { RANK_MAX_EXACT = 50 };
struct rank_sum {
	double u;	/* pairs in which x is larger; a tie counts half */
	double p;
	double delta;	/* Cliff's: (pairs with y larger - pairs with x larger) / pairs */
	bool exact;	/* else a normal approximation, corrected for ties and continuity */
};
/* The Mann-Whitney U test of x against y. */
struct rank_sum rank_sum(const double *x, size_t m, const double *y, size_t n);
/* The smallest p that samples of these sizes can have. */
double rank_min_p(size_t m, size_t n);
/* The largest p of at most `alpha` that they can have; 0: none. */
double rank_level(size_t m, size_t n, double alpha);

struct rank_shift {
	double shift;	/* Hodges-Lehmann estimate: the median of all y - x */
	double low, high;	/* interval of at least 95 %; infinite with too few values */
};
struct rank_shift rank_shift(const double *x, size_t m, const double *y, size_t n);
