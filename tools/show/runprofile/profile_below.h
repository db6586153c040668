/* profile_below.h: own lines as sampled, and what they call of others. */
#pragma once

#include "profile_fold.h"

/* Adds a profile_below record to its cell. */
void xprofile_below_fold(struct profile_cell *, struct scan *, const struct lines *,
    const struct profile_fold *);
/* The innermost function that has at least half of the line's time: of a package, else of the
 * standard library.  NULL: there is none. */
const struct profile_callee *profile_below_innermost(const struct profile_below *);
