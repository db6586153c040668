/* profile_calls.h: functions, and which function called which. */
#pragma once

#include "profile_fold.h"

/* Adds a profile_function record to its cell.  Sampled functions are left out if there are others,
 * which have calls. */
void xprofile_calls_fold(struct profile_cell *, struct scan *, const struct lines *,
    const struct profile_fold *);
/* A run is over: its numbers of functions mean nothing in the next one. */
void profile_calls_resolve(struct profile_cell *);
