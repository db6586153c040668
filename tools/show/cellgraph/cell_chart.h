/* cell_chart.h: a run's cells and samples as one graph. */
#pragma once

#include "chart.h"
#include "run/loaded_run.h"
#include "run_series.h"

struct view {
	const struct loaded_run *run;
	const struct run_series *series;
	const struct run_cell **cells;	/* in turn; each took some time */
	size_t n, without;	/* without: others that were asked for, and took none */
	bool idle;	/* the time between them too */
	size_t min_samples, bins;
};
/* The chart has no panels if there is no time to show. */
struct chart *cell_chart(const struct view *);
void cell_chart_free(struct chart *);
