/* trace_stack.h: the stacks of threads in a profiled cell, as slices within each other, and the
 * tasks of dask's workers. */
#pragma once

#include "json/scan.h"

/* Takes in a record; false: it is not about stacks or tasks. */
bool trace_stack_read(struct scan *);
/* Draws the stacks of the cell whose records came last. */
void trace_stack_end(void);
