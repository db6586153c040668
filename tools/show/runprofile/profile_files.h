/* profile_files.h: files for other viewers of profiles. */
#pragma once

#include "profile_fold.h"

/* From now on, the files that are read are written to this folder. */
void profile_files_open(struct profile_fold *, const char *folder);
/* Writes each cell's stacks there, as CELL.collapsed.txt and CELL.speedscope.json. */
void xprofile_files_stacks(const struct profile_fold *);
