/* model_table_numbers.h: the numbers with which a report of any table begins. */
#ifndef MODEL_TABLE_NUMBERS_H
#define MODEL_TABLE_NUMBERS_H

#include <jansson.h>
#include <stdbool.h>

/* A list of {title, value, column, about, of, pct}, from metricstat's records. */
json_t *model_table_numbers(const json_t *stats);
/* Whether a record of metricstat is of all groups together. */
bool model_table_is_total(const json_t *stat);
/* Whether a key was derived from the values, as a cohort is. */
bool model_table_is_derived(const char *key);

#endif
