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
	bool binary;	/* its texts have KiB, not kB */
};

/* COLUMN, COLUMN:STATISTIC, COLUMN/COLUMN or count; dies with ST_USAGE if the kind cannot show it.
 * Uses `word`, changed. */
struct measure xplot_measure(char *word, const json_t *kind, const struct opt_usage *);
/* {name: "run time", stat, over, column, unit}; the caller's, as those below. */
json_t *plot_measure_model(const struct measure *);
/* [NUMBER times ratio, "12.3 s"]; the text only if it is asked for. */
json_t *plot_measure_number(const struct measure *, double value, double ratio, bool with_text);
json_t *plot_number(double);	/* of at most 12 digits; null if it is not finite */
