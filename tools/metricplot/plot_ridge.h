/* plot_ridge.h: densities, one above the other. */
#ifndef PLOT_RIDGE_H
#define PLOT_RIDGE_H

#include "plot_groups.h"

void plot_ridge(struct plotting *);

#endif
