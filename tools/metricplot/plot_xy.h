/* plot_xy.h: rows as points of two measures. */
#ifndef PLOT_XY_H
#define PLOT_XY_H

#include "plot_distribution.h"

struct xy_point {
	double x, y;	/* on the axes, in places that the eye can tell apart */
	size_t row;
};
struct xy_cloud {
	struct plotting *p;
	json_t *rows;	/* of the view's data */
	const char *name, *tip;	/* of the group: in the data, and in texts of values */
	const struct measure *x, *y;
	struct value_axis axis[2];
	struct xy_point *v;	/* sorted by x */
	size_t n, places;	/* of an axis */
};

/* The points of a group that have both values; plot_xy_free() frees them. */
void plot_xy_take(struct xy_cloud *, size_t group);
void plot_xy_free(struct xy_cloud *);
/* Adds a row of data for a point. */
json_t *plot_xy_add(const struct xy_cloud *, const struct xy_point *);
/* Adds all points; those in the same place once. */
void plot_xy_add_all(const struct xy_cloud *);
/* Sets title, scale and axis of a measure, over all rows; none: the end of the figure. */
struct value_axis plot_xy_axis(struct plotting *, json_t *values, const char *name,
    const struct measure *);

#endif
