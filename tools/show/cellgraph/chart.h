/* chart.h: a graph, before it is drawn. */
#pragma once

#include "base/buf.h"

/* One column of a curve: the mean and the range of its values; NaN: none. */
struct chart_bin {
	double mean, lo, hi;
};
/* Styles, as colour and dash: the roles in their order, then GPUs. */
enum { LOOKS = 8 };
struct curve {
	char *name, *figures;	/* figures: as text, or NULL */
	int look;
	bool flat;	/* nothing but zeros */
	double most;	/* the largest value that its axis must show */
	struct chart_bin *bins;
};
/* A cell's own value, over the time of the cell. */
struct reading {
	double from, to, value;
	int look;
};
struct panel {
	const char *title, *unit;
	bool bytes;
	double most;	/* the largest value that the axis must show */
	bool flat;	/* nothing but zeros */
	bool strip;	/* a row of shades for each curve instead, from 0 to 100 % */
	struct curve *curves;
	size_t n_curves;
	struct reading *levels;
	size_t n_levels;
	char *note;	/* why there is no curve, or NULL */
};
struct chart_mark {
	double at;
	const char *name;	/* NULL: within one of several cells */
};
struct band {
	double from, to;
	char *name, *brief;	/* brief: if there is not enough space for the name */
};
struct chart {
	char *title, *subtitle;
	const char *axis;
	double from, to;	/* of the axis */
	size_t bins;
	bool gaps;	/* some time belongs to no cell */
	struct panel *panels;
	struct chart_mark *marks;
	struct band *bands;	/* the cells */
	char **notes;
	size_t n_panels, n_marks, n_bands, n_notes;
};

struct axis {
	double top, step, divide;
	int decimals;
	const char *prefix;	/* of the unit: "M" */
};
struct axis chart_axis(double most, size_t ticks, bool bytes);
void chart_tick(struct buf *, const struct axis *, double value);
void chart_unit(struct buf *, const struct panel *, const struct axis *);
/* "12.3 MB": three significant digits. */
void chart_amount(struct buf *, double value, bool bytes);
