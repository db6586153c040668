/* plot_bars.h: bars and shares. */
#ifndef PLOT_BARS_H
#define PLOT_BARS_H

#include "plot_groups.h"

void plot_bars(struct plotting *);
void plot_largest(struct plotting *);
void plot_ranked(struct plotting *);

/* All groups by the value of a measure, the largest first, with their values and their sum.
 * Both are the caller's; there is no figure if the sum is not above 0. */
size_t *plot_ranks(struct plotting *, const struct measure *, double **value, double *whole);
/* Sets x_title, x_scale and, dots on a logarithmic axis, the mark.  Returns the ratio of the
 * axis' values. */
double plot_bar_scale(struct plotting *, json_t *values, const char *title, const struct unit *,
    const double *v, size_t n);
/* "12.5 % · 60.1 %" at the right of each row: its share, and cumulated. */
void plot_bar_shares(json_t *values, const double *v, size_t rows, double whole, bool others);

#endif
