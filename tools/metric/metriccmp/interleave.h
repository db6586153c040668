/* interleave.h: in which order the runs of two labels were made. */
#pragma once

#include "metric/results.h"

struct interleave {	/* of a label's runs and the base's, by their times */
	size_t label;
	size_t a, b;	/* the labels A and B of the order */
	char *order;	/* "ABBA", of most notebooks; NULL: unknown */
	size_t notebooks, other_orders;	/* compared; in another order than this one */
	size_t pairs;	/* the largest repetition of the label's runs; set by compare_labels() */
	bool interleaved;	/* in no notebook all runs of one label precede the other's */
	size_t planned;	/* pairs at most; 0: those that there are */
	size_t *look, looks;	/* the pairs at which it was looked before */
	double gap_s;	/* begin of one's last run to the other's first; 0: overlap; NaN: unknown */
	bool label_first;	/* where gap_s > 0 */
	const json_t *seed;	/* of the interleaving record, if its order is this one; or NULL */
};
struct interleave interleave_of(const struct results *, size_t base, size_t label);
