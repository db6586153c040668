/* plot_model.h: what share/figure/figure.jq gets of a figure. */
#pragma once

#include "plot.h"

/* Its options, measures, groups and cells with their statistics.  The caller's. */
json_t *plot_model(const struct plotting *, size_t table_rows);
