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

/* ---- celltold.c: numbers of cells -------------------------------------------- */

/* What the cell itself was told at its two ends; NaN: nothing. */
double usage_of(const struct ran_cell *, size_t metric, enum role);
/* Seconds between those two readings. */
double usage_time(const struct ran_cell *);
bool is_sampled(const struct view *, const struct ran_cell *, size_t metric, enum role);
/* What samples saw in that cell; NULL: in all of them. */
struct over seen_in(const struct view *, const struct ran_cell *, size_t metric, enum role);
/* "0.90 s, mean 90.0 %"; NULL: nothing is known. */
char *tell(const struct view *, size_t metric, enum role);

#endif
