/* run_queue.h: whether kernel or browser waited long for a processor, and why. */
#pragma once

#include "metric/catalogue.h"

struct run_queue {
	enum wait_cause cause;	/* WAIT_NONE: no long wait; the rest is not set */
	const char *role;	/* who waited */
	double wait_s, runnable_s;	/* runnable: waiting or running */
};
/* `number` by enum metric_id; NaN: unknown. */
struct run_queue run_queue_of(const double *number);
