/* trace.h: a run as tracks of slices, instants and counters on one clock, that of the samples,
 * and the interface of what writes them. */
#pragma once

#include "base/buf.h"
#include "run/series.h"

/* A track of a group: in a viewer, a thread of a process.  Times are unix microseconds. */
struct trace_place {
	unsigned group, track;	/* both from 1 */
};

/* A number over time. */
struct trace_series {
	const struct series_def *def;
	const char *name;
	unsigned group;
	double raw;	/* the last one */
	int64_t at_us;	/* when `raw` was read */
	bool begun;
	/* The writer's own: */
	long long written;
	uint32_t id;
	struct buf head;
};

/* `args` is a JSON object's text, or NULL. */
struct trace_writer {
	void (*group)(unsigned group, const char *name, int order);
	void (*track)(struct trace_place, const char *name);
	void (*slice)(struct trace_place, const char *name, int64_t begin_us, int64_t end_us,
	    const char *args);
	void (*instant)(struct trace_place, const char *name, int64_t t_us, const char *args);
	/* The value `shown` holds from from_us to t_us, where `raw` was read; NaN: unknown. */
	void (*counter)(struct trace_series *, int64_t from_us, int64_t t_us, double raw,
	    double shown);
	/* The last call: `about` is a JSON object's text that holds for all of it. */
	void (*close)(const char *about);
};
