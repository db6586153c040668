/* added_time.h: the time that nbscope adds between a cell and the next. */
#pragma once

#include "browser/wd.h"

/* How long the driver takes for a script that does nothing, in ms; NaN: it does not answer. */
double added_time_driver_ms(struct wd *);
/* The `added` member of a cell's record, which is complete now: what the page reports came at
 * answered_t.  null for a cell that did not end. */
json_t *added_time(const json_t *seen, double answered_t);
