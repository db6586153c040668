/* processor_series.h: how busy each processor was, from a run's samples of the machine. */
#pragma once

#include "json/scan.h"
#include "run/series.h"

struct processor_series {
	struct time_series *v;	/* of processor_series_def */
	long *ids;		/* the system's numbers */
	size_t n;
};
/* Seconds busy, as percent of the time. */
extern const struct series_def processor_series_def;

/* From this number on, graphs show each processor and texts how many there are. */
enum { MANY_PROCESSORS = 3 };

/* Calls `each` with the number of each processor in a sample of the machine and its busy seconds,
 * cumulative; not at all for a sample without processors. */
void processor_readings(struct scan *sample, void (*each)(void *arg, long id, double busy_s),
    void *arg);
/* Takes in a sample of the machine at t (Unix seconds); one without processors adds nothing. */
void processor_series_read(struct processor_series *, struct scan *sample, double t);
void processor_series_drop_before(struct processor_series *, double t);
void processor_series_clear(struct processor_series *);
