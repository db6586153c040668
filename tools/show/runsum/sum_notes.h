/* sum_notes.h: what a summary says besides its tables, in lines of at most `columns`. */
#pragma once

#include "metric/summary.h"
#include "text/style.h"

const char *sum_status(const struct run_summary *);	/* for people */
enum style sum_style(const struct run_summary *);

/* What casts doubt on all cells, or explains many: once, instead of below each cell. */
void sum_put_contention(const struct summary *, size_t columns);
/* The notebooks that failed, or those that were skipped. */
void sum_put_unfinished(const struct summary *, const char *title, bool skipped, size_t columns);
void sum_put_marks(const struct summary *, size_t columns);
/* How many runs are not in the metrics; left_out: {reason: number of runs}. */
void sum_put_left_out(const json_t *left_out, size_t columns);
