/* stat_figure.h: statistics of each column in each group of rows. */
#pragma once

#include "stats/descriptive.h"
#include "stats/quantile.h"
#include "table/derive.h"
#include "table/table_group.h"

struct wanted {	/* percentiles of one column */
	double *p;	/* ascending, in [0,1] */
	size_t n;
};
struct stat_figure {
	uint32_t group, column;	/* group = groups.n: all rows */
	uint32_t rows, missing, invalid, outliers, n_unique;
	struct descriptive d;
	double median, p25, p75, mad;
	double share, cumulated;	/* of the column's sum over all groups; NaN: unknown */
	double ratio;		/* of sums; NaN: the column is not a ratio */
	double low, high;	/* values outside are outliers; NaN: there are none */
	double *percentiles;	/* those of `wanted` */
};
struct rule {	/* for outliers */
	enum { NO_RULE, RULE_IQR, RULE_MAD, RULE_PERCENTILES } kind;
	double low, high, factor;
	const char *text;
};
struct stat_table {
	struct table t;
	struct groups g;
	struct column **by, **of;
	size_t n_by, n_of;
	struct wanted *wanted;	/* for each in `of` */
	enum quantile method;
	struct rule rule;
	bool *keep;		/* rows; NULL: all */
	size_t n_figures;	/* groups times columns, with those of all rows */
	bool binary;		/* GiB, not GB */
	bool *chosen;		/* groups to report; NULL: all */
	bool unique;		/* count different values */
	/* private */
	struct stat_figure *figures;	/* by group, then by column; if held, only that group's */
	struct figure_work *work;	/* of each column */
	size_t *held;		/* the group whose figures these are; NULL: they are all */
};
void xstat_rule(struct rule *, const char *text);	/* iqr, mad, iqr:3, p05-p95 */
/* Whether the group, or all rows, is reported. */
bool stat_is_chosen(const struct stat_table *, size_t group);
void stat_figures(struct stat_table *, bool total);
void stat_figures_free(struct stat_table *);	/* with its groups, `of` and `wanted` */
/* The figures of a group, or of all rows: g.n.  Valid until those of another group are requested,
 * as those of many groups are computed each time. */
const struct stat_figure *stat_figure(const struct stat_table *, size_t group, size_t column);
/* The group's part of g.rows: from..to-1. */
void stat_group_rows(const struct stat_table *, size_t group, size_t *from, size_t *to);
/* `scale` times the ratio of two columns' sums over the group's rows that have both; NaN: there is
 * none. */
double stat_ratio_of_sums(const struct stat_table *, size_t group, const double *above,
    const double *below, double scale);
bool stat_is_outlier(const struct stat_figure *, double);
/* "0,5,50", "0:100", "0:100:5" in percent; dies with ST_USAGE. */
void xstat_percentiles(struct wanted *, const char *text);
/* "p5", "p99_9" of 0.05, 0.999. */
void stat_percentile_name(char name[24], double p);
