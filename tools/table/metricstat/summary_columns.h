/* summary_columns.h: the meaning of a summary's column. */
#ifndef SUMMARY_COLUMNS_H
#define SUMMARY_COLUMNS_H

#include "table/stat_figure.h"
#include "text/unit.h"

enum figure_kind {
	FIGURE_COUNT, FIGURE_SUM, FIGURE_MEAN, FIGURE_STD, FIGURE_MIN, FIGURE_MAX,
	    FIGURE_PERCENTILE,
	FIGURE_IQR, FIGURE_MAD, FIGURE_SHARE, FIGURE_UNKNOWN
};
struct summary_column {
	size_t of;		/* index in `of` of the stat_table; SIZE_MAX: unknown */
	enum figure_kind kind;
	double p;		/* of FIGURE_PERCENTILE */
	struct unit unit;	/* from its name; OF_NOTHING: none */
};
/* Sets the kind, and the percentile: "max", "p95", "iqr".  False: it is not one. */
bool summary_figure_kind(const char *word, struct summary_column *);
/* Reads it from the name of the column ("memory_max_GiB", "run_time 95%"), or from `map`
 * ("NAME=COLUMN:STAT"). */
struct summary_column xsummary_column(const struct stat_table *, const char *name,
    const struct list *map);
/* "max of memory" */
char *summary_column_text(const struct stat_table *, const struct summary_column *);

#endif
