/* chart_spec.h: a graph as a Vega-Lite specification. */
#ifndef CHART_SPEC_H
#define CHART_SPEC_H

#include "chart.h"

#include <jansson.h>

size_t chart_spec_bins(size_t width);	/* how many columns a curve has */
/* height 0: what is good to look at.  The caller's. */
json_t *chart_spec(const struct chart *, size_t width, size_t height);

#endif
