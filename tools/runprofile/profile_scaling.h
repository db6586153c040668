/* profile_scaling.h: how the time and the hits of lines and functions grow with parameters. */
#ifndef PROFILE_SCALING_H
#define PROFILE_SCALING_H

#include "profile/profile_fold.h"

/* To stdout, as text or as records: of each cell at most `top` lines and functions, those that take
 * most time.  Dies with ST_UNKNOWN if no parameter has two values. */
void xprofile_scaling_put(const struct profile_fold *, size_t top, bool records);

#endif
