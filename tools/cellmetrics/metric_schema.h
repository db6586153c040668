/* metric_schema.h: the catalogue of metrics as JSON schemas. */
#ifndef METRIC_SCHEMA_H
#define METRIC_SCHEMA_H

#include <stdbool.h>

/* The metrics of cell_metrics or of notebook_metrics: a JSON object of schemas; the caller's. */
char *metric_schema(bool of_cells);

#endif
