/* sampled.h: what the samples of one cell say: procsample's, between its ends. */
#ifndef SAMPLED_H
#define SAMPLED_H

#include "scan.h"

enum sampled_role { SAMPLED_KERNEL, SAMPLED_BROWSER, SAMPLED_GPU, SAMPLED_ROLES };
struct range {
	double min, mean, max;	/* NaN: not known */
};
/* Keeps a `sample` record until sampled_forget(). */
void sampled_take(struct scan *sample);
/* Percent of one core (of all GPUs) between two moments (unix seconds), by the
 * intervals of which at least the middle lies there; how many there were. */
size_t sampled_cpu(enum sampled_role, double from_t, double to_t, struct range *);
/* CPU seconds of the intervals that lie between: no more than was used. */
double sampled_used_s(enum sampled_role, double from_t, double to_t);
/* Resident bytes (of SAMPLED_GPU: memory in use), by the samples between. */
size_t sampled_memory(enum sampled_role, double from_t, double to_t, struct range *);
/* What lies before a moment is dropped, but for the last sample of each role (before
 * INFINITY: all but the last); all of it where another run begins. */
void sampled_forget_before(double t);
void sampled_forget(void);
/* From when to when the samples were, the dropped ones too. */
struct range sampled_times(void);

#endif
