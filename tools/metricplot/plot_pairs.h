/* plot_pairs.h: every pair of measures as points. */
#ifndef PLOT_PAIRS_H
#define PLOT_PAIRS_H

#include "plot_groups.h"

void plot_pairs(struct plotting *);

#endif
