/* contention.h: how far kernel and browser had to wait for processors, and why. */
#pragma once

#include "metric/metrics_record.h"

struct contention {
	size_t cells;
	double client_s;	/* of all of them */
	double processors;	/* of the machine; NaN: unknown */
	struct waited {
		size_t cells;	/* of that cause */
		double client_s;
		/* Sums over them: of kernel and browser; of other processes; of the machine. */
		double wait_s, cpu_s, others_cpu_s, machine_cpu_s;
	} waited[WAIT_CAUSES];
};
void contention_cell(struct contention *, const struct metrics_record *);
void contention_notebook(struct contention *, const struct metrics_record *);
/* Whether the cells of a cause put all results in doubt: they are more than a tenth of the cells,
 * or took more than a tenth of the time. */
bool contention_matters(const struct contention *, enum wait_cause);
/* "2 of 30 cells", with their share of the time where that is why they matter.  The caller's. */
char *contention_extent(const struct contention *, enum wait_cause);
/* A sentence on the cells of a cause, with what to do; NULL: they do not matter.  The caller's. */
char *contention_text(const struct contention *, enum wait_cause);
