/* report_profile.h: what profilers found in the cells of notebooks. */
#ifndef REPORT_PROFILE_H
#define REPORT_PROFILE_H

#include "report_model.h"

/* Reads profile records, as runprofile writes them; dies if the file cannot be read. */
void xreport_profile_read(struct report *, const char *path);
/* "; <a ...>profile</a>" after something about a cell: where its profile is, or nothing. */
void report_profile_link(struct buf *, const struct report *, const struct book *, long index);
report_part report_profiles;

#endif
