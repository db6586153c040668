/* notebook_plan.h: what the runs of one notebook are predicted to need, as a record. */
#ifndef NOTEBOOK_PLAN_H
#define NOTEBOOK_PLAN_H

#include "forecast.h"

struct notebook_plan {
	const char *label, *name;
	size_t runs;		/* to make */
	double memory_bytes;	/* NaN: not known */
	struct prediction time;	/* of one run; NaN where it is not known */
};
void xnotebook_plan_write(const struct notebook_plan *);

#endif
