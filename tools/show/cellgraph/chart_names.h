/* chart_names.h: the names of a graph's cells and events, above its first plot. */
#pragma once

#include "chart.h"

struct chart_name {
	const char *text;
	double x, wide;	/* px; x: from the plot's left */
	bool before;	/* the name ends at x, since it would leave the plot */
	size_t row;	/* from the top */
};
/* The approximate width of a text of this size, in px. */
double chart_names_px(const char *text, double size);
/* The names of the events, in as many rows (*rows) as they need; the caller frees the array. */
struct chart_name *chart_names_of_marks(const struct chart *, double plot_px, double size,
    size_t *n, size_t *rows);
/* The names of several cells that fit, each centred at x; the caller frees the array. */
struct chart_name *chart_names_of_cells(const struct chart *, double plot_px, double size,
    size_t *n);
