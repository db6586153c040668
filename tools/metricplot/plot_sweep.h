/* plot_sweep.h: small panels over parameters. */
#ifndef PLOT_SWEEP_H
#define PLOT_SWEEP_H

#include "plot_groups.h"

void plot_sweep(struct plotting *);

#endif
