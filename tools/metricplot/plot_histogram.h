/* plot_histogram.h: histograms with percentiles. */
#ifndef PLOT_HISTOGRAM_H
#define PLOT_HISTOGRAM_H

#include "plot_groups.h"

void plot_histogram(struct plotting *);

#endif
