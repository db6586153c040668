/* model_profile.h: what profilers found in the cells of notebooks, in the model of a report. */
#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H

#include "report.h"

/* Reads profile records, as runprofile writes them; dies if the file cannot be read. */
void xmodel_profile_read(struct report *, const char *path);
/* Returns where the profile of a cell is, {href, notebook}; null: nowhere.  `page` links to it;
 * NULL: the report. */
json_t *model_profile_link(const struct report *, const struct report_notebook *, long index,
    const struct report_notebook *page);
/* Sets `profiles`, of one notebook or of all (NULL): just sentences if they are on pages. */
void model_profiles(json_t *model, const struct report *, const struct report_notebook *only);

#endif
