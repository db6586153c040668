/* series.h: readings of one quantity over time, and which of them, or of the intervals
 * between them, belong to a span of time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What a series is of, and how its readings become values. */
enum {
	SERIES_COUNTER = 1,	/* it grows: its value is its rate */
	SERIES_TRAILING = 2,	/* a reading is the mean since the one before */
	SERIES_BYTES = 4,
	SERIES_PERCENT = 8,
	SERIES_SUM = 16,	/* a cell's usage has the total by the same name */
	SERIES_PEAK = 32,	/* a cell's usage has the peak, "peak_..." */
	SERIES_GPU = 64,	/* of each GPU */
	SERIES_GPU_USER = 128,	/* GPUs report it for each process too */
	SERIES_PROCESSORS = 256,	/* of each processor: processor_series.h */
};
struct series_def {
	const char *key, *title, *unit;
	int flags;
	const char *process, *machine;	/* the member of samples of each; NULL: none */
	const char *alias;	/* its name in JUmPER */
};
/* The factor from readings to values: a counter of seconds is percent of the time. */
double series_scale(const struct series_def *);

struct series_point {
	double t, reading;	/* NaN: the series is interrupted */
};
struct time_series {
	struct series_point *points;
	size_t n;
	bool unordered;	/* the clock was set back */
};
/* A counter outlives readings that lack it (NaN); a level is interrupted by them. */
void series_add(struct time_series *, const struct series_def *, double t, double reading);
void series_interrupt(struct time_series *, double t);
void series_drop(struct time_series *, size_t first);	/* the first ones */
/* Drops what lies before t, but for the last point (before INFINITY: all but the last). */
void series_drop_before(struct time_series *, double t);
void series_clear(struct time_series *);

/* Value from this point to the next one; NaN: there is none. */
double series_value(const struct series_def *, const struct series_point *);
/* A counter's change by time; NaN where it fell (it is another one) or no time went by. */
double series_rate(double past_s, double before, double now);
/* The index of the first point after t, or one before it in an unordered series. */
size_t series_after(const struct time_series *, double t);

struct series_stats {
	double sum;	/* of readings; of intervals the integral */
	double min, max;	/* NaN: there is none */
	double time_s;	/* of the intervals together */
	size_t n;
};
/* The readings in a span of time, its ends included. */
struct series_stats series_readings(const struct time_series *, double from_t, double to_t);
/* The intervals between two readings: those that overlap the span, as far as they do; whole
 * ones whose middle lies in it; or whole ones that lie within it. */
enum series_rule { SERIES_CUT, SERIES_MIDDLE, SERIES_WITHIN };
struct series_stats series_intervals(const struct time_series *, const struct series_def *,
    double from_t, double to_t, enum series_rule);
