/* plot_row.h: rows of a figure's data: of its parts, which are groups, or cells (groups by key). */
#pragma once

#include "plot.h"

struct row {
	const struct plotting *p;
	const struct pane *pane;
	const struct stat_table *s;	/* whose group has all its statistics; NULL: none */
	size_t group;	/* of s */
	size_t of;	/* the group of a cell */
	size_t measure;	/* of the pane: of a name without "@2" */
	json_t *own;	/* words and numbers by name, before the statistics */
};

/* The number in the unit of its column: one of its own, else a statistic: value (of the measure's
 * own statistic), total (of all measures), rows, n, sum, mean, sd, min, max, p5 and other
 * percentiles, low and high (the last values within 1.5 interquartile ranges of the quartiles), or
 * "sum@2", of the second measure; NaN: unknown. */
double plot_row_number(const struct row *, const char *name);
/* Fills "{g}: {value}, {share:.1f} %": words, numbers with their units, and with a format without
 * it, {NAME:} as plain as possible.  NULL: not all are known, if they must be.  The caller's. */
char *plot_row_text(const struct row *, const char *form, bool must_be_known);
/* Adds the "row" of a kind's data: "=value" is a number, others are texts, which are omitted if
 * they are lists of which no form is known. */
void plot_row_add(const struct row *, const json_t *data, json_t *to);

/* The row of the next part from *part on, 0 at first, that the pane shows: a group, the rest or a
 * cell; its `own` is the caller's.  False: there is none. */
bool plot_row_next(const struct plotting *, const struct pane *, size_t *part, bool cells,
    struct row *);
