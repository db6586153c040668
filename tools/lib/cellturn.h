/* cellturn.h: when a cell began, and when it had the kernel, by its record. */
#ifndef CELLTURN_H
#define CELLTURN_H

#include "scan.h"

/* Unix seconds, page's clock: the press, or the request of a cell that no input of
 * the person's led to; NaN: it did not run. */
double cell_begin_t(struct scan *cell);
/* Of a cell that waited behind another: before that its time is other cells'.  Unix
 * seconds by the kernel's clock, else by the page's; NaN: it did not wait. */
double cell_turn_t(struct scan *cell, bool kernels_clock);

#endif
