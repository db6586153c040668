/* plot_plan.h: which figures to draw, from the command line or from records. */
#pragma once

#include "figure/figure_output.h"
#include "plot_measure.h"
#include "table/bins.h"
#include "base/list.h"
#include "table/stat_figure.h"
#include "text/condition.h"

enum plot_log { LOG_AUTO, LOG_YES, LOG_NO };
enum plot_sort { SORT_NAME, SORT_VALUE, SORT_COUNT };
/* Of one figure; the others are common to all figures of a call. */
struct figure_options {
	const char *kind, *by, *of, *against, *category, *percentiles, *title, *subtitle, *width,
	    *id;
	int log, sort;	/* enum plot_log, enum plot_sort */
	long top, bins, rank_from, rank_to;	/* rank_to 0: all ranks */
	double upto;
	bool binary, log_counts;
	struct list notes, outputs, having;
	struct conditions where;	/* of this figure only */
};

struct figure_plan {
	struct figure_options o;
	const json_t *kind;
	/* The first n_fixed are the kind's own, the last n_params the parameters of --against. */
	struct measure *of;
	size_t n_of, n_fixed, n_params;
	struct list by, against;	/* names of columns: of the groups, and of the other axis */
	struct conditions having;
	struct list having_columns;
	struct bins categories;	/* with the limits in their names */
	size_t coloured;	/* the measure whose classes have colours; n_of: none */
	struct wanted percentiles;
	double width;	/* px of 1/96 inch */
	struct figure_file *files;	/* to write; one without a name is standard output */
	size_t n_files;
	bool is_drawn;	/* has other files than specifications */
	bool wants_tips;	/* the text of each value, for the formats that can show it */
	bool is_one_of_several;
	bool by_share;	/* groups are chosen by their share, for --rank or --upto */
};

/* Parses the options; *first: of the operands.  All dies with ST_USAGE or ST_INPUT. */
struct figure_plan *xplot_plan(int argc, char **argv, int *first, size_t *n);
