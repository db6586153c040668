/* plot_groups.h: the groups of a figure, their statistics, and which of them are shown. */
#ifndef PLOT_GROUPS_H
#define PLOT_GROUPS_H

#include "plot.h"

/* Groups the rows of the table and computes the statistics of all measures. */
void plot_groups_make(struct plotting *, struct table *, const bool *keep);
void plot_groups_free(struct plotting *);
/* A statistic of a measure in a group of p->s or p->cells: value (of the measure's own statistic),
 * rows, n, sum, mean, sd, min, max, p5 and other percentiles, low and high (the last values within
 * 1.5 interquartile ranges of the quartiles); NaN: unknown. */
double plot_groups_number(const struct plotting *, const struct stat_table *, size_t group,
    size_t measure, const char *name);

#endif
