/* trace.h: a run as tracks of slices, instants and counters on one clock; what
 * runtrace reads into, and the two forms that it writes. */
#ifndef TRACE_H
#define TRACE_H

#include "scan.h"

/* Times are unix microseconds of the page's clock.  A place is a track of a group:
 * in a viewer, a thread of a process. */
struct trace_place {
	unsigned group, track;	/* both from 1 */
};

/* A number over time.  LEVEL: as it was read.  TOTAL: grows; what a person looks
 * at is its rate. */
struct trace_kind {
	const char *member, *name;
	const char *unit;	/* of what is shown: of the rate, for a TOTAL */
	const char *raw_unit;
	enum { LEVEL, TOTAL } how;
	double scale;	/* from what was read to what is shown */
};
struct trace_series {
	const struct trace_kind *kind;
	char *name;
	unsigned group;
	double raw;	/* the last one */
	int64_t at_us;	/* where `raw` was read */
	bool begun;
	long long written;	/* the writer's from here on */
	uint32_t id;
	struct buf head;
};

/* `args` is a JSON object's text, or NULL. */
struct trace_writer {
	void (*group)(unsigned group, const char *name, int order);
	void (*track)(struct trace_place, const char *name);
	void (*slice)(struct trace_place, const char *name, int64_t begin_us, int64_t end_us, const char *args);
	void (*instant)(struct trace_place, const char *name, int64_t t_us, const char *args);
	/* `shown` holds from from_us to t_us, where `raw` was read; NaN: not known. */
	void (*counter)(struct trace_series *, int64_t from_us, int64_t t_us, double raw, double shown);
	/* The last call: `about` is a JSON object's text that holds for all of it. */
	void (*close)(const char *about);
};

/* tracechrome.c: Chrome's trace event format to stdout, as it comes. */
const struct trace_writer *chrome_trace(void);
/* traceotf2.c: an OTF2 archive, a folder that must not be there yet.  Dies with
 * ST_USAGE and what is missing where it was built without the library. */
const struct trace_writer *xotf2_trace(const char *folder);

/* tracegroup.c: who has which place, and what is sampled of it. */

/* Opens the places of the next run; `name` (borrowed) tells them apart. */
void trace_next_run(const char *name);
/* The group of a role; with a pid (JSON text, or none) that of one process. */
unsigned trace_group(const struct trace_writer *, const char *role, struct span pid);
struct trace_place trace_place(const struct trace_writer *, unsigned group, const char *track);
/* One `sample` record, read at t_us of its own clock, drawn shift_us later. */
void trace_sample(const struct trace_writer *, struct scan *, int64_t t_us, int64_t shift_us);
/* The run is over: no rate goes on behind its last sample. */
void trace_end_rates(const struct trace_writer *);
/* One number of a group that no sample holds. */
void trace_level(const struct trace_writer *, unsigned group, const struct trace_kind *, int64_t t_us, double value);

/* A time of day as it stands in a record, exactly; INT64_MIN if it is none. */
int64_t span_us(struct span);

#endif
