/* model_record.h: objects of the model, sorted. */
#ifndef MODEL_RECORD_H
#define MODEL_RECORD_H

#include <jansson.h>

/* The records by these members, numbers or texts, or from the largest ("-t"); the last key is NULL.
 * A new array. */
json_t *model_sorted(const json_t *records, const char *const keys[]);

#endif
