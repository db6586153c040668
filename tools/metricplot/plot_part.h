/* plot_part.h: the parts of a figure, groups or cells (groups by key), and their rows of data. */
#ifndef PLOT_PART_H
#define PLOT_PART_H

#include "plot_row.h"

size_t plot_part_count(const struct plotting *, bool cells);
/* The row of a part, with its names and statistics; false: the pane does not show it. */
bool plot_part_row(const struct plotting *, const struct pane *, size_t part, bool cells,
    struct row *);
/* The rows of the table that a part has: from..to-1 of row->s->g.rows. */
void plot_part_rows(const struct row *, size_t *from, size_t *to);
/* Adds the rows that one of the kind's "data" needs. */
void plot_part_add(const struct plotting *, const struct pane *, const json_t *data, json_t *to);

#endif
