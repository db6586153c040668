/* plot_distribution.h: the distribution of values in rows. */
#ifndef PLOT_DISTRIBUTION_H
#define PLOT_DISTRIBUTION_H

#include "plot_groups.h"

void plot_bands(struct plotting *);
void plot_points(struct plotting *);
void plot_whiskers(struct plotting *);
void plot_box(struct plotting *);
void plot_ridge(struct plotting *);

#endif
