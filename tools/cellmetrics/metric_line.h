/* metric_line.h: the lines that cellmetrics writes, one for each cell and one for
 * each run, as JSON. */
#ifndef METRIC_LINE_H
#define METRIC_LINE_H

#include "cell_values.h"

/* The run's record: what all lines that follow have of it. */
void metric_line_run(struct scan *);
/* Of a cell that was measured, or (no metrics) was not. */
void metric_line_cell(struct scan *cell, long index, const char *status, const struct cell_values *, const struct cell_context *);
/* Of a cell of which the stream says nothing, since its run ended, or was incomplete,
 * before; started: its cell_id, tags and profiled as JSON, NULL where even these are
 * not known. */
void metric_line_missing(long index, const char *status, const struct buf *started, bool incomplete, struct span reason);
/* Any other: to be filled with members, then perhaps with where the run was made,
 * and ended, which writes it. */
struct buf *metric_line_begin(const char *type);
void metric_line_about(void);
void metric_line_end(void);

#endif
