/* plot_data.h: the rows that a kind of figure needs. */
#ifndef PLOT_DATA_H
#define PLOT_DATA_H

#include "plot.h"

/* Adds the rows that one of the kind's "data" says, of all parts that the pane shows. */
void plot_data_add(const struct plotting *, const struct pane *, const json_t *data, json_t *to);

#endif
