/* model_record.h: records of other filters, which become rows of the model with more members. */
#ifndef MODEL_RECORD_H
#define MODEL_RECORD_H

#include <jansson.h>

/* A string member; "" if there is none. */
const char *model_text(const json_t *, const char *key);
/* Sets `title`, that of a column in all other output. */
void model_set_title(json_t *row, const char *column);
/* Sets `full_column`, the column of metricstat's record with its unit ("run_time_s"), and its
 * title. */
void model_set_column(json_t *row);
/* The records by these members, numbers or texts, or from the largest ("-t"); the last key is NULL.
 * A new array. */
json_t *model_sorted(const json_t *records, const char *const keys[]);

#endif
