/* model_filter.h: the parts of a report's model that follow from records of other filters. */
#ifndef MODEL_FILTER_H
#define MODEL_FILTER_H

#include "report.h"

/* Starts jq, which needs a moment to be ready. */
void xmodel_filter_start(void);
/* Sets what share/report/model.jq makes of the records and the model.  Once. */
void xmodel_filter(json_t *model, const struct report *);

#endif
