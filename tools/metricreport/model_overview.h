/* model_overview.h: the first screen in the model of a report: how long a person waits, whether it
 * became worse, and whether the numbers can be trusted. */
#ifndef MODEL_OVERVIEW_H
#define MODEL_OVERVIEW_H

#include "report.h"

/* Sets the totals, `title`, `wait`, `contention` and `excluded`. */
void model_overview(json_t *model, const struct report *);

#endif
