/* plot_bars.h: bars and shares. */
#ifndef PLOT_BARS_H
#define PLOT_BARS_H

#include "plot_groups.h"

void plot_bars(struct plotting *);
void plot_largest(struct plotting *);
void plot_ranked(struct plotting *);

#endif
