/* profile_hot.h: where the time of a cell goes. */
#pragma once

#include "profile_fold.h"

/* The time of each function of a cell in itself and in those that it calls of built-ins, the
 * standard library and the kernel; 0 for these.  NULL: there are no functions. */
double *profile_hot_times(const struct profile_cell *);
/* The cell's own line that takes most of its time, or if none was timed the line that names it
 * everywhere; borrowed.  NULL: unknown. */
const char *profile_hot_name(const struct profile_cell *);
/* The innermost function of a package that takes, with all that it calls, at least half of the
 * cell's time; none: the number of functions. */
size_t profile_hot_inner(const struct profile_cell *);
double profile_hot_wall_s(const struct profile_cell *);	/* of which functions have shares */
/* "glue" for "glue/core/data.py"; the file if it is the user's own; the caller's. */
char *profile_hot_package(const char *file);
/* "time by package: yaml 24 %, traitlets 12 %", with what they call of built-ins and the standard
 * library; the caller's.  NULL: there are no functions. */
char *profile_hot_packages(const struct profile_cell *);
