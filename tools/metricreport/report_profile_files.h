/* report_profile_files.h: links to the files that profilers made of a cell. */
#ifndef REPORT_PROFILE_FILES_H
#define REPORT_PROFILE_FILES_H

#include "profile/profile_fold.h"
#include "report_model.h"

/* Of the runs of a notebook, in report.profile_files; nothing if there are none. */
void report_profile_files(struct buf *, const struct report *, const char *notebook,
    const struct profile_cell *);

#endif
