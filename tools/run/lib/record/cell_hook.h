/* cell_hook.h: programs around the driver, its hooks, that act before and after each cell.
 * CELL_HOOK has the numbers of sockets, on which the driver asks, and waits until the hook has done
 * what it has to do; meanwhile the hook may use the kernel and the browser through the driver, and
 * have records written.  cellprofile(1) describes the lines.  Without a hook, nothing happens; if
 * one ends too early, so does the driver. */
#pragma once

#include "kernel/kernel_access.h"
#include "notebook/notebook.h"

/* Finds the hooks: what they add to the settings in the run record; the caller's. */
json_t *xcell_hook_settings(void);
/* When the kernel is ready: what they add to the run record; the caller's. */
json_t *xcell_hook_open(const struct kernel_access *, const char *notebook, const char *kernel_id);
void xcell_hook_before(const struct notebook_cell *);	/* it is pressed */
/* Before its record is written: they may add marks, and replace the usage of the kernel. */
void xcell_hook_ended(const struct notebook_cell *, json_t *record);
void xcell_hook_recorded(const struct notebook_cell *, const char *status);
void xcell_hook_round(size_t round);	/* from 1: all of its cells have run */
