/* metric_line.h: the records that cellmetrics writes, one for each cell and each run. */
#pragma once

#include "cell_values.h"

/* Copies what the following lines have of the run's record. */
void metric_line_run(struct scan *);
/* The line of a cell or an interaction that was measured; without values, of one that was not. */
void metric_line_cell(struct scan *, long index, const char *status, const struct cell_values *,
    const struct cell_context *);
/* The line of a cell without a record, because its run ended, or is incomplete, before it.
 * started: its cell_id, heading, tags and profiled as JSON; NULL: unknown. */
void metric_line_missing(long index, const char *status, const struct buf *started, bool incomplete,
    struct span reason);
/* Any other line: members are added to the buffer, metric_line_about() adds those of the run's
 * environment, metric_line_end() writes it. */
struct buf *metric_line_begin(const char *type);
void metric_line_about(void);
void metric_line_end(void);
