/* trace_number.h: the numbers of a trace: what samples hold of each process, and others. */
#pragma once

#include "json/scan.h"
#include "trace.h"

/* One `sample` record, taken at t_us. */
void trace_sample(struct scan *, int64_t t_us);
/* The run is over: no rate goes on behind its last sample. */
void trace_end_rates(void);
/* One number of a series that no sample has; nothing where it is not finite. */
void trace_number(struct trace_series *, int64_t t_us, double value);
