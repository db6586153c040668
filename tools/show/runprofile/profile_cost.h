/* profile_cost.h: the kernel time of cells without a profiler. */
#ifndef PROFILE_COST_H
#define PROFILE_COST_H

#include "profile/profile_fold.h"

/* Reads it from cell_metrics records, those of the same notebooks and cells. */
void xprofile_cost_read(struct profile_fold *, const char *path);

#endif
