/* plot_distribution.h: the distribution of values in rows. */
#ifndef PLOT_DISTRIBUTION_H
#define PLOT_DISTRIBUTION_H

#include "plot_groups.h"

void plot_bands(struct plotting *);
void plot_points(struct plotting *);
void plot_whiskers(struct plotting *);
void plot_box(struct plotting *);

/* The sorted values of a measure, by group. */
struct spread {
	double **v;
	size_t *n, groups;
	double least, most;
};
void plot_spread_of(const struct plotting *, const struct measure *, const size_t *shown, size_t n,
    struct spread *);
void plot_spread_free(struct spread *);
double plot_spread_quantile(const struct spread *, size_t group, double percent);
/* Sets p5, p25, p50, p75, p95, min, mean and max of a row, in the axis' unit. */
void plot_spread_figures(json_t *row, const struct spread *, size_t group, double ratio);
/* If the figure shows texts of values. */
void plot_spread_tip(const struct plotting *, json_t *row, const struct spread *, size_t group,
    const struct measure *, const char *name);

struct value_axis {
	double ratio, least, most;	/* a value * ratio is in the axis' unit, as these are */
	bool log;
};
/* Where x, in the axis' unit, is between its ends: 0 to 1. */
double plot_axis_share(const struct value_axis *, double x);
/* Sets NAME_title and NAME_scale of the values of a template. */
struct value_axis plot_value_axis(const struct plotting *, json_t *values, const char *name,
    const char *title, const struct unit *, double least, double most);

#endif
