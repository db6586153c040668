/* profile_cost.c: the kernel time of cells without a profiler. */
#include "profile_cost.h"
#include "base/die.h"
#include "metric/metrics_record.h"
#include "stats/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cost_sample {
	struct profile_pass *pass;
	double *v;
	size_t n;
};
static struct cost_sample *samples;
static size_t n_samples;
static struct profile_fold *profiles;

static void
append_cost(struct profile_pass *p, double kernel_s)
{
	size_t i = 0;
	while (i < n_samples && samples[i].pass != p)
		i++;
	if (i == n_samples) {
		*XAPPEND(samples, n_samples) = (struct cost_sample){.pass = p};
	}
	struct cost_sample *s = &samples[i];
	*XAPPEND(s->v, s->n) = kernel_s;
}

static void
read_cost(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	if (metrics_kind_of(s) != METRICS_CELL)
		return;
	struct metrics_record m = metrics_record_of(s, in);
	double kernel_s = metrics_record_number(&m, M_kernel_execution_time_metric);
	char *usecase = scan_string(s, "usecase"), *name = scan_string(s, "name");
	for (size_t i = 0; i < profiles->n && !m.film && isfinite(kernel_s); i++) {
		struct profile_cell *c = &profiles->cells[i];
		if (!c->index || (double)c->index < m.index || (double)c->index > m.index ||
		    (c->usecase && usecase && strcmp(c->usecase, usecase) != 0))
			continue;
		for (size_t k = 0; k < c->n_passes; k++)
			if (!c->passes[k].names ||
			    (name && json_object_get(c->passes[k].names, name)))
				append_cost(&c->passes[k], kernel_s);
	}
	free(usecase);
	free(name);
}

void
xprofile_cost_read(struct profile_fold *f, const char *path)
{
	char *list[] = {(char *)(uintptr_t)path, NULL};
	profiles = f;
	xscan_files(list, read_cost);
	for (size_t i = 0; i < n_samples; i++) {
		struct cost_sample *s = &samples[i];
		s->n = sample_sort(s->v, s->n);
		s->pass->without_s = sample_median(s->v, s->n);
		free(s->v);
	}
	free(samples);
}
