/* summary_check.h: compares a summary table from another tool with the rows. */
#ifndef SUMMARY_CHECK_H
#define SUMMARY_CHECK_H

#include "table/stat_figure.h"

#include <jansson.h>

/* An array of records; a new reference. */
json_t *summary_check_records(const struct stat_table *, const char *summary,
    const struct list *map, double tolerance, bool *differs);

#endif
