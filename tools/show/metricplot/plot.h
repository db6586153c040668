/* plot.h: a figure that is being made: its kind, its measures, its groups, and notes. */
#pragma once

#include "plot_plan.h"
#include "table/stat_figure.h"

#include <jansson.h>
#include <setjmp.h>

#define PLOT_LETTER_EM 0.6	/* about; what draws them measures them */

/* Measures that share the axes of a view. */
struct pane {
	size_t of[MAX_MEASURES], n;
	double ratio[MAX_MEASURES];	/* a value times this is in the unit of its axis */
	size_t from, to;	/* of the groups that are shown */
	struct value_axis {
		double ratio, least, most;
		bool log;
	} x, y;
	double wide, high;	/* px of the plot */
};

struct plotting {
	const struct figure_plan *plan;
	const json_t *kind;	/* its file in share/figure/kinds */
	struct measure *of;
	size_t n_of;
	double width;	/* px of 1/96 inch */
	struct pane all;	/* of all measures */
	struct stat_table s;	/* by group */
	struct stat_table cells;	/* by group and key, if the kind has a key */
	size_t *stat_column;	/* of each measure, in both */
	struct column *key;
	struct groups keys;	/* the key's values */
	size_t *shown, n_shown;	/* groups, in order */
	size_t *place;	/* of each group among these; SIZE_MAX: it is not shown */
	bool *far;	/* rows far outside the quartiles of any measure; NULL: not marked */
	size_t n_rest;	/* groups that are one more row; 0: there is no such row */
	double *share, whole;	/* of all groups, of the measure by which the kind has shares */
	double shown_share;	/* percent that the shown groups have of that */
	size_t n_held;	/* groups that hold --upto percent of it */
	json_t *labels;	/* of the rows, in order */
	double names_px;	/* of the widest label */
	json_t *facts;	/* what conditions ask for, and what notes have, of the whole figure */
	json_t *long_names;	/* what templates can have of labels that have to be shortened */
	json_t *notes, *views, *dark;
	size_t across;	/* views next to each other */
	jmp_buf empty;	/* where to go on if one of several has nothing to draw */
};

/* Adds a line below the title. */
void plot_note(struct plotting *, const char *text);
/* There is nothing to draw, for this reason: the end of the program with ST_UNKNOWN, or, of
 * several figures, of this one. */
_Noreturn void plot_empty(struct plotting *, const char *fmt, ...) PRINTF(2, 3);
/* The titles of columns with this between them; the caller's. */
char *plot_titles(const struct list *columns, const char *between);
/* The views with title, theme and format; the caller's. */
json_t *plot_spec(const struct plotting *);
