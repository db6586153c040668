/* plan_table.h: a plan as text for people, and as a record. */
#pragma once

#include "forecast.h"
#include "machine/memory_limit.h"
#include "oversized.h"

/* Numbers that are not known are NaN. */
struct plan {
	const char *label;
	char *usecase;		/* the first combination's */
	long repeat;
	size_t notebooks, up_to_date, to_run, skipped;
	size_t skipped_before;	/* by an earlier run, though they fit now */
	size_t runs;		/* of the notebooks to run, with their repetitions */
	size_t predicted, extrapolated;	/* notebooks to run that never ran */
	double time_s, low_s, high_s;
	bool early;		/* some times are of runs that ended early */
	bool stale;		/* some are of stale runs */
	double peak_bytes;	/* the largest need of a notebook to run */
	char *peak_name;
	double disk_bytes, disk_free_bytes;
	const char *disk_uncounted;	/* NULL: nothing */
	const struct memory_limit *memory;
	const struct forecast *forecast;
	struct oversized *oversized;	/* NULL: needs are not known */
};
void plan_table_print(const struct plan *);
json_t *plan_table_json(const struct plan *);
