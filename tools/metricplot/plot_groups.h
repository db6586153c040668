/* plot_groups.h: the data of a figure: groups, measures, and rows of groups. */
#ifndef PLOT_GROUPS_H
#define PLOT_GROUPS_H

#include "stats/exact_sum.h"
#include "stats/quantile.h"
#include "table/bins.h"
#include "table/column_unit.h"
#include "table/derive.h"
#include "table/list.h"
#include "table/rows_where.h"
#include "table/stat_figure.h"
#include "table/table_group.h"
#include "table/table_read.h"
#include "plot_figure.h"

enum measure_stat {
	STAT_AUTO,
	STAT_SUM,
	STAT_MEAN,
	STAT_MEDIAN,
	STAT_MIN,
	STAT_MAX,
	STAT_COUNT,
	STAT_PERCENTILE,
	STAT_RATIO,
};
struct measure {
	char *name, *over;	/* columns; over: the divisor of a ratio of sums, or NULL */
	enum measure_stat stat;
	double p;	/* of STAT_PERCENTILE, in [0,1] */
	struct unit unit;
	struct column *column, *divisor;	/* NULL: count */
};
enum log_wish { LOG_AUTO, LOG_YES, LOG_NO };

struct plotting {
	struct drawing *f;
	struct table *t;
	struct groups g;
	char **names;	/* of each group: its keys, separated by " / " */
	struct measure *of;
	size_t n_of;
	const char *by_title;
	const struct plot_kind *kind;
	struct column **against;
	size_t n_against;
	struct column *category_column;
	struct bins categories;	/* with the limits in their names */
	struct wanted percentiles;
	struct column *phases[6];	/* of a waterfall, in the order of PHASE_ */
	bool binary, by_value;
	enum log_wish log;
	double upto;	/* largest: percent */
	size_t most, bins;
	double top;	/* of the first pane, px */
};

struct plot_kind {
	const char *name, *about;
	void (*draw)(struct plotting *);
	size_t least_of, most_of;	/* number of --of; most_of 0: any */
	bool against;	/* requires --against */
};

/* A group's values of a measure, ascending; the caller's; NULL: none. */
double *plot_sorted_values(const struct plotting *, size_t group, const struct column *,
    size_t *n);
/* The value of a measure for a group; NaN: unknown. */
double plot_measure_group(const struct plotting *, const struct measure *, size_t group);
/* The groups to show, in order; the caller's.  A note says which are omitted. */
size_t *plot_choose_groups(struct plotting *, const struct measure *, bool by_value,
    size_t *n);
/* The names of these groups; the array is the caller's. */
char **plot_names(const struct plotting *, const size_t *shown, size_t n);
/* The same, each at most `room` wide; plot_text_free() frees them. */
char **plot_names_fitted(const struct plotting *, const size_t *shown, size_t n,
    double room);
/* "sum of run time", "count". */
char *plot_measure_title(const struct measure *);
/* "run time (h)": the title with an axis' unit; its values are multiplied by *ratio. */
char *plot_axis_title(const char *title, const struct unit *, double largest, bool log_scale,
    bool binary, double *ratio);
bool plot_wants_log(const struct plotting *, double least, double most, double spread);
/* "12.3 s"; the caller's. */
char *plot_value_text(const struct plotting *, const struct unit *, double value);
_Noreturn void plot_die_empty(const struct plotting *);

/* Panes of rows: as many as fit next to each other, with names at the left of each line. */
struct rows {
	size_t n, panes, across;
	char **names;	/* borrowed */
	double label_px, row_px, wide, top, right_px;
};
/* right_px: space for labels at the right of each pane. */
void plot_rows_start(struct plotting *, struct rows *, char **names, size_t n, size_t panes,
    double right_px);
/* Adds pane k, with its value axis. */
struct pane *plot_rows_pane(struct plotting *, const struct rows *, size_t k, const struct scale *x);
double plot_rows_bottom(const struct rows *);

#endif
