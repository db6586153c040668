/* plot_row.h: rows of a figure's data: of its parts, which are groups, or cells (groups by key). */
#ifndef PLOT_ROW_H
#define PLOT_ROW_H

#include "plot.h"

struct row {
	const struct plotting *p;
	const struct pane *pane;
	const struct stat_table *s;	/* whose group has all its statistics; NULL: none */
	size_t group;
	size_t measure;	/* of the pane: of a name without "@2" */
	json_t *own;	/* words and numbers by name, before the statistics */
};

/* The number in the unit of its column: one of its own, else a statistic, "p50" or "sum@2". */
double plot_row_number(const struct row *, const char *name);
/* Fills "{g}: {value}, {share:.1f} %": words, numbers with their units, and with a format without
 * it, {NAME:} as plain as possible.  NULL: not all are known, if they must be.  The caller's. */
char *plot_row_text(const struct row *, const char *form, bool must_be_known);
/* Adds the row with the "fields" of a kind's data, "g x=value p5", and its "texts", which are
 * omitted if they are lists of which no form is known. */
void plot_row_add(const struct row *, const json_t *data, json_t *to);

/* How many parts the figure has: groups that are shown, and the rest, or all cells. */
size_t plot_row_parts(const struct plotting *, bool cells);
/* The row of a part, whose `own` is the caller's; false: the pane does not show it. */
bool plot_row_of(const struct plotting *, const struct pane *, size_t part, bool cells,
    struct row *);

#endif
