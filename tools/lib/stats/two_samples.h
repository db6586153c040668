/* compare.h: is it worse?  A family of tests, one for each cell and metric. */
#ifndef COMPARE_H
#define COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/rank_test.h"

enum answer { NO_WORSE, BETTER, WORSE, UNKNOWN };
extern const char *const answer_words[];	/* "no_worse" ... */

struct compare_how {
	double alpha;	/* false discoveries among what is flagged */
	double relative;	/* a smaller shift is none, as a share of the base's median */
	double detect;	/* what must be ruled out before it is "no worse", likewise */
};
/* In units of the absolute floor: what must be ruled out of a quick cell. */
#define DETECT_FLOORS 10

struct test {
	const double *x, *y;	/* sorted: the base's and the other's */
	size_t m, n;
	double floor;	/* a smaller shift is none, in the metric's unit */
	bool more_is_better, gate;
	/* What compare() finds; NaN where it is not known. */
	double x_median, y_median, x_mad, y_mad;
	struct rank_sum sum;
	struct rank_shift shift;
	struct rank_ks spread;	/* of the distances to each median */
	double q, spread_q;	/* p, corrected over the gate's tests; over all that were spread */
	double threshold, tolerance;	/* what is flagged is beyond; what is ruled out */
	double seen;	/* the smallest shift that so many runs find in 4 of 5 tries */
	size_t runs;	/* so many of each would see `tolerance`, or the shift where it is more; 0: more than a million */
	enum answer answer;
};
struct compared {
	size_t family;	/* tests of the gate that have values on both sides */
	size_t count[UNKNOWN + 1];	/* of the gate's tests, by answer */
	size_t alone;	/* of the family, how many could be flagged if they alone changed */
	size_t together;	/* so many must change before any can be flagged; 0: never */
	size_t runs;	/* so many of each would answer where it is not known */
	size_t few, many;	/* runs: the fewest and the most of a side in the family */
	size_t by_floors;	/* no worse, though the shift is more than the share to detect */
	size_t least_m, least_n;	/* runs of the test that can tell least */
	double least_p;	/* the smallest that it can have */
};
struct compared compare(struct test *, size_t n, const struct compare_how *);

#endif
