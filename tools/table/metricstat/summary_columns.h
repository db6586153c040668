/* summary_columns.h: the meaning of a summary's column. */
#pragma once

#include "statistic.h"
#include "text/unit.h"

struct summary_column {
	size_t of;		/* index in `of` of the stat_table; SIZE_MAX: unknown */
	enum statistic is;	/* STATISTICS: unknown */
	double p;		/* of STAT_PERCENTILES */
	struct unit unit;	/* from its name; OF_NOTHING: none */
};
/* Sets the statistic, and the percentile: "max", "p95", "iqr".  False: it is not one. */
bool summary_figure_kind(const char *word, struct summary_column *);
/* Reads it from the name of the column ("memory_max_GiB", "run_time 95%"), or from `map`
 * ("NAME=COLUMN:STAT"). */
struct summary_column xsummary_column(const struct stat_table *, const char *name,
    const struct list *map);
/* The index in `of` of the column whose name is the first n bytes of a text; SIZE_MAX: none. */
size_t summary_column_of(const struct stat_table *, const char *text, size_t n);
/* "max of memory" */
char *summary_column_text(const struct stat_table *, const struct summary_column *);
