/* plot_points.h: single values of a part, the hull around them and the line through them. */
#ifndef PLOT_POINTS_H
#define PLOT_POINTS_H

#include "plot_row.h"

/* Adds the values of the pane's first measure, or the pairs of its first two: those in one of the
 * axes' "places" once, or "crowd" times; "outside": only those outside the whiskers. */
void plot_points_add(const struct row *, const json_t *data, json_t *to);
/* Adds how many values are in each of --bins parts of the axis. */
void plot_points_add_bins(const struct row *, const json_t *data, json_t *to);
/* Adds the places of the values on the axis, 0 to 1, or of as many quantiles as "most" says. */
void plot_points_add_sample(const struct row *, const json_t *data, json_t *to);
/* Adds the corners of the convex hull, on the axes as they are drawn: Vega-Lite has none. */
void plot_points_add_hull(const struct row *, const json_t *data, json_t *to);
/* Adds the ends of the line of least squares of the logarithms, with its slope; one row
 * without, where there is none.  Vega-Lite does not know whether a slope differs from 0. */
void plot_points_add_line(const struct row *, const json_t *data, json_t *to);
/* Marks the rows that have a value far outside the quartiles, on its axis as it is drawn. */
void plot_points_mark_far(struct plotting *);

#endif
