/* two_samples.h: is it worse?  Families of tests, one for each cell and metric, of samples or of
 * pairs. */
#pragma once

#include "stats/pairs.h"
#include "stats/power.h"
#include "stats/rank_test.h"
#include "stats/test_result.h"

#include <stdbool.h>
#include <stddef.h>

/* How the deviations from the median, as a share of it, changed. */
enum spread_change { SPREAD_SAME, SPREAD_GREW, SPREAD_SHRANK };
extern const char *const two_samples_spreads[];	/* NULL, "grew", "shrank" */

struct test_settings {
	double alpha;	/* probability of a false alarm where nothing changed; also the false
			 * discovery rate among a notebook's cells */
	double relative;	/* smaller shifts are never flagged: a share of the base's median */
	double detect;	/* "no worse" rules out a shift of this share of the base's median */
	const size_t *look;	/* pairs at each look before this one; NULL: there was none */
	size_t looks, planned;	/* planned: pairs at most; 0: those that there are */
};
/* For a quick cell, "no worse" rules out a shift of this many absolute floors. */
#define DETECT_FLOORS 10

struct test {
	const double *x, *y;	/* sorted: the base's values and the label's */
	size_t m, n;
	double floor;	/* smaller shifts are never flagged: in the metric's unit */
	bool more_is_better, gate;
	bool is_total;	/* a notebook's sum, which is tested before its cells */
	const struct test *total;	/* of a cell: the test of the sum; NULL: there is none */
	const double *pair;	/* differences of pairs, see stats/pairs.h; NULL: two samples */
	const double *weight;	/* of each pair; NULL: 1 */
	size_t pairs;	/* of all tests of a family alike */
	size_t family;	/* of pairs: tests of one family are corrected together */
	bool in_logs;	/* the differences are of logarithms */
	size_t pairs_known;	/* result: of `pairs` those that have a difference */
	bool counted;	/* its values are counts, which hardly vary; see `steady` */
	bool only_worse;	/* it is of the gate only where it is worse */
	/* Results of two_samples_compare(); NaN: unknown. */
	double x_median, y_median, x_mad, y_mad;
	struct rank_sum sum;
	struct rank_shift shift;
	struct rank_sum deviations;	/* U test of the deviations from each median */
	/* p, adjusted over the gate's tests (at most alpha: certain); over all tests of spread. */
	double q, spread_q;
	struct power_noise noise;
	/* The p at which it is flagged if it alone changes; and if its total is flagged, too. */
	double alone, within;
	double threshold;	/* only larger shifts are flagged */
	double tolerance;	/* "no worse" rules out shifts from here on */
	double detectable;	/* minimum detectable effect, with a power of 80 % */
	/* Runs of each that would detect the larger of `tolerance` and the shift; 0: more than a
	 * million. */
	size_t runs_needed;
	/* It is counted, and each label's values lie within its floor: there is no chance in it. */
	bool steady;
	double cv;	/* variation of a single run, as a share; NaN: unknown */
	enum test_result result;
	bool small;	/* certain, but the shift does not exceed `threshold` */
	enum spread_change spread;	/* certain, and by more than `relative` */
};
struct test_totals {
	size_t family;	/* tests of the gate that have values on both sides */
	size_t count[TEST_RESULTS];	/* of the gate's tests, by result */
	size_t max_detectable; /* tests of the family that could be flagged if they alone changed */
	size_t runs_needed;	/* of each, for a result where it is unknown */
	size_t min_runs, max_runs;	/* of one side, in the family */
	size_t least_runs;	/* of each, for any test to be flagged if it alone changed */
	size_t by_floors;	/* no worse thanks to the floors: the shift exceeds `detect` */
};
struct test_totals two_samples_compare(struct test *, size_t n, const struct test_settings *);
