/* plot_shape.h: the hull around points, and the line through them, which Vega-Lite lacks. */
#pragma once

#include <stddef.h>

struct point {
	double x, y;	/* on the axes as they are drawn, 0 to 1 */
	size_t row;
};
/* Finds the corners of the convex hull, in order; returns how many.  Sorts v; `hull` has room for
 * 2 n + 2 points. */
size_t plot_hull(struct point *v, size_t n, struct point *hull);

/* A line of least squares; a slope of NaN: by the rule of metricscale there is none, as its
 * interval does not exclude 0. */
struct plot_line {
	double slope, offset, from, to;
};
struct plot_line plot_line_through(const double *x, const double *y, size_t n);
