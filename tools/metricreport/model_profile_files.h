/* model_profile_files.h: the files that profilers made of a cell. */
#ifndef MODEL_PROFILE_FILES_H
#define MODEL_PROFILE_FILES_H

#include "profile/profile_fold.h"
#include "report.h"

/* Appends {name, href} for each; `page`: whose page links to it; NULL: the report. */
void model_profile_files(json_t *list, const struct report *, const char *notebook,
    const struct profile_cell *, const struct report_notebook *page);

#endif
