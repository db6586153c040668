/* stat.h: metricstat's parts. */
#ifndef STAT_H
#define STAT_H

#include "stats/descriptive.h"
#include "stats/exact_sum.h"
#include "stats/quantile.h"
#include "table/table.h"
#include "text/unit.h"

/* ---- statlist.c: words of an option's list ---------------------------------- */

struct list {
	char **v;	/* ends in NULL */
	size_t n;
};
void list_add(struct list *, const char *text, size_t n);	/* copied */
/* 'a,b , "c, d"'; dies with ST_USAGE on an empty part, naming `what`. */
void xlist_split(struct list *, const char *text, const char *what);
bool list_has(const struct list *, const char *word);

/* ---- statbins.c: sizes with names, as in memory:small<=5GB,medium<=20GB,high ---- */

struct bins {
	char *column;
	struct bin {
		char *name, *limit;	/* limit: as written; NULL: all that is left */
		double most;	/* in the column's unit */
		bool below;	/* < rather than <= */
	} *v;
	size_t n;
};
/* COLUMN:NAME<=LIMIT,...,NAME; dies with ST_USAGE, as xbins_limits() does. */
void xbins(struct bins *, const char *text);
/* Reads the limits, once it is known what unit the column has. */
void xbins_limits(struct bins *);
size_t bin_of(const struct bins *, double x);	/* n: none of them, or x is NaN */

/* ---- statderive.c: columns that are made of others -------------- */

/* In the order in which they were asked for; what a table must have for them. */
struct derived;
struct derived *derived_new(void);
void xderive_expr(struct derived *, const char *text);	/* NAME=EXPRESSION */
/* [NAME=]A/B, in percent where `efficiency`: then negative parts are unknown. */
void xderive_ratio(struct derived *, const char *text, bool efficiency);
void xderive_cohort(struct derived *, const char *text);	/* [NAME:]CONDITIONS */
void xderive_category(struct derived *, const char *text);	/* as xbins() reads */
void xderive_where(struct derived *, const char *text);
bool derives(const struct derived *, const char *name);	/* makes a column of this name */
/* Names that it makes and that stand for groups, or for numbers. */
void derived_groups(const struct derived *, struct list *);
void derived_numbers(const struct derived *, struct list *);
/* Calls `want` for every column that must be read. */
void derived_wants(const struct derived *, void (*want)(const char *name, enum keep));
/* What a person said of units: looked up before the name. */
struct unit stat_unit(const char *column);
void xstat_units(const char *text);	/* "memory=bytes,run_time=s" */
/* Adds the columns; which rows are kept, the caller's; NULL: all. */
bool *xderive(struct derived *, struct table *);
/* The two parts of a ratio, row by row, both NaN where the ratio is; NULL: it is none. */
const double *derived_parts(const struct derived *, const char *name, const double **below, double *scale);

/* ---- statwhere.c: rows that meet conditions -------------------------------------- */

struct conditions;
/* The caller's: of each row whether it meets all; dies where a column is not there or
 * a value cannot be told in its unit. */
bool *xrows_where(const struct table *, struct conditions *);

/* ---- statfigure.c: what is said of one column in one group --------------------- */

struct wanted {	/* percentiles of one column */
	double *p;	/* ascending, in [0,1] */
	size_t n;
};
struct figure {
	size_t group, column;	/* group = groups.n: all rows */
	size_t rows, missing, invalid;
	struct descriptive d;
	double median, p25, p75, mad;
	double *percentiles;	/* of wanted[column] */
	double share, cumulated;	/* of the column's sum over all groups; NaN: not known */
	double ratio;		/* of sums; NaN: the column is no ratio */
	double low, high;	/* what lies outside is an outlier; NaN: nothing is */
	size_t outliers;
};
struct rule {	/* of outliers */
	enum { NO_RULE, RULE_IQR, RULE_MAD, RULE_PERCENTILES } kind;
	double low, high, factor;
	const char *text;
};
void xrule(struct rule *, const char *text);	/* iqr, mad, iqr:3, p05-p95 */

struct stat {
	struct table t;
	struct groups g;
	struct derived *derived;
	struct column **by, **of;
	size_t n_by, n_of;
	struct wanted *wanted;	/* of each in `of` */
	enum quantile method;
	struct rule rule;
	bool *keep;		/* rows; NULL: all */
	struct figure *figures;	/* group by group, each of all columns; then those of all rows */
	size_t n_figures;
	bool binary;		/* GiB, not GB */
};
void stat_figures(struct stat *, bool total);
struct figure *stat_figure(const struct stat *, size_t group, size_t column);
/* "0,5,50", "0:100", "0:100:5" in percent; dies with ST_USAGE. */
void xpercentiles(struct wanted *, const char *text);
/* "p5", "p99_9" of 0.05, 0.999. */
void percentile_name(char name[24], double p);

/* ---- records --------------------------------------------------------------------- */

/* Each returns an array of records; new references. */
json_t *stat_records(const struct stat *);	/* statrecord.c: one a group and column */
json_t *largest_records(const struct stat *, size_t n, const struct list *shown);
json_t *outlier_records(const struct stat *, const struct list *shown);	/* statoutlier.c */
json_t *check_records(const struct stat *, const char *summary, const struct list *map, double tolerance, bool *differs);	/* statcheck.c */
json_t *group_key(const struct stat *, size_t group);	/* {"step": "1", ...} */
json_t *json_figure(double);	/* null where it is not finite */
void set_place(json_t *, const struct table *, size_t row);	/* "file", "row" */
json_t *key_of_row(const struct stat *, size_t row, const struct list *shown);

/* ---- sheet.c: records as a table ---------------------------------------------------- */

enum format { FORMAT_RECORDS, FORMAT_CSV, FORMAT_MARKDOWN, FORMAT_LATEX, FORMAT_TEXT };
struct sheet_column {
	char *title;
	char *path;	/* "percentiles.p5" */
	enum { CELL_TEXT, CELL_COUNT, CELL_VALUE, CELL_SQUARE, CELL_PCT, CELL_NUMBER } kind;	/* CELL_VALUE: in the record's "unit" */
};
struct sheet {
	struct sheet_column *columns;
	size_t n;
	const char *caption;	/* above it; NULL: none */
};
void sheet_column(struct sheet *, const char *title, const char *path, int kind);
void sheet_put(const struct sheet *, const json_t *records, enum format, bool binary);
void sheet_free(struct sheet *);

/* statshow.c: which columns. */
void stat_sheet(struct sheet *, const struct stat *, const struct list *stats, enum format);
void largest_sheet(struct sheet *, const struct stat *, const struct list *more, enum format);
void outlier_sheet(struct sheet *, const struct stat *, const struct list *more, enum format);
void check_sheet(struct sheet *, const struct stat *);
void xcheck_stats(const struct list *);
void xcheck_sort(const char *stat);	/* NULL: fine */
/* Column by column, the largest first, at most `most` of each (0: all); takes `records`. */
json_t *xsorted(json_t *records, size_t n_of, const char *stat, size_t most);

#endif
