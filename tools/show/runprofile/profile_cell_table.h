/* profile_cell_table.h: what profilers found in a cell, as tables for people. */
#pragma once

#include "profile_fold.h"

enum profile_sort { SORT_OWN, SORT_CUMULATIVE, SORT_CALLS };
struct profile_cell_table {
	size_t columns;		/* of the terminal */
	size_t most_rows;	/* of functions and allocations; a third as many have lines */
	enum profile_sort sort;	/* of functions */
	bool usecases;		/* the cell is named with its use case */
};
void profile_cell_table_put(const struct profile_cell *, const struct profile_cell_table *);
