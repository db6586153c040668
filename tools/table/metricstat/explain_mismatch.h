/* explain_mismatch.h: why the figures of a summary's column differ from ours. */
#pragma once

#include "summary_columns.h"

/* The figures of one column, group by group. */
struct figure_pairs {
	const struct stat_table *s;
	struct statistic_of column;
	size_t *group;
	double *theirs, *ours;
	size_t n;
	double tolerance;
	size_t spare;	/* how many may be wrong if the others are explained */
	/* results */
	enum { PAIRS_SAME, PAIRS_ROUNDED, PAIRS_EXPLAINED, PAIRS_DIFFER } verdict;
	double ratio;	/* theirs / ours if it is the same for all; else NaN */
	size_t differ;
	bool *wrong;	/* one per group: not explained */
	char *why;	/* or NULL */
};
void explain_mismatch(struct figure_pairs *);
