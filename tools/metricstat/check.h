/* check.h: a summary that somebody else made, against the rows. */
#ifndef CHECK_H
#define CHECK_H

#include "table/stat.h"

enum told { TOLD_COUNT, TOLD_SUM, TOLD_MEAN, TOLD_STD, TOLD_MIN, TOLD_MAX, TOLD_PERCENTILE, TOLD_IQR, TOLD_MAD, TOLD_SHARE, TOLD_UNKNOWN };

/* What a column of the summary is. */
struct meaning {
	size_t of;		/* index in stat's `of`; SIZE_MAX: not known */
	enum told told;
	double p;		/* of TOLD_PERCENTILE */
	struct unit unit;	/* that its name says; OF_NOTHING: none */
};
/* checkname.c: from its name ("memory_max_GiB", "run_time 95%"), or from `map`
 * ("NAME=COLUMN:STAT"). */
struct meaning meaning_of(const struct stat *, const char *name, const struct list *map);
char *meaning_text(const struct stat *, const struct meaning *);	/* "max of memory" */

/* checkwhy.c: what the numbers of one column are, group by group. */
struct pairs {
	const struct stat *s;
	struct meaning m;
	size_t *group;
	double *theirs, *ours;
	size_t n;
	double tolerance;
	size_t spare;	/* so many may be wrong, and the rest be explained */
	/* found */
	enum { SAME, ROUNDED, EXPLAINED, DIFFERENT } verdict;
	double ratio;	/* theirs / ours where it is one for all; else NaN */
	size_t differ;
	bool *wrong;	/* one a group: not explained */
	char *why;	/* or NULL */
};
/* The figure as we tell it, of one group. */
double our_figure(const struct stat *, const struct meaning *, size_t group);
void explain(struct pairs *);

#endif
