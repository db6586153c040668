/* plot_waterfall.h: a notebook's cells in order, by phase. */
#ifndef PLOT_WATERFALL_H
#define PLOT_WATERFALL_H

#include "plot_groups.h"

void plot_waterfall(struct plotting *);

#endif
