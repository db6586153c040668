/* stack_profile.h: the stacks of the kernel's processes during a cell, from outside (py-spy). */
#pragma once

#include "notebook/notebook.h"

#include <sys/types.h>

/* Starts py-spy, of the folder `overlay` or else of PATH, on a kernel: NULL, or why it cannot
 * sample, which the caller frees. */
char *stack_profile_start(const char *overlay, pid_t kernel);
/* Ends it and writes the records of a cell that started at unix time t: nbscope-records(7). */
void stack_profile_write(const struct notebook_cell *, double t);
