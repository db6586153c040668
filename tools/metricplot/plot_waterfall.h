/* plot_waterfall.h: a notebook's cells in order, by phase. */
#ifndef PLOT_WATERFALL_H
#define PLOT_WATERFALL_H

#include "plot_groups.h"

enum {
	SPENT_DISPATCH,
	SPENT_QUEUE,
	SPENT_KERNEL,
	SPENT_DELIVERY,
	SPENT_RENDER,
	SPENT_TRANSPORT,
	SPENT_COLUMNS,
};
extern const char *const plot_phase_columns[SPENT_COLUMNS];
void plot_waterfall(struct plotting *);

#endif
