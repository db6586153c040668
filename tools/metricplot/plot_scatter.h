/* plot_scatter.h: histograms and hulls. */
#ifndef PLOT_SCATTER_H
#define PLOT_SCATTER_H

#include "plot_groups.h"

void plot_histogram(struct plotting *);
void plot_hulls(struct plotting *);

#endif
