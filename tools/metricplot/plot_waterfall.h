/* plot_waterfall.h: a notebook's cells in order, by phase. */
#ifndef PLOT_WATERFALL_H
#define PLOT_WATERFALL_H

#include "plot_groups.h"

enum {
	PHASE_DISPATCH,
	PHASE_QUEUE,
	PHASE_KERNEL,
	PHASE_DELIVERY,
	PHASE_RENDER,
	PHASE_QUEUE_DELIVERY,
	N_PHASES,
};
extern const char *const plot_phase_columns[N_PHASES];
void plot_waterfall(struct plotting *);

#endif
