/* cellchart.h: a run's cells and samples as one graph. */
#ifndef CELLCHART_H
#define CELLCHART_H

#include "chart.h"
#include "ran.h"
#include "track.h"

struct view {
	const struct ran *run;
	const struct tracks *tracks;
	const struct ran_cell **cells;	/* in turn; each took some time */
	size_t n, without;	/* without: others that were asked for, and took none */
	bool idle;	/* the time between them too */
	size_t min_samples, bins;
};
/* Without panels if there is no time to show. */
struct chart *cell_chart(const struct view *);
void chart_free(struct chart *);

#endif
