/* plot_heat.h: medians as colours. */
#ifndef PLOT_HEAT_H
#define PLOT_HEAT_H

#include "plot_groups.h"

void plot_heatmap(struct plotting *);

#endif
