/* model_about.h: what was measured, where and how, and what is next to it, in the model of a
 * report. */
#ifndef MODEL_ABOUT_H
#define MODEL_ABOUT_H

#include "report.h"

/* Sets `environment`, `method`, `marks`, `calibration`, `figures`, `links` and `reports`. */
void model_about(json_t *model, const struct report *);

#endif
