/* report_table_numbers.h: the numbers with which a report of any table begins. */
#ifndef REPORT_TABLE_NUMBERS_H
#define REPORT_TABLE_NUMBERS_H

#include "base/buf.h"

#include <jansson.h>
#include <stdbool.h>

/* Rows, the longest time with its largest group, the efficiency, the peak memory: those that
 * metricstat's records have. */
void report_table_numbers(struct buf *, const json_t *stats);
bool report_table_is_total(const json_t *stat);	/* of all groups */
/* A key that metricstat derived from limits or conditions, not a column. */
bool report_table_is_derived(const char *key);

#endif
