/* plot_points.h: single values of a figure's groups or cells. */
#pragma once

#include "plot.h"

/* For each pane of a plan by share/figure/figure.jq the units of its axes, and what its data need
 * of single values.  The caller's. */
json_t *plot_points(const struct plotting *, const json_t *plan);
