/* chart_bins.h: a time series as the columns of a chart. */
#pragma once

#include "chart.h"
#include "run/series.h"

/* A piece of time that is shown, beginning at `at` on the axis. */
struct stretch {
	double from_t, to_t, at;
};
/* The columns of the axis from `from` to `to`; the caller frees them. */
struct chart_bin *chart_bins(const struct time_series *, const struct series_def *,
    const struct stretch *, size_t stretches, double from, double to, size_t bins);
