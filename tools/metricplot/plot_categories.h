/* plot_categories.h: the share of each category in each group. */
#ifndef PLOT_CATEGORIES_H
#define PLOT_CATEGORIES_H

#include "plot_groups.h"

void plot_categories(struct plotting *);
const char *plot_category_name(const struct plotting *, size_t k);	/* the last: unknown */
/* Sets names and colours of the categories, and the columns of their legend. */
void plot_category_key(const struct plotting *, json_t *values, bool unknown);

#endif
