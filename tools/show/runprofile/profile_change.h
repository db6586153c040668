/* profile_change.h: which functions and lines changed against other profile runs. */
#pragma once

#include "profile_fold.h"

/* To stdout: what changed, as text, or a record for each function and line that is in both.  Dies
 * with ST_UNKNOWN if there is none. */
void xprofile_change_put(const struct profile_fold *base, const struct profile_fold *,
    bool records);
