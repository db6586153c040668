/* cell_values.c: the values of the metrics of a cell or an interaction, and their sums. */
#include "cell_values.h"

#include "cell_samples.h"
#include "metric/cell_time.h"
#include "json/member.h"
#include "machine/energy_share.h"
#include "metric/run_queue.h"
#include "speed_index.h"

static bool
is_whole(size_t i)
{
	return metric_catalogue[i].type == METRIC_COUNT;
}

/* ---- a cell ------------------------------------------------------------------------ */

/* The objects of the record that metrics are copied from. */
static void
open_places(struct scan *places[METRIC_PLACES], struct scan *cell, bool interaction)
{
	static const char *const names[METRIC_PLACES] = {[METRIC_IN_CHANGES] = "changes",
		[METRIC_IN_OUTPUTS] = "outputs", [METRIC_IN_PAGE] = "page",
		[METRIC_IN_KERNEL] = "kernel", [METRIC_IN_BROWSER] = "browser",
		[METRIC_IN_SERVER] = "server", [METRIC_IN_MACHINE] = "machine"};
	static struct scan usage, inner[METRIC_PLACES];
	places[METRIC_IN_CELL] = cell;
	scan_members(&usage, scan_get(cell, "usage"));
	for (int i = METRIC_IN_CHANGES; i < METRIC_PLACES; i++) {
		places[i] = &inner[i];
		scan_members(places[i], scan_get(i >= METRIC_IN_KERNEL ? &usage : cell, names[i]));
	}
	if (interaction)
		places[METRIC_IN_PAGE] = cell;
}

/* What peak_rss_read() calls "vmhwm" is as exact as that. */
#define EXACT_WITHIN 1.01

/* Late samples may include what was used before the cell: ticks of running threads and of
 * children that were waited for. */
#define LATE_S 0.05
#define LATE_SHARE 0.1

/* CPU seconds of a role: only the samples include a process that left its parent and ended
 * before the cell did, as a daemon may. */
static double
used_s(double read_s, double sampled_s)
{
	return sampled_s > (1 + LATE_SHARE) * read_s + LATE_S ? sampled_s : read_s;
}

/* The metrics of a role are a block of the catalogue: ROLE. */
#define OF_ROLE(first, name) ((first) + M_kernel_##name - M_kernel_min_cpu_metric)
struct role_metrics {
	enum sampled_role role;
	size_t first, method;
};

/* Three metrics in a row: min, mean, max. */
static void
put_range(double *metrics, struct range r)
{
	metrics[0] = r.min;
	metrics[1] = r.mean;
	metrics[2] = r.max;
}

/* Min, mean and max of the samples in the cell.  With too few samples the readings at its
 * ends, `elapsed_s` apart, give the mean, and what is known of the bounds. */
static void
compute_role(struct cell_values *m, const struct role_metrics *role, const struct cell_context *c,
    struct scan *usage, double elapsed_s)
{
	double *cpu_s = &m->number[OF_ROLE(role->first, cpu_s)];
	double *peak = &m->number[OF_ROLE(role->first, peak_rss_bytes)];
	double *bytes = &m->number[OF_ROLE(role->first, min_rss_bytes)];
	double *percent = &m->number[OF_ROLE(role->first, min_memory_metric)];
	struct range cpu, memory;
	double before = span_number(scan_get(usage, "rss_before_bytes"));
	double after = span_number(scan_get(usage, "rss_bytes"));
	*cpu_s = used_s(*cpu_s, cell_samples_used_s(role->role, c->from_t, c->to_t));
	size_t n = cell_samples_cpu(role->role, c->from_t, c->to_t, &cpu);
	size_t n_memory = cell_samples_memory(role->role, c->from_t, c->to_t, &memory);
	if (n < c->min_samples) {
		double mean = isnan(*cpu_s) ? span_number(scan_get(usage, "cpu_pct")) :
		    100 * *cpu_s / elapsed_s;
		cpu = (struct range){NAN, mean, NAN};
	}
	if (n_memory < c->min_samples || isnan(memory.mean))
		memory.mean = (before + after) / 2;
	memory.min = fmin(fmin(memory.min, before), after);
	/* Children that had ended before the cell did are in the samples only. */
	if (memory.max > EXACT_WITHIN * *peak)
		m->word[role->method] = "sampled";
	if (memory.max > *peak)
		*peak = memory.max;
	memory.max = fmax(fmax(fmax(memory.max, before), after), *peak);
	memory.mean = round(memory.mean);
	put_range(&m->number[OF_ROLE(role->first, min_cpu_metric)], cpu);
	put_range(bytes, memory);
	for (int i = 0; i < 3; i++)
		percent[i] = 100 * bytes[i] / c->memory_bytes;
	m->number[OF_ROLE(role->first, samples)] = n ? (double)n : isfinite(*cpu_s) ? 0 : NAN;
	double energy_j = energy_share_j(m->number[M_machine_energy_j], m->number[M_machine_cpu_s],
	    *cpu_s);
	m->number[OF_ROLE(role->first, energy_j)] = energy_j;
	m->number[OF_ROLE(role->first, co2e_g)] = energy_share_co2e_g(energy_j, c->energy);
}

/* Processors count in steps of 10 ms. */
#define SHORTEST_S 0.1

static void
compute_processors(struct cell_values *m, const struct cell_context *c)
{
	double used, busiest_pct;
	m->processors = cell_samples_processors(c->from_t, c->to_t, &used, &busiest_pct);
	if (!m->processors || !(c->to_t - c->from_t >= SHORTEST_S))
		return;
	m->number[M_processors_used] = used;
	m->number[M_busiest_processor_pct] = busiest_pct;
}

static void
copy_members(struct cell_values *m, struct scan *places[METRIC_PLACES])
{
	for (size_t i = 0; i < METRICS; i++) {
		const struct metric *r = &metric_catalogue[i];
		m->text[i] = (struct span){0};
		m->word[i] = NULL;
		m->number[i] = NAN;
		if (!r->member)
			continue;
		m->text[i] = scan_get(places[r->place], r->member);
		m->number[i] = span_number(m->text[i]) / (r->type == METRIC_SECONDS ? 1000 : 1);
	}
}

/* The throughput and the share are those that the cell printed, or follow from its counts. */
static void
compute_items(double *v, double time_s)
{
	if (!(time_s > 0))
		time_s = NAN;
	if (isnan(v[M_items_per_s]))
		v[M_items_per_s] = v[M_items] / time_s;
	if (isnan(v[M_items_done_pct]) && v[M_items] > 0)
		v[M_items_done_pct] = 100 * v[M_items_done] / v[M_items];
	v[M_items_done_per_s] = isfinite(v[M_items_done]) ? v[M_items_done] / time_s :
	    v[M_items_per_s] * v[M_items_done_pct] / 100;
}

void
cell_values_read(struct cell_values *m, struct scan *cell, const struct cell_context *c)
{
	static const struct role_metrics kernel =
	    {SAMPLED_KERNEL, M_kernel_min_cpu_metric, M_kernel_peak_method};
	static const struct role_metrics browser =
	    {SAMPLED_BROWSER, M_client_min_cpu_metric, M_browser_peak_method};
	struct scan *places[METRIC_PLACES];
	double *v = m->number;
	open_places(places, cell, c->interaction.p);
	copy_members(m, places);
	double time_s = cell_time(v);
	v[M_client_total_data_received_metric] =
	    (v[M_ws_bytes_received] + v[M_http_bytes_received]) / 1e6;
	v[M_ws_messages] = v[M_ws_messages_sent] + v[M_ws_messages_received];
	v[M_last_visual_change_s] = span_number(scan_get(cell, "last_visual_change_t")) -
	    span_number(scan_get(cell, "pressed_t"));
	if (c->interaction.p)
		v[M_last_visual_change_s] =
		    span_number(scan_get(cell, "last_visual_change_ms")) / 1000;
	compute_items(v, time_s);
	v[M_console_errors] = places[METRIC_IN_PAGE]->n ? (double)c->console_errors : NAN;
	double elapsed_s = span_number(scan_get(places[METRIC_IN_MACHINE], "elapsed_s"));
	compute_role(m, &kernel, c, places[METRIC_IN_KERNEL], elapsed_s);
	compute_role(m, &browser, c, places[METRIC_IN_BROWSER], elapsed_s);
	compute_processors(m, c);
	struct range use, memory;
	cell_samples_cpu(SAMPLED_GPU, c->from_t, c->to_t, &use);
	cell_samples_memory(SAMPLED_GPU, c->from_t, c->to_t, &memory);
	v[M_gpu_mean_utilization_pct] = use.mean;
	v[M_gpu_max_utilization_pct] = use.max;
	v[M_gpu_max_memory_bytes] = memory.max;
	m->word[M_run_queue_wait_cause] = catalogue_wait_causes[run_queue_of(v).cause];
}

void
cell_values_read_film(struct cell_values *m, const struct cell_context *c)
{
	struct speed_index seen = speed_index_of(c->pressed_t);
	*m = (struct cell_values){0};
	for (size_t i = 0; i < METRICS; i++)
		m->number[i] = NAN;
	m->number[M_speed_index_s] = seen.speed_index_s;
	for (size_t i = 0; i < COUNT(seen.complete_s); i++)
		m->number[M_visually_complete_85_s + i] = seen.complete_s[i];
}

void
cell_values_put(struct buf *b, const struct cell_values *m, bool (*has)(const struct metric *))
{
	for (size_t i = 0; i < METRICS; i++) {
		const struct metric *r = &metric_catalogue[i];
		if (!has(r))
			continue;
		if (m && m->word[i])
			member_text(b, r->column, m->word[i]);
		else if (r->type == METRIC_TEXT || r->type == METRIC_BOOLEAN)
			member_span(b, r->column, m ? m->text[i] : (struct span){0});
		else if (r->type != METRIC_COLUMN)
			member_number(b, r->column, m ? m->number[i] : (double)NAN, is_whole(i));
	}
}

/* ---- a notebook -------------------------------------------------------------------- */

void
cell_sums_start(struct cell_sums *s)
{
	*s = (struct cell_sums){.apart = true};
	for (size_t i = 0; i < METRICS; i++)
		s->number[i] = NAN;
}

static void
add_to_sum(struct cell_sums *s, size_t i, double x, double weight)
{
	double *sum = &s->number[i];
	switch (metric_catalogue[i].over) {
	case METRIC_SUM:
		*sum = isfinite(*sum) ? *sum + x : x;
		break;
	case METRIC_MIN:
		*sum = fmin(*sum, x);
		break;
	case METRIC_MAX:
		*sum = fmax(*sum, x);
		break;
	case METRIC_MEAN:
		if (isfinite(weight) && weight > 0) {
			s->weight[i] += weight;
			*sum = isfinite(*sum) ? *sum + (x - *sum) * weight / s->weight[i] : x;
		}
		break;
	case METRIC_BOTH:
	case METRIC_CELLS:
	case METRIC_NOTEBOOKS:
	case METRIC_INTERACTIONS:
		break;
	}
}

void
cell_sums_add(struct cell_sums *s, const struct cell_values *m)
{
	const double *v = m->number;
	double client_s = v[M_client_execution_time_metric];
	for (size_t i = 0; i < METRICS; i++)
		if (isfinite(v[i]))
			add_to_sum(s, i, v[i], cell_time(v));
	if (v[M_transport_s] > 0 && !(isfinite(v[M_queue_s]) && isfinite(v[M_delivery_s])))
		s->apart = false;
	bool seen = isfinite(client_s) && isfinite(v[M_client_total_data_received_metric]);
	if (!isfinite(v[M_kernel_s]) || (cell_time_has_page(v) && !seen))
		s->partial = true;
}

void
cell_sums_add_interaction(struct cell_sums *s, const struct cell_values *m)
{
	double *longest_s = &s->number[M_longest_interaction_s];
	*longest_s = fmax(*longest_s, m->number[M_latency_s]);
}

void
cell_sums_put(struct buf *b, const struct cell_sums *s)
{
	for (size_t i = 0; i < METRICS; i++) {
		const struct metric *r = &metric_catalogue[i];
		bool unknown = (i == M_queue_s || i == M_delivery_s) && !s->apart;
		if (r->type != METRIC_COLUMN && metric_in_notebooks(r))
			member_number(b, r->column, unknown ? (double)NAN : s->number[i],
			    is_whole(i));
	}
}
