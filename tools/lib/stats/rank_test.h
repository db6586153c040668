/* ranktest.h: whether two samples differ, by the order of their values alone.
 *
 * Samples are sorted, ascending, finite and not empty: rank_sort() makes them so.
 * The two-sided p-values are those of scipy.stats, which tests/ranktest.bats
 * holds them against.
 */
#ifndef RANKTEST_H
#define RANKTEST_H

#include <stdbool.h>
#include <stddef.h>

/* Sorts, and drops what is not finite; the count that is left. */
size_t rank_sort(double *v, size_t n);
double rank_median(const double *v, size_t n);
/* Median of the distances to the median, not scaled. */
double rank_mad(const double *v, size_t n);

/* Up to so many values in each sample, and without ties, p is exact. */
enum { RANK_EXACT_MOST = 50 };
struct rank_sum {
	double u;	/* pairs in which x is the larger; a tie counts half */
	double p;
	double delta;	/* Cliff's: (pairs with y larger - pairs with x larger) / pairs */
	bool exact;	/* else normal, with correction for ties and continuity */
};
/* Mann and Whitney's U of x against y. */
struct rank_sum rank_sum(const double *x, size_t m, const double *y, size_t n);
/* The smallest p that samples of these sizes can have. */
double rank_least_p(size_t m, size_t n);

struct rank_shift {
	double shift;	/* Hodges and Lehmann's: median of all y - x */
	double low, high;	/* at least 95 %; infinite where so few values bound nothing */
};
struct rank_shift rank_shift(const double *x, size_t m, const double *y, size_t n);

struct rank_ks {
	double d, p;
	bool exact;	/* else Kolmogorov's limit */
};
/* Kolmogorov's and Smirnov's test of two samples. */
struct rank_ks rank_ks(const double *x, size_t m, const double *y, size_t n);

#endif
