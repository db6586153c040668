/* metric_series.h: the quantities of `sample` records, as graphs and traces show them over time and
 * tables list them. */
#pragma once

#include "run/series.h"

enum { METRIC_SERIES = 25 };
extern const struct series_def metric_series[METRIC_SERIES];
