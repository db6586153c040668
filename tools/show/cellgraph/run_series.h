/* run_series.h: a run's samples as one time series for each quantity and process. */
#pragma once

#include "json/scan.h"
#include "metric/metric_series.h"
#include "run/processor_series.h"
#include "run/role.h"

/* What a series is of: a role (enum role), a GPU, or one more watched process. */
enum { MAX_GPUS = 8, MAX_PROCESSES = 7 };
enum { SLOT_GPU = ROLES, SLOT_PROCESS = SLOT_GPU + MAX_GPUS, SLOTS = SLOT_PROCESS + MAX_PROCESSES };

struct run_series {
	bool chosen[METRIC_SERIES], role[ROLES];	/* what to read: by rows of metric_series */
	struct time_series v[METRIC_SERIES][SLOTS];
	bool each_chosen;
	struct processor_series each;	/* processor */
	double pid[SLOTS];	/* NaN: unknown */
	char *why_not[ROLES];	/* why no process of that role is watched */
	char *gpu_reason, *energy_reason, *energy_method;
	double first_t, last_t;
	size_t samples;
};
/* Empties it; what was chosen stays. */
void run_series_clear(struct run_series *);
/* Takes in a `watch` or a `sample`; ignores other records. */
void run_series_read(struct run_series *, struct scan *);
