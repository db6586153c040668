/* statistic.h: the statistics of a group, their names and values. */
#pragma once

#include "table/stat_figure.h"
#include "text/unit.h"

#include <jansson.h>

/* In the order of tables. */
enum statistic {
	STAT_COUNT, STAT_MISSING, STAT_INVALID, STAT_UNIQUE, STAT_OUTLIERS, STAT_SUM, STAT_SHARE,
	STAT_CUMULATED, STAT_RATIO, STAT_MEAN, STAT_STD, STAT_MIN, STAT_P25, STAT_MEDIAN, STAT_P75,
	STAT_PERCENTILES, STAT_MAX, STAT_IQR, STAT_MAD,
	STATISTICS,	/* how many; also "none that is known" */
};
/* What a cell of a table has. */
enum cell_kind {
	CELL_TEXT, CELL_COUNT,
	CELL_VALUE,	/* in the record's "unit" */
	CELL_PCT, CELL_BYTES, CELL_TIME	/* in their own: %, bytes, s */
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

/* A statistic of a column, as words say it: "max", "p95", "iqr". */
struct statistic_of {
	size_t of;		/* index in `of` of the stat_table; SIZE_MAX: unknown */
	enum statistic is;	/* STATISTICS: unknown */
	double p;		/* of STAT_PERCENTILES */
	struct unit unit;	/* of a summary's column, by its name; OF_NOTHING: none */
};
/* Sets the statistic, and the percentile; false: the word is none of those in use. */
bool statistic_read(const char *word, struct statistic_of *);
/* The index in `of` of the column whose name is the first n bytes of a text; SIZE_MAX: none. */
size_t statistic_column(const struct stat_table *, const char *text, size_t n);
/* Of one group; NaN: unknown. */
double statistic_of_group(const struct stat_table *, size_t group, const struct statistic_of *);
double statistic_quantile(const struct stat_table *, size_t of, size_t group, double p,
    enum quantile);
/* The group's values; *n of them.  The caller frees them. */
double *statistic_values(const struct stat_table *, size_t of, size_t group, size_t *n);
