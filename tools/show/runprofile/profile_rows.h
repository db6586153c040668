/* profile_rows.h: lines, allocations, stacks and tasks of a cell, folded over runs. */
#pragma once

#include "profile_fold.h"

/* Each adds a record of its kind to its cell. */
void xprofile_rows_line(struct profile_cell *, struct scan *, const struct lines *,
    const struct profile_fold *);
void xprofile_rows_allocation(struct profile_cell *, struct scan *, const struct lines *,
    const struct profile_fold *);
void xprofile_rows_stack(struct profile_cell *, struct scan *, const struct lines *,
    const struct profile_fold *);
void xprofile_rows_task(struct profile_cell *, struct scan *, const struct lines *,
    const struct profile_fold *);
