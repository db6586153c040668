/* figure_definition.h: our figures, and what others may mean by the same names. */
#pragma once

#include "summary_columns.h"

/* What a figure is: one of enum statistic, or what only other tools call so. */
enum {
	FIGURE_ROWS = STATISTICS + 1, FIGURE_WITH_ZEROS, FIGURE_POPULATION_STD, FIGURE_SCALED_MAD,
	FIGURE_ROUGH_MAD,
	FIGURE_METHOD,	/* and an enum quantile */
};
/* Its value for one group, of the column and percentile of the summary's column. */
double figure_definition_value(const struct stat_table *, const struct statistic_of *, int is,
    size_t group);
/* Another definition of a figure of this name; the last has no text. */
struct figure_definition {
	const char *text;
	int is;
	unsigned long suits;	/* a bit for each enum statistic that it may be called */
	bool before_rounding;	/* it explains what rounding would explain, too */
};
extern const struct figure_definition figure_definitions[];
