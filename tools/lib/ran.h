/* ran.h: a run and its cells, as its record tells them. */
#ifndef RAN_H
#define RAN_H

#include "scan.h"

struct ran_cell {
	long index;
	char *status, *source, *reason;	/* reason: the error's name, or why; NULL */
	bool empty;
	/* Unix seconds by the page's clock; NaN: not known. */
	double t, start_t, kernel_end_t, settled_t;
	double turn_t;	/* of one that waited behind another: when it had the kernel; else start_t */
	double ahead_s;	/* the kernel's clock, where that is surer than its bound; else 0 */
	double client_s, kernel_s, render_s;
	double taken_s;	/* client_s, or from the request on where no press is known */
	json_t *usage;	/* what it used, by role; NULL */
};
struct ran {
	unsigned number;	/* of the run in the stream, from 1; 0: none yet */
	char *name, *notebook, *label;	/* never NULL once there is a run */
	double t, end_t;	/* NaN: not told, or torn */
	long repetition;
	char *status;	/* NULL: torn */
	struct ran_cell *v;
	size_t n, cap;
};
/* Takes a `run`, `cell` or `run_end` record; false: it is none of these.  A
 * `run` forgets the cells before.  Dies with ST_INPUT on a cell without index. */
bool ran_take(struct ran *, struct scan *, const struct lines *);
void ran_clear(struct ran *);
/* The first line of code that is not blank; borrowed up to the next call. */
const char *first_line(const char *source);

#endif
