/* metricline.h: the lines that cellmetrics writes, one for each cell and one for
 * each run, as JSON. */
#ifndef METRICLINE_H
#define METRICLINE_H

#include "metric.h"

/* The run's record: what all lines that follow have of it. */
void metricline_run(struct scan *);
/* Of a cell that was measured, or (no metrics) was not. */
void metricline_cell(struct scan *cell, long index, const char *status, const struct metrics *, const struct cell_ends *);
/* Of a cell of which the stream says nothing, since its run ended, or was incomplete,
 * before; started: its cell_id, tags and profiled as JSON, NULL where even these are
 * not known. */
void metricline_missing(long index, const char *status, const struct buf *started, bool incomplete, struct span reason);
/* Any other: to be filled with members, then perhaps with where the run was made,
 * and ended, which writes it. */
struct buf *metricline_begin(const char *type);
void metricline_about(void);
void metricline_end(void);

#endif
