/* contention.h: how far kernel and browser had to wait for processors, and why. */
#ifndef CONTENTION_H
#define CONTENTION_H

#include "metric/metrics_record.h"
#include "metric/wait_cause.h"

struct contention {
	size_t cells;	/* with a client time */
	double processors;	/* of the machine; NaN: unknown */
	struct waited {
		size_t cells;	/* of that cause */
		/* Sums over them: of kernel and browser; of other processes; of the machine. */
		double wait_s, cpu_s, others_cpu_s, machine_cpu_s;
	} waited[WAIT_CAUSES];
};
void contention_cell(struct contention *, const struct metrics_record *);
void contention_notebook(struct contention *, const struct metrics_record *);
/* A sentence on the cells of a cause, with what to do; NULL: there are none.  The caller's. */
char *contention_text(const struct contention *, enum wait_cause);

#endif
