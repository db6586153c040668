/* plot_groups.h: the data of a figure: groups, measures, and rows of groups. */
#ifndef PLOT_GROUPS_H
#define PLOT_GROUPS_H

#include "metric/phase.h"
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

#include <setjmp.h>

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
	struct drawing f;
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
	struct column *phases[N_PHASES];	/* of a waterfall */
	bool binary, by_value;
	enum log_wish log;
	bool is_one_of_several, has_short_names;
	jmp_buf empty;	/* where to go on if one of several has nothing to draw */
	double upto;	/* largest: percent */
	size_t most, bins;
	size_t rank_from, rank_to;	/* hulls: groups by their total; rank_to 0: all */
	const struct measure *coloured;	/* bars: the measure whose classes have colours */
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
/* Their names, distinct and at most this wide; plot_text_free() frees them. */
char **plot_fit_names(struct plotting *, const size_t *shown, size_t n, double room_px);
/* The groups to show, in order; the caller's.  A note says which are omitted. */
size_t *plot_choose_groups(struct plotting *, const struct measure *, bool by_value,
    size_t *n);
/* "sum of run time", "count". */
char *plot_measure_title(const struct measure *);
/* "run time (h)": the title with an axis' unit; its values are multiplied by *ratio. */
char *plot_axis_title(const char *title, const struct unit *, double largest, bool log_scale,
    bool binary, double *ratio);
bool plot_wants_log(const struct plotting *, double least, double most, double spread);
/* "12.3 s"; the caller's. */
char *plot_value_text(const struct plotting *, const struct unit *, double value);
/* There is nothing to draw, for this reason or the usual ones: the end of the program with
 * ST_UNKNOWN, or, of several figures, of this one. */
_Noreturn void plot_empty(struct plotting *, const char *fmt, ...) PRINTF(2, 3);
_Noreturn void plot_empty_figure(struct plotting *);

/* To a scale's ends, a little outside the values. */
void plot_scale_widen(bool log, double *least, double *most);
/* Sets NAME_scale and NAME_axis, which is as long as the values' room, width or, for y, height.
 * `zero`: it begins at 0. */
void plot_set_scale(json_t *values, const char *name, bool log, bool zero, double least,
    double most);

/* Of one member: NAME_colour and NAME_shape, without a legend. */
void plot_set_one_look(json_t *values, const char *name);

enum { PANELS_APART = 14, PANELS_WITH_AXES_APART = 40 };

/* Views of rows: as many as fit next to each other, with names at the left of each line. */
struct rows {
	size_t n, panes, across;
	char **names;	/* of groups, shortened where they are too wide */
	double room, wide, high;	/* without the names; of a view,
	    if there is one with all around it */
};
/* right_px: space at the right of each view. */
void plot_rows_start(struct plotting *, struct rows *, const size_t *shown, size_t n,
    size_t panes, double right_px);
/* What the template of view k requires of all. */
json_t *plot_rows_values(const struct plotting *, const struct rows *, size_t k);
/* A row of data for group i: its name alone. */
json_t *plot_row(const struct rows *, size_t i);
/* Marks group i, which has no value, in the view. */
void plot_rows_unknown(json_t *values, const struct rows *, size_t i);
void plot_rows_free(struct rows *);
/* Small views with the same axes; *columns of them next to each other, at this distance. */
json_t *plot_panels(const struct plotting *, size_t n, double apart_px, size_t *columns);

#endif
