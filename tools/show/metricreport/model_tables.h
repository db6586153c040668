/* model_tables.h: the results of metricstat for any table, in the model of a report. */
#ifndef MODEL_TABLES_H
#define MODEL_TABLES_H

#include "report.h"

/* Sets `numbers`, `lead`, `notes`, `groups`, `check` and `largest`. */
void model_tables(json_t *model, const struct report *);

#endif
