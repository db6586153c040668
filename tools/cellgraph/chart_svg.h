/* chart_svg.h: a graph as SVG. */
#ifndef CHART_SVG_H
#define CHART_SVG_H

#include "chart.h"

/* The number of columns of a curve. */
size_t chart_svg_bins(size_t width);
/* height 0: as much as the panels need. */
void chart_svg(struct buf *, const struct chart *, size_t width, size_t height);

#endif
