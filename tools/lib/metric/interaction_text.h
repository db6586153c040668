/* interaction_text.h: how an interaction was answered, in words and numbers. */
#pragma once

#include "json/span.h"
#include "metric/catalogue.h"

/* From its values by enum metric_id, NaN: unknown, and the record's `scripts`.  "answers after 310
 * ms, 240 ms of it in the kernel"; NULL: too little is known.  Valid until the next call. */
const char *interaction_text(const double *number, struct span scripts);
