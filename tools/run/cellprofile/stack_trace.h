/* stack_trace.h: the stacks of threads over time, from a trace that py-spy wrote. */
#pragma once

#include "notebook/notebook.h"

/* Writes profile_stack records from a trace in Chrome's format, of which zero_t is the zero in unix
 * seconds and t the begin of the cell; thread_watch.h knows when the threads ran.  Returns how many
 * stacks there were. */
size_t stack_trace_write(const struct notebook_cell *, const char *text, size_t n, double zero_t,
    double t, double rate_hz);
/* Microseconds at its end; 0: it has no event. */
double stack_trace_end_us(const char *text, size_t n);
