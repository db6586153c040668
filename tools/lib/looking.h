/* looking.h: what procsample adds to a cell's time, from runs with it and without. */
#ifndef LOOKING_H
#define LOOKING_H

#include "nbscope.h"

/* One time of one cell of a run that began at run_t; NaN is not kept. */
void looking_add(const char *kind, const char *metric, bool sampled, double run_t, double ms);
bool looking_any(void);
/* Judges all that were added, and prints a line for each kind and metric, or its
 * record.  ST_DIFFERS: it adds more than it may; ST_UNKNOWN: the runs differ too
 * much among themselves to tell, or there are none. */
enum status looking_rows(bool table);

#endif
