/* model_findings.h: what other filters found, in the model of a report. */
#ifndef MODEL_FINDINGS_H
#define MODEL_FINDINGS_H

#include "report.h"

/* Sets `outliers`, `scaling` and `comparison`. */
void model_findings(json_t *model, const struct report *);

#endif
