/* plot_dominant.h: one measure of the groups that make up most of another. */
#ifndef PLOT_DOMINANT_H
#define PLOT_DOMINANT_H

#include "plot_groups.h"

void plot_dominant(struct plotting *);

#endif
