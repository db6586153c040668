/* plot_view.h: the views of a figure: their size, axes, data and specification. */
#ifndef PLOT_VIEW_H
#define PLOT_VIEW_H

#include "plot.h"

/* Adds the kind's views and notes to a figure whose groups are chosen. */
void plot_view_all(struct plotting *);
json_t *plot_view_spec(const struct plotting *, const char *id, const char *about);

#endif
