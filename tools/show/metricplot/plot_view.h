/* plot_view.h: the views of a figure: their size, axes and data. */
#pragma once

#include "plot.h"

/* Adds the kind's views and notes to a figure whose groups are chosen. */
void plot_view_all(struct plotting *);
