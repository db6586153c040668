/* plot_view.h: the views of a figure: their size, axes and data. */
#ifndef PLOT_VIEW_H
#define PLOT_VIEW_H

#include "plot.h"

/* Adds the kind's views and notes to a figure whose groups are chosen. */
void plot_view_all(struct plotting *);

#endif
