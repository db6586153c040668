/* summary_check.h: compares a summary table from another tool with the rows. */
#pragma once

#include "table/stat_figure.h"

#include <jansson.h>

struct summary_source {
	char **paths;		/* of its files or folders; ends in NULL */
	const char *pattern;	/* columns from its paths; NULL: see `of_rows` */
	const char *of_rows;	/* that of the rows: its first folders may be the summary's */
	const struct list *map;	/* NAME=COLUMN:STAT */
	double tolerance;
};
struct summary_result {
	bool differs;
	size_t figures, compared;	/* columns of numbers of the summary */
	char *others;		/* names of those that were not compared */
};
/* summary_check records: one for each column, group that only one side has, and difference. */
json_t *summary_check_records(const struct stat_table *, const struct summary_source *,
    struct summary_result *);
