/* held_run.h: a run held in memory, with its cells and their records. */
#ifndef HELD_RUN_H
#define HELD_RUN_H

#include "run/run_reader.h"

struct held_run {
	json_t *record;	/* NULL: records of no run */
	char *name, *notebook, *label;	/* "?" where unknown, NULL where there is no run */
	double t;
	long repetition;
	const char *status;	/* "incomplete" until its run_end has come */
	struct run_cell *cells;	/* as recorded: in the order in which they ended */
	size_t n, cap;
	struct held_turn *turns;	/* private */
	size_t n_turns;
};
/* Takes in the record; a `run` drops what was held before. */
enum run_record held_run_read(struct held_run *, struct run_reader *, struct scan *,
    const struct lines *, const char *line, size_t len);
void held_run_clear(struct held_run *);
/* Dies with ST_INPUT where the cell has no index. */
void xheld_run_index(const struct run_cell *, const struct lines *);
/* The cell that a sample of that time belongs to; of several the one that began last.
 * NULL: none.  To be called once all cells are read. */
const struct run_cell *held_run_cell_at(struct held_run *, double t);
/* The first line of its source, as member_line() finds it; borrowed until the next call. */
const char *held_run_first_line(const struct run_cell *);

#endif
