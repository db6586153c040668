/* model_slowest.h: the slowest cells and the diagnoses in the model of a report. */
#ifndef MODEL_SLOWEST_H
#define MODEL_SLOWEST_H

#include "report.h"

/* Sets `slowest`, `pictures` and `diagnoses`. */
void model_slowest(json_t *model, const struct report *);

#endif
