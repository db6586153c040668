/* plotkind.h: what metricplot draws, and what each kind of figure gets. */
#ifndef PLOTKIND_H
#define PLOTKIND_H

#include "stats/descriptive.h"
#include "plot.h"
#include "table/bins.h"
#include "table/column_unit.h"
#include "table/stat_figure.h"

enum statistic { STAT_AUTO, STAT_SUM, STAT_MEAN, STAT_MEDIAN, STAT_MIN, STAT_MAX, STAT_COUNT, STAT_PERCENTILE, STAT_RATIO };
struct measure {
	char *name, *over;	/* columns; over: of a ratio of sums, or NULL */
	enum statistic stat;
	double p;	/* of STAT_PERCENTILE, in [0,1] */
	struct unit unit;
	struct column *column, *divisor;	/* NULL: count */
};
enum log_wish { LOG_AUTO, LOG_YES, LOG_NO };

struct plotting {
	struct drawing *f;
	struct table *t;
	struct groups g;
	char **names;	/* one a group: its keys with " / " between */
	struct measure *of;
	size_t n_of;
	const char *by_title;
	const struct kind *kind;
	struct column **against;
	size_t n_against;
	struct column *category_column;
	struct bins categories;	/* their names have the limits with them */
	struct wanted percentiles;
	struct column *phases[6];	/* waterfall's, in the order of PHASE_ */
	bool binary, by_value;
	enum log_wish log;
	double upto;	/* largest: percent */
	size_t most, bins;
	/* of the kinds' making */
	double top;	/* where the panes may begin */
};
enum { PHASE_DISPATCH, PHASE_QUEUE, PHASE_KERNEL, PHASE_DELIVERY, PHASE_RENDER, PHASE_QUEUE_DELIVERY, N_PHASES };
extern const char *const phase_columns[N_PHASES];

struct kind {
	const char *name, *about;
	void (*draw)(struct plotting *);
	size_t least_of, most_of;	/* how many --of; most 0: any number */
	bool against;	/* wants --against */
};
extern const struct kind kinds[];
extern const size_t n_kinds;

/* ---- plotgroups.c: values of groups, rows of names --------------------------------------- */

/* A group's values of a measure, ascending; the caller's; NULL: none. */
double *sorted_values(const struct plotting *, size_t group, const struct column *, size_t *n);
/* What a measure makes of a group; NaN: unknown.  v: filled with one a group. */
double measure_of_group(const struct plotting *, const struct measure *, size_t group);
/* Which groups to show, in order; the caller's.  Tells in a note what is left out. */
size_t *choose_groups(struct plotting *, const struct measure *, bool by_value, size_t *n);
/* The names of these groups; the array is the caller's. */
char **names_of(const struct plotting *, const size_t *shown, size_t n);
/* As texts of PX_TEXT, at most so wide; texts_free() frees them. */
char **names_fitted(const struct plotting *, const size_t *shown, size_t n, double room);
/* "sum of run time", "count". */
char *measure_title(const struct measure *);
/* "run time (h)": the title with the unit of an axis, whose values are times *ratio. */
char *axis_title(const char *title, const struct unit *, double largest, bool log_scale, bool binary, double *ratio);
bool wants_log(const struct plotting *, double least, double most, double spread);
/* "12.3 s" of a measure's value; the caller's. */
char *value_text(const struct plotting *, const struct unit *, double value);
_Noreturn void die_nothing(const struct plotting *);

/* Panes of rows side by side, as many as fit, names at the left of each line of them. */
struct rows {
	size_t n, panes, across;
	char **names;	/* borrowed */
	double label_px, row_px, wide, top, right_px;
};
/* right_px: room kept at the right of each pane for words. */
void rows_start(struct plotting *, struct rows *, char **names, size_t n, size_t panes, double right_px);
/* Pane k of them with its value axis. */
struct pane *rows_pane(struct plotting *, const struct rows *, size_t k, const struct scale *x);
double rows_bottom(const struct rows *);

/* ---- plotasked.c: what a user's words ask of a figure; all die with ST_USAGE ---------------- */

struct asked {
	const struct opt_usage *usage;
	void (*want)(const char *column, enum keep);	/* called for each that must be read */
};
bool is_kind(const struct plotting *, const char *name);
bool has_one_number(const struct plotting *);	/* of each group and measure */
/* COLUMN, COLUMN:STATISTIC, COLUMN/COLUMN or count, with commas between; NULL: none. */
void xmeasures(struct plotting *, const struct asked *, const char *list);
/* As xbins() reads; NULL: none. */
void xcategories(struct plotting *, const struct asked *, const char *text);

/* ---- the kinds ----------------------------------------------------------------------------- */

void draw_bars(struct plotting *);
void draw_largest(struct plotting *);
void draw_ranked(struct plotting *);
void draw_categories(struct plotting *);
void draw_bands(struct plotting *);
void draw_points(struct plotting *);
void draw_whiskers(struct plotting *);
void draw_box(struct plotting *);
void draw_ridge(struct plotting *);
void draw_histogram(struct plotting *);
void draw_hulls(struct plotting *);
void draw_waterfall(struct plotting *);
void draw_sweep(struct plotting *);
void draw_ab(struct plotting *);
void draw_heatmap(struct plotting *);

#endif
