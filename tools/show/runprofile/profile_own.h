/* profile_own.h: the author's own lines in a cell, and their shares of its time. */
#pragma once

#include "profile_fold.h"

struct profile_own {
	const char *file, *function, *source;	/* source: NULL: unknown */
	long first_line, line;
	double share;	/* of the cell or its threads, with all that it calls: 0 to 1 */
	double inner;	/* the part of it that is not in other own lines; 0 if it was not sampled */
	const struct profile_below *below;	/* NULL: it was not sampled */
	const struct profile_code *code;	/* NULL: its hits were not counted */
	const struct profile_line *counted;
};
/* The innermost line that takes at least half of the time or, if there is none, the one that has
 * most without other own lines.  false: there is none. */
bool profile_own_line(const struct profile_cell *, bool threads, struct profile_own *);
/* Sets the shares of all lines, counted and sampled. */
void profile_own_set(struct profile_cell *);
/* What the shares of lines are of where only their hits were counted. */
double profile_own_wall_s(const struct profile_cell *);
