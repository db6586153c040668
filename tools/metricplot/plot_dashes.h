/* plot_dashes.h: a bar for one measure of each group, a dash for another. */
#ifndef PLOT_DASHES_H
#define PLOT_DASHES_H

#include "plot_groups.h"

void plot_dashes(struct plotting *);

#endif
