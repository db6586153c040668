/* model.h: what a report says, as one JSON record: share/schema/report_model.json. Each section is
 * a function that sets its members; templates loop over them. */
#pragma once

#include "report.h"

json_t *xmodel_of(struct report *);	/* the report's; the caller's */
/* Returns the model of the page of one notebook, which shares parts of the report's. */
json_t *model_of_page(json_t *model, const struct report *, const struct report_notebook *);
