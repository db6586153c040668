/* summary_columns.h: the meaning of a summary's column. */
#pragma once

#include "table/statistic.h"

/* Reads it from the name of the column ("memory_max_GiB", "run_time 95%"), or from `map`
 * ("NAME=COLUMN:STAT"). */
struct statistic_of xsummary_column(const struct stat_table *, const char *name,
    const struct list *map);
/* "max of memory" */
char *summary_column_text(const struct stat_table *, const struct statistic_of *);
