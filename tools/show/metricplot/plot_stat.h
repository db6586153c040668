/* plot_stat.h: statistics of a figure's groups and cells. */
#pragma once

#include "plot.h"

/* The number in the unit of its column: value (of the measure's own statistic), rows, n, sum,
 * mean, sd, min, max, p5 and other percentiles, low and high (the last values within 1.5
 * interquartile ranges of the quartiles); NaN: unknown. */
double plot_stat(const struct plotting *, const struct stat_table *, size_t group, size_t measure,
    const char *name);
/* All numbers and texts of a group, or of a cell, as share/figure/figure.jq has them.  The
 * caller's. */
json_t *plot_stat_all(const struct plotting *, const struct stat_table *, size_t group);
