/* model_profile.h: what profilers found in the cells of notebooks, in the model of a report. */
#pragma once

#include "report.h"

/* Reads profile records, as runprofile writes them; dies if the file cannot be read. */
void xmodel_profile_read(struct report *, const char *path);
/* Returns where the profile of a cell is: {file, notebook}, which is null if it is the cell's own;
 * null: nowhere. */
json_t *model_profile_link(const struct report *, const struct report_notebook *, long index);
/* Returns what was found in each cell, as input of model.jq. */
json_t *model_profiles(const struct report *);
/* Sets `profiles` of one notebook or of all (NULL), from those of all, and `profiles_full`: whether
 * they are shown, or just sentences, because they are on pages. */
void model_set_profiles(json_t *model, const struct report *, const struct report_notebook *only);
