/* trace_run.h: what a run is in a trace: its slice, its metadata, and what happened in it
 * outside of cells. */
#pragma once

#include "run/run_reader.h"

/* Unix microseconds; INT64_MIN where there is no time. */
int64_t trace_us(double t);
/* The record's "t", exactly; dies with ST_INPUT where it has none. */
int64_t xtrace_record_us(struct scan *, const struct lines *);

void trace_run_begin(struct scan *, const struct run_reader *);
/* NULL: the run was incomplete.  Nothing where no run is open. */
void trace_run_end(const struct run_reader *);
/* The run lasts until then at least; returns the time. */
int64_t trace_run_until(int64_t us);
void trace_run_bound(double bound_ms);	/* of the clock offset of one of its cells */
/* Other events: a fault, a line of the console. */
void trace_run_instant(struct scan *, const char *track, int64_t t_us);
/* The metadata of all runs, a JSON object; the caller's. */
char *trace_run_about(void);
/* The members of a record that the picture itself does not show, as an object. */
char *trace_run_args(const struct scan *);
