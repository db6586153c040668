/* sampling_overhead.h: how much sampling slows cells down, by runs with it and without. */
#pragma once

#include "base/nbscope.h"

/* One time of one cell of a run that began at run_t; NaN is left out. */
void sampling_overhead_add(const char *kind, const char *metric, bool sampled, double run_t,
    double ms);
bool sampling_overhead_any(void);
/* Judges everything added, and prints a line for each kind and metric, or writes its record.
 * ST_DIFFERS: sampling costs more than it may; ST_UNKNOWN: there are no runs, or they differ too
 * much among themselves. */
enum exit_status sampling_overhead_rows(bool table);
