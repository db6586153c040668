/* plot_ab.h: each run of several labels. */
#ifndef PLOT_AB_H
#define PLOT_AB_H

#include "plot_groups.h"

void plot_ab(struct plotting *);

#endif
