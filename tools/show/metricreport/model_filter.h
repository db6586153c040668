/* model_filter.h: the parts of a report's model that follow from records of other filters. */
#pragma once

#include "report.h"

/* Starts jq, which needs a moment to be ready. */
void xmodel_filter_start(void);
/* Sends it the records and the rows of all notebooks, {NAME: row}.  Once. */
void xmodel_filter_send(const struct report *, const json_t *notebooks);
/* Sets what share/report/model.jq makes of them. */
void xmodel_filter_end(json_t *model, struct report *);
