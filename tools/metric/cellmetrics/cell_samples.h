/* cell_samples.h: statistics of procsample's samples between the ends of a cell. */
#pragma once

#include "json/scan.h"

enum sampled_role { SAMPLED_KERNEL, SAMPLED_BROWSER, SAMPLED_GPU, SAMPLED_ROLES };
struct range {
	double min, mean, max;	/* NaN: unknown */
};
/* Stores a `sample` record until cell_samples_forget(). */
void cell_samples_read(struct scan *sample);
/* Percent of one core (or of all GPUs) in a span of time (unix seconds), by the intervals whose
 * middle lies in it; how many there were. */
size_t cell_samples_cpu(enum sampled_role, double from_t, double to_t, struct range *);
/* CPU seconds of the intervals within that time: no more than was used. */
double cell_samples_used_s(enum sampled_role, double from_t, double to_t);
/* Resident bytes (of SAMPLED_GPU: memory in use), by the samples of that time. */
size_t cell_samples_memory(enum sampled_role, double from_t, double to_t, struct range *);
/* How many of the processors that the kernel may use were busy, the mean over that time, and
 * percent of it for the busiest; how many these are (0: not sampled). */
size_t cell_samples_processors(double from_t, double to_t, double *used, double *busiest_pct);
/* Drops what lies before a moment, but for the last sample of each role (before INFINITY: all
 * but the last); everything where another run begins. */
void cell_samples_forget_before(double t);
void cell_samples_forget(void);
/* When the first and the last sample of the run was taken, dropped ones included. */
struct range cell_samples_times(void);
