/* repeated.h: the repetitions of each notebook: which one stands for all, and their range. */
#pragma once

#include "metric/summary.h"

struct repeated {
	const size_t *runs;	/* n of summary.v; those with a time first, by time */
	size_t n, failed, skipped;
	size_t shown;	/* of summary.v: the run nearest to the median time, or one that failed */
	double median_s, least_s, most_s;	/* NaN: none has a time */
	double speed_index_s;	/* of the notebook's film; NaN: there is none */
};
/* Compares the runs at[0..n-1] of one notebook, which it sorts and refers to; a film counts only if
 * there is no other. */
struct repeated repeated_of(const struct summary *, size_t *at, size_t n);
/* Finds those of each notebook of each label, in the order of their first runs; *n of them; the
 * caller's. */
struct repeated *repeated_find(const struct summary *, size_t *n);
