/* model_profile.h: the profiles of cells in the model of a report: which page has them. */
#pragma once

#include "report.h"

/* Returns the profilers' own files of a notebook, from the last folder of `profile_files` on. */
json_t *model_profile_files(const struct report *, const struct report_notebook *);
/* Returns where the profile of a cell is, from `profiled`: {file, notebook}, which is null if it is
 * the cell's own; null: nowhere. */
json_t *model_profile_link(const json_t *model, const struct report *,
    const struct report_notebook *, long index);
/* Sets `profiles` to those of one notebook, from those of all. */
void model_set_profiles(json_t *page, const struct report_notebook *);
