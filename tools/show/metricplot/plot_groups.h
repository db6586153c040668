/* plot_groups.h: the groups of a figure, their statistics, and which of them are shown. */
#pragma once

#include "plot.h"

/* Groups the rows of the table and computes the statistics of all measures. */
void plot_groups_make(struct plotting *, struct table *, const bool *keep);
/* Chooses the groups that are shown, as the kind's "groups" say. */
void plot_groups_choose(struct plotting *);
void plot_groups_free(struct plotting *);
