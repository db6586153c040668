/* plot_measure.h: what a figure shows of columns. */
#pragma once

#include "base/opt.h"
#include "table/table.h"
#include "text/unit.h"

#include <jansson.h>

enum { MAX_MEASURES = 12 };
struct measure {
	const char *word;	/* as in --of without the statistic; NULL: a parameter */
	const char *name, *over;	/* columns; over: the divisor of a ratio of sums, or NULL */
	const char *stat;	/* as in a kind's fields: sum, mean, p50, min, max, rows; ratio */
	struct unit unit;
	struct column *column, *divisor;	/* of the table; NULL: count */
	bool counts;	/* the rows, and has no column */
};

/* COLUMN, COLUMN:STATISTIC, COLUMN/COLUMN or count; dies with ST_USAGE if the kind cannot show it.
 * Uses `word`, changed. */
struct measure xplot_measure(char *word, const json_t *kind, const struct opt_usage *);
bool plot_measure_has_unit_of(const struct measure *, const struct measure *);
/* "run time"; the caller's, as the texts below. */
char *plot_measure_name(const struct measure *);
char *plot_measure_title(const struct measure *);	/* "total run time", "count" */
/* The one of these that the kind shows: the title, if it has one number for each group. */
char *plot_measure_shown(const struct measure *, const json_t *kind);
/* "12.3 s", "unknown". */
char *plot_measure_text(const struct measure *, double value, bool binary);
