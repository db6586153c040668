/* summary_interaction.h: the interactions of the notebooks of a summary. */
#pragma once

#include "metric/summary.h"

struct summary_interaction {
	long cell;	/* the index of the cell that it belongs to; 0: unknown */
	char *name, *text;	/* text: how it was answered, or why not; NULL: unknown */
	enum cell_status status;
	bool shown;	/* by summary_interaction_put() */
};
/* Takes in a record of interaction_metrics. */
void summary_interaction_read(struct summary *, struct scan *);
/* Prints a line for each of those of a cell that was not printed before, at most a dozen for a
 * notebook, or, with cell -1, of all cells. */
void summary_interaction_put(const struct run_summary *, long cell, size_t columns);
