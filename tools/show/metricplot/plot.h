/* plot.h: a figure that is being made: its measures and groups. */
#pragma once

#include "plot_plan.h"
#include "table/stat_figure.h"

/* What is counted separately: a group that is shown, or a cell of it, which is a group by key. */
struct part {
	size_t group;	/* of the statistics */
	size_t place;	/* of its group among those that are shown */
};

struct plotting {
	const struct figure_plan *plan;
	struct measure *of;	/* with the columns of the table */
	struct stat_table s;	/* by group */
	struct stat_table cells;	/* by group and key, if the kind has a key */
	size_t *stat_column;	/* of each measure, in both */
	struct column *key;
	struct groups keys;	/* the key's values */
	size_t low;	/* rows with a measure that has no logarithm */
	struct part *shown, *parts;	/* groups in order; the cells, or without a key these */
	size_t n_shown, n_parts;
	size_t n_known, n_held;	/* groups with values; that hold --upto percent of the whole */
	size_t n_unmet;	/* groups that do not meet --having */
	size_t n_rest;	/* groups that are one more row; 0: there is no such row */
	double *share, whole;	/* of all groups, of the measure by which the kind has shares */
	uint32_t *style;	/* of each row's group; NULL: the kind has no styles */
	bool *far;	/* rows far outside the quartiles of any measure; NULL: not marked */
	double shown_share;	/* percent that the shown groups have of that */
};
