/* statistic.h: the statistics of a group, their names and values. */
#pragma once

#include "table/stat_figure.h"
#include "table_format.h"

#include <jansson.h>

/* In the order of tables. */
enum statistic {
	STAT_COUNT, STAT_MISSING, STAT_INVALID, STAT_UNIQUE, STAT_OUTLIERS, STAT_SUM, STAT_SHARE,
	STAT_CUMULATED, STAT_RATIO, STAT_MEAN, STAT_STD, STAT_MIN, STAT_P25, STAT_MEDIAN, STAT_P75,
	STAT_PERCENTILES, STAT_MAX, STAT_IQR, STAT_MAD,
	STATISTICS,	/* how many; also "none that is known" */
};
struct statistic_def {
	const char *name, *title;	/* of --stats; in tables */
	const char *member;	/* of a stat record */
	enum cell_kind kind;
	bool by_default;	/* shown without --stats */
	bool if_asked;	/* a record has it only if an option asks for it */
};
extern const struct statistic_def statistics[STATISTICS];
/* NaN: unknown.  Shares are in percent; STAT_PERCENTILES is none of them. */
double statistic_value(const struct stat_figure *, enum statistic);
/* The same for a record; a new reference. */
json_t *statistic_json(const struct stat_figure *, enum statistic);
