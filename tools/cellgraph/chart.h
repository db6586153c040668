/* chart.h: a graph as it is known, before anything draws it. */
#ifndef CHART_H
#define CHART_H

#include "base/buf.h"

/* One column of a curve: mean and extremes of what is known there; NaN: nothing. */
struct chart_bin {
	double mean, lo, hi;
};
/* Looks, in colour and dash: the roles in their order, then GPUs. */
enum { LOOKS = 8 };
struct curve {
	char *name, *told;	/* told: its numbers in words, or NULL */
	int look;
	bool flat;	/* nothing but zeros */
	double most;	/* what an axis for it alone must reach */
	struct chart_bin *bins;
};
/* A height that a cell's own readings gave, over the cell's time. */
struct reading {
	double from, to, value;
	int look;
};
struct panel {
	const char *title, *unit;
	bool bytes;
	double most;	/* what the axis must reach */
	bool flat;	/* nothing but zeros */
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
	char *name, *brief;	/* brief: where there is no room for it */
};
struct chart {
	char *title, *subtitle;
	const char *axis;
	double from, to;	/* of the axis */
	size_t bins;
	bool gaps;	/* there is time that belongs to no cell */
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
/* "12.3 MB": three digits. */
void chart_amount(struct buf *, double value, bool bytes);

#endif
