/* plot_part.h: the parts of a figure, groups or cells (groups by key), and their rows of data. */
#ifndef PLOT_PART_H
#define PLOT_PART_H

#include "plot_row.h"

size_t plot_part_count(const struct plotting *, bool cells);
/* The row of a part, whose `own` is the caller's; false: the pane does not show it. */
bool plot_part_row(const struct plotting *, const struct pane *, size_t part, bool cells,
    struct row *);
/* Adds the rows that one of the kind's "data" needs. */
void plot_part_add(const struct plotting *, const struct pane *, const json_t *data, json_t *to);

#endif
