/* plot_groups.h: the groups of a figure, their statistics, and which of them are shown. */
#pragma once

#include "plot.h"

/* Groups the rows of the table and computes the statistics of all measures.  The style of a group
 * is its rank by the sum of the first measure in the whole table, the same in all figures. */
void plot_groups_make(struct plotting *, struct table *, const bool *keep);
/* Chooses the groups that are shown, as the kind's "groups" say. */
void plot_groups_choose(struct plotting *);
void plot_groups_free(struct plotting *);
