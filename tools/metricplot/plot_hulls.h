/* plot_hulls.h: one measure against another, with a convex hull around each group. */
#ifndef PLOT_HULLS_H
#define PLOT_HULLS_H

#include "plot_groups.h"

void plot_hulls(struct plotting *);

#endif
