/* cell_hook.h: a program around the driver, its hook, that acts before and after each cell.
 * CELL_HOOK is the number of a socket, on which the driver asks and waits until the hook has done
 * what it has to do; meanwhile the hook may use the kernel and the browser through the driver, and
 * have records written.  cellprofile(1) describes the lines.  Without a hook, nothing happens; if
 * it ends too early, so does the driver. */
#ifndef CELL_HOOK_H
#define CELL_HOOK_H

#include "kernel/kernel_access.h"
#include "notebook/notebook.h"

/* What the run record says of it; NULL: there is no hook. */
const json_t *xcell_hook_settings(void);
void xcell_hook_open(const struct kernel_access *, const char *notebook, const char *kernel_id);
/* Before a cell is pressed: what it does to the cell, for the marks of its record; NULL: nothing,
 * so xcell_hook_after() must not be called.  Valid until the next call. */
const char *xcell_hook_before(const struct notebook_cell *);
/* After the cell's record has been written. */
void xcell_hook_after(const struct notebook_cell *, const char *status);

#endif
