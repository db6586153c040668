/* cell_seen.h: what a driver without a page has seen of a cell. */
#ifndef CELL_SEEN_H
#define CELL_SEEN_H

#include "kernel_cells.h"

/* The members that a page would report of the cell that ran last: cell_record.h. */
json_t *cell_seen(struct kernel_cells *, const char *outcome);

#endif
