/* profile_change.h: which functions and lines changed against other profile runs. */
#ifndef PROFILE_CHANGE_H
#define PROFILE_CHANGE_H

#include "profile/profile_fold.h"

/* To stdout.  Dies with ST_UNKNOWN if no function or line is in both. */
void xprofile_change_put(const struct profile_fold *base, const struct profile_fold *);

#endif
