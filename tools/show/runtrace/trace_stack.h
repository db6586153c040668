/* trace_stack.h: the stacks of threads in a profiled cell, as slices within each other, the tasks
 * of dask's workers, and the stages of Spark. */
#pragma once

#include "json/scan.h"

/* Takes in a record; false: it is about none of these. */
bool trace_stack_read(struct scan *);
/* Draws the stacks of the cell whose records came last. */
void trace_stack_end(void);
