/* plot_scale.h: axes and their ticks. */
#ifndef PLOT_SCALE_H
#define PLOT_SCALE_H

#include "plot_figure.h"

/* From `least` to `most`, with as many round numbers as ticks as fit into `room` px. */
void plot_scale_fit(struct scale *, double least, double most, bool log, double room, bool upright);
/* Rows 0..n-1 downwards, or columns to the right, with names. */
void plot_scale_names(struct scale *, char *const *names, size_t n, bool down, double px,
    double room);
void plot_scale_tick(struct scale *, double at, const char *name);
/* A number of an axis: "1000", "0.02", "10⁵", with enough digits to distinguish numbers that
 * differ by `step`, unless that is 0. */
char *plot_scale_tick_text(double value, double step);
/* The smallest difference of ascending numbers; 0 if there are fewer than two. */
double plot_scale_step(const double *v, size_t n);
/* The position: 0 at the low end, 1 at the high end. */
double plot_scale_place(const struct scale *, double v);
/* A number with three significant digits. */
char *plot_scale_number(double value);

#endif
