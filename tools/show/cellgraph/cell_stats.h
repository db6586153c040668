/* cell_stats.h: the numbers of cells that are shown next to a graph's curves. */
#pragma once

#include "cell_chart.h"

/* What the readings at the cell's two ends say it used; NaN: nothing. */
double cell_stats_usage(const struct run_cell *, size_t metric, size_t slot);
/* Seconds between those two readings. */
double cell_usage_s(const struct run_cell *);
bool cell_stats_has_samples(const struct view *, const struct run_cell *, size_t metric,
    size_t slot);
/* What samples say of that cell; NULL: of all that is shown. */
struct series_stats cell_stats_sampled(const struct view *, const struct run_cell *, size_t metric,
    size_t slot);
/* "0.90 s, mean 90.0 %"; NULL: nothing is known. */
char *cell_stats_text(const struct view *, size_t metric, size_t slot);
/* Each of several cells is shown from its turn on: the time that a queued one waited is shown as
 * the cell's that had the kernel. */
double cell_shown_from(const struct view *, const struct run_cell *);
double cell_shown_s(const struct view *, const struct run_cell *);
