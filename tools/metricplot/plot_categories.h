/* plot_categories.h: the share of each category in each group. */
#ifndef PLOT_CATEGORIES_H
#define PLOT_CATEGORIES_H

#include "plot_groups.h"

void plot_categories(struct plotting *);

#endif
