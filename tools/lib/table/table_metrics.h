/* table_metrics.h: rows of tables as metrics, so that tables are compared like runs. */
#pragma once

#include "metric/results.h"
#include "table/table.h"

#include <jansson.h>

struct table_metrics;
/* Columns of which most values are numbers become columns of numbers.
 * `by`: the columns that name a cell; none: nbscope's own.  `metrics`: those to write, of which
 * the table may lack some; none: all with numbers.  by_file: the file's path is the label. */
struct table_metrics *xtable_metrics_of(struct table *, const struct list *by,
    const struct list *metrics, bool by_file);
/* A table_metrics record; a new reference. */
json_t *table_metrics_record(const struct table_metrics *, size_t row);
void table_metrics_free(struct table_metrics *);

/* Reads the records of files (none: stdin), or the rows of tables (CSV, Parquet, folders of them);
 * with `by`, all files are tables. */
void xtable_metrics_read(struct results *, char **paths, const struct list *by);
