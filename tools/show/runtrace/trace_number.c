/* trace_number.c: the numbers of a trace. */
#include "trace_number.h"
#include "base/die.h"
#include "json/json_value.h"
#include "metric/metric_series.h"
#include "run/role.h"
#include "run/run_word.h"
#include "trace_group.h"

enum { MAX_GPUS = 64 };

/* The series of each group, by its number: as many as metric_series has rows, and as many again
 * for each GPU. */
static struct trace_numbers {
	struct trace_series *series;
	size_t n;
} *groups;
static unsigned n_groups, first;	/* first: of this run */

void
trace_number(struct trace_series *s, int64_t t_us, double raw)
{
	double shown = raw;
	if (!isfinite(raw))
		return;
	int64_t from_us = t_us;
	if (s->def->flags & SERIES_COUNTER) {
		double past_s = s->begun ? (double)(t_us - s->at_us) / 1e6 : 0;
		shown = series_scale(s->def) * series_rate(past_s, s->raw, raw);
		from_us = isfinite(shown) ? s->at_us : t_us;
	}
	s->begun = true;
	s->raw = raw;
	s->at_us = t_us;
	trace_writer->counter(s, from_us, t_us, raw, shown);
}

/* `block`: 0, or the GPU's number from 1. */
static void
put_sampled(unsigned group, size_t block, size_t row, int64_t t_us, double raw, bool estimated)
{
	const struct series_def *def = &metric_series[row];
	struct trace_numbers *g = &groups[group - 1];
	if (!isfinite(raw))
		return;
	for (; g->n <= block; g->n++) {
		size_t bytes = METRIC_SERIES * sizeof *g->series;
		g->series = xrealloc(g->series, (g->n + 1) * bytes);
		memset(g->series + g->n * METRIC_SERIES, 0, bytes);
	}
	struct trace_series *s = &g->series[block * METRIC_SERIES + row];
	if (!s->def && block)	/* "GPU 0 utilization" of "GPU utilization" */
		s->name = xasprintf("GPU %zu%s", block - 1, def->title + strlen("GPU"));
	else if (!s->def)
		s->name = xasprintf("%s%s", def->title, estimated ? ", estimated" : "");
	s->def = def;
	s->group = group;
	trace_number(s, t_us, raw);
}

static void
put_gpus(unsigned group, struct span text, int64_t t_us)
{
	json_t *list = span_null(text) ? NULL : span_json(text), *gpu;
	size_t i;
	json_array_foreach(list, i, gpu) {
		json_int_t index = json_integer_value(json_object_get(gpu, "index"));
		for (size_t m = 0; m < METRIC_SERIES && index >= 0 && index < MAX_GPUS; m++)
			if (metric_series[m].flags & SERIES_GPU)
				put_sampled(group, (size_t)index + 1, m, t_us,
				    json_value_real_at(gpu, metric_series[m].process), false);
	}
	json_decref(list);
}

void
trace_sample(struct scan *s, int64_t t_us)
{
	unsigned group = trace_group_of(scan_get(s, "role"), scan_get(s, "pid"));
	bool machine = run_word_role(s) == ROLE_MACHINE;
	if (group == 0)
		return;
	while (n_groups < group)
		*XAPPEND(groups, n_groups) = (struct trace_numbers){0};
	bool estimated = machine && span_is_word(scan_get(s, "energy_method"), "estimate");
	for (size_t m = 0; m < METRIC_SERIES; m++) {
		const struct series_def *def = &metric_series[m];
		const char *member = machine ? def->machine : def->process;
		if (member && !(def->flags & SERIES_GPU))
			put_sampled(group, 0, m, t_us, span_number(scan_get(s, member)),
			    estimated && strcmp(member, "energy_j") == 0);
	}
	if (machine)
		put_gpus(group, scan_get(s, "gpus"), t_us);
}

/* A viewer holds a value until the next one. */
void
trace_end_rates(void)
{
	for (; first < n_groups; first++)
		for (size_t i = 0; i < groups[first].n * METRIC_SERIES; i++) {
			struct trace_series *s = &groups[first].series[i];
			if (s->def && s->def->flags & SERIES_COUNTER && s->head.n)
				trace_writer->counter(s, s->at_us, s->at_us, s->raw, 0);
		}
}
