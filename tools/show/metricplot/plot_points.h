/* plot_points.h: the rows that a kind of figure needs. */
#pragma once

#include "plot.h"

/* Adds the rows that one of the kind's "data" says, of all parts that the pane shows. */
void plot_points_add(const struct plotting *, const struct pane *, const json_t *data, json_t *to);
/* Marks the rows that have a value far outside the quartiles, on its axis as it is drawn. */
void plot_points_mark_far(struct plotting *);
