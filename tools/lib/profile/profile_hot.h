/* profile_hot.h: where the time of a cell goes. */
#ifndef PROFILE_HOT_H
#define PROFILE_HOT_H

#include "profile/profile_fold.h"

/* Of each function of a cell the time in itself and in those that it calls of built-ins, the
 * standard library and the kernel; 0 for these.  NULL: there are no functions. */
double *profile_hot_times(const struct profile_cell *);
/* The innermost line that takes at least half of the cell's time or, if there is none, the
 * longest one.  NULL: no line was timed. */
const struct profile_line *profile_hot_line(const struct profile_cell *,
    const struct profile_code **);
/* "86 % of cell 5 is line 55 of spectrum.py, f, hit 30 times", from lines, else from functions;
 * the caller's.  NULL: there are neither. */
char *profile_hot_sentence(const struct profile_cell *);

#endif
