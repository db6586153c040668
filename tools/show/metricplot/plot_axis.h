/* plot_axis.h: scales, titles and units of a view's axes. */
#pragma once

#include "plot.h"

/* Sets NAME_title, NAME_scale, NAME_axis and NAME_extent as one of the kind's "axes" says, the
 * pane's axis, and the ratios of the measures on it. */
void plot_axis_set(struct plotting *, struct pane *, const char *name, const json_t *definition,
    json_t *values);
/* The axis of all values of a measure, or of those above 0; the least one above the most: there is
 * none. */
struct value_axis plot_axis_of(const struct plotting *, size_t measure, bool positive);
/* Where x, in the column's unit, is between the ends of the values: 0 to 1. */
double plot_axis_share(const struct value_axis *, double x);
double plot_axis_at(const struct value_axis *, double share);	/* its inverse */
