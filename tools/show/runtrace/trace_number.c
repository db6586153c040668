/* trace_number.c: the numbers of a trace. */
#include "trace_number.h"
#include "base/die.h"
#include "json/json_value.h"
#include "metric/metric_series.h"
#include "run/processor_series.h"
#include "run/role.h"
#include "run/run_word.h"
#include "trace_group.h"

enum { MAX_GPUS = 64 };

/* The series of each group, by its number: as many as metric_series has rows, and as many again
 * for each GPU. */
static struct trace_numbers {
	struct trace_series *series;
	size_t n;
	struct processor_counter { long id; struct trace_series series; } *processors;
	size_t n_processors;
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

struct processor_moment {
	unsigned group;
	int64_t t_us;
};

static void
put_processor(void *arg, long id, double busy_s)
{
	const struct processor_moment *now = arg;
	struct trace_numbers *g = &groups[now->group - 1];
	size_t i = 0;
	while (i < g->n_processors && g->processors[i].id != id)
		i++;
	if (i == g->n_processors)
		*XAPPEND(g->processors, g->n_processors) = (struct processor_counter){id, {
		    .def = &processor_series_def, .group = now->group,
		    .name = xasprintf("processor %ld", id)}};
	trace_number(&g->processors[i].series, now->t_us, busy_s);
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
	if (machine)
		processor_readings(s, put_processor, &(struct processor_moment){group, t_us});
}

/* A viewer holds a value until the next one. */
static void
end_rate(struct trace_series *s)
{
	if (s->def && s->def->flags & SERIES_COUNTER && s->head.n)
		trace_writer->counter(s, s->at_us, s->at_us, s->raw, 0);
}

void
trace_end_rates(void)
{
	for (; first < n_groups; first++) {
		const struct trace_numbers *g = &groups[first];
		for (size_t i = 0; i < g->n * METRIC_SERIES; i++)
			end_rate(&g->series[i]);
		for (size_t i = 0; i < g->n_processors; i++)
			end_rate(&g->processors[i].series);
	}
}
