/* plot_points.h: single values of a figure's groups or cells. */
#pragma once

#include "plot.h"

/* The units of the axes that share/figure/figure.jq plans, and how many rows are far from the
 * others, which are marked if it asks for that.  The caller's. */
json_t *plot_points_units(struct plotting *, const json_t *plan);
/* Puts the rows of single values where a specification has their place in `singles`, which says
 * which they are. */
void plot_points_put(const struct plotting *, json_t *spec, const json_t *singles);
