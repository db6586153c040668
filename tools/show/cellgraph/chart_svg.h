/* chart_svg.h: a chart as SVG. */
#pragma once

#include "chart.h"

size_t chart_svg_bins(size_t width);	/* how many columns of curves fit */
void chart_svg(struct buf *, const struct chart *, size_t width, size_t height);	/* 0: any */
