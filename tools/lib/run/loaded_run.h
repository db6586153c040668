/* loaded_run.h: a run held in memory, with its cells and their records. */
#pragma once

#include "run/run_reader.h"

struct loaded_run {
	json_t *record;	/* NULL: records of no run */
	char *name, *notebook, *label;	/* "?" where unknown, NULL where there is no run */
	double t;
	long repetition;
	const char *status;	/* "incomplete" until its run_end has come */
	struct run_cell *cells;	/* as recorded: in the order in which they ended */
	size_t n;
	struct held_turn *turns;	/* private */
	size_t n_turns;
};
/* Takes in the record; a `run` drops what was held before. */
enum run_record loaded_run_read(struct loaded_run *, struct run_reader *, struct scan *,
    const struct lines *, const char *line, size_t len);
void loaded_run_clear(struct loaded_run *);
/* Dies with ST_INPUT where the cell has no index. */
void xloaded_run_index(const struct run_cell *, const struct lines *);
/* The cell that a sample of that time belongs to; of several the one that began last.
 * NULL: none.  To be called once all cells are read. */
const struct run_cell *loaded_run_cell_at(struct loaded_run *, double t);
/* The line that names it; borrowed until the next call. */
const char *loaded_run_line(const struct run_cell *);
