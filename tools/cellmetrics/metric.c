/* metric.c: what was measured of one cell, and of all of a notebook's. */
#include "metric.h"

#include <math.h>
#include <string.h>

#include "resource/energy_share.h"
#include "cell_samples.h"
#include "speed_index.h"

/* How a member becomes a column: milliseconds as seconds, a whole number, any
 * number, as it stands; or made from others. */
enum how { SECONDS, COUNTED, REAL, AS_IT_IS, MADE, MADE_COUNT };
/* What a notebook has of its cells' values. */
enum over { EACH, SUM, LEAST, MOST, MEAN };	/* MEAN: weighted by client time */
enum place { IN_CELL, IN_CHANGES, IN_OUTPUTS, IN_PAGE, IN_KERNEL, IN_BROWSER, IN_SERVER, IN_MACHINE, PLACES };
static const char *const place_names[PLACES] = {[IN_CHANGES] = "changes", [IN_OUTPUTS] = "outputs", [IN_PAGE] = "page",
	[IN_KERNEL] = "kernel", [IN_BROWSER] = "browser", [IN_SERVER] = "server", [IN_MACHINE] = "machine"};

/* A role's columns; the made ones are in the order of enum of_role. */
#define MADE_OF_ROLE(role, known) \
	{NULL, known "_min_cpu_metric", MADE, LEAST, IN_CELL}, \
	{NULL, known "_mean_cpu_metric", MADE, MEAN, IN_CELL}, \
	{NULL, known "_max_cpu_metric", MADE, MOST, IN_CELL}, \
	{NULL, known "_min_memory_metric", MADE, LEAST, IN_CELL}, \
	{NULL, known "_mean_memory_metric", MADE, MEAN, IN_CELL}, \
	{NULL, known "_max_memory_metric", MADE, MOST, IN_CELL}, \
	{NULL, role "_min_rss_bytes", MADE_COUNT, LEAST, IN_CELL}, \
	{NULL, role "_mean_rss_bytes", MADE_COUNT, MEAN, IN_CELL}, \
	{NULL, role "_max_rss_bytes", MADE_COUNT, MOST, IN_CELL}, \
	{NULL, role "_energy_j", MADE, SUM, IN_CELL}, \
	{NULL, role "_co2e_g", MADE, SUM, IN_CELL}, \
	{NULL, role "_samples", MADE_COUNT, SUM, IN_CELL}
#define READ_OF_ROLE(role, place) \
	{"voluntary_switches", role "_voluntary_switches", COUNTED, SUM, place}, \
	{"involuntary_switches", role "_involuntary_switches", COUNTED, SUM, place}, \
	{"minor_faults", role "_minor_faults", COUNTED, SUM, place}, \
	{"syscall_read_bytes", role "_syscall_read_bytes", COUNTED, SUM, place}, \
	{"syscall_write_bytes", role "_syscall_write_bytes", COUNTED, SUM, place}, \
	{"rss_bytes", role "_rss_bytes", COUNTED, MOST, place}, \
	{"pss_bytes", role "_pss_bytes", COUNTED, MOST, place}, \
	{"processes", role "_processes", COUNTED, MOST, place}, \
	{"threads", role "_threads", COUNTED, MOST, place}, \
	{"reason", role "_usage_reason", AS_IT_IS, EACH, place}

/* In cellrun's order where it can be: lookups are then quickest.  Two rows may
 * read one member: people's scripts know its old name. */
static const struct row {
	const char *from, *to;
	enum how how;
	enum over over;
	enum place place;
} table[] = {
	[CLIENT] = {"client_ms", "client_execution_time_metric", SECONDS, SUM, IN_CELL},
	[KERNEL] = {"kernel_ms", "kernel_execution_time_metric", SECONDS, SUM, IN_CELL},
	[DATA] = {NULL, "client_total_data_received_metric", MADE, SUM, IN_CELL},
	[SETTLED] = {NULL, "last_visual_change_s", MADE, EACH, IN_CELL},
	[QUEUE] = {"queue_ms", "queue_s", SECONDS, SUM, IN_CELL},
	[DELIVERY] = {"delivery_ms", "delivery_s", SECONDS, SUM, IN_CELL},
	[TRANSPORT] = {"transport_ms", "transport_s", SECONDS, SUM, IN_CELL},
	[RENDER] = {"render_ms", "render_s", SECONDS, SUM, IN_CELL},
	[MESSAGES] = {NULL, "ws_messages", MADE_COUNT, SUM, IN_CELL},
	[MESSAGES_SENT] = {"ws_messages_sent", "ws_messages_sent", COUNTED, SUM, IN_CELL},
	[MESSAGES_RECEIVED] = {"ws_messages_received", "ws_messages_received", COUNTED, SUM, IN_CELL},
	[WS_BYTES] = {"ws_bytes_received", "ws_bytes_received", COUNTED, SUM, IN_CELL},
	[COMM_RECEIVED] = {"comm_messages_received", "comm_messages_received", COUNTED, SUM, IN_CELL},
	[HTTP_BYTES] = {"http_bytes_received", "http_bytes_received", COUNTED, SUM, IN_CELL},
	[CONSOLE] = {NULL, "console_errors", MADE_COUNT, SUM, IN_CELL},
	[BLOCKING] = {"total_blocking_time_ms", "total_blocking_time_s", SECONDS, SUM, IN_PAGE},
	[KERNEL_CPU] = {"cpu_s", "kernel_cpu_s", REAL, SUM, IN_KERNEL},
	[KERNEL_PEAK] = {"peak_rss_bytes", "kernel_peak_rss_bytes", COUNTED, MOST, IN_KERNEL},
	[KERNEL_METHOD] = {"peak_method", "kernel_peak_method", AS_IT_IS, EACH, IN_KERNEL},
	[KERNEL_DELAY] = {"run_queue_wait_s", "kernel_run_queue_wait_s", REAL, SUM, IN_KERNEL},
	[KERNEL_MAJOR] = {"major_faults", "kernel_major_faults", COUNTED, SUM, IN_KERNEL},
	[KERNEL_READ] = {"read_bytes", "kernel_read_bytes", COUNTED, SUM, IN_KERNEL},
	[KERNEL_WRITE] = {"write_bytes", "kernel_write_bytes", COUNTED, SUM, IN_KERNEL},
	[KERNEL_MADE] = MADE_OF_ROLE("kernel", "kernel"),
	[BROWSER_CPU] = {"cpu_s", "browser_cpu_s", REAL, SUM, IN_BROWSER},
	[BROWSER_PEAK] = {"peak_rss_bytes", "browser_peak_rss_bytes", COUNTED, MOST, IN_BROWSER},
	[BROWSER_METHOD] = {"peak_method", "browser_peak_method", AS_IT_IS, EACH, IN_BROWSER},
	[BROWSER_DELAY] = {"run_queue_wait_s", "browser_run_queue_wait_s", REAL, SUM, IN_BROWSER},
	[BROWSER_MADE] = MADE_OF_ROLE("browser", "client"),
	[SERVER_CPU] = {"cpu_s", "server_cpu_s", REAL, SUM, IN_SERVER},
	[MACHINE_CPU] = {"cpu_busy_s", "machine_cpu_s", REAL, SUM, IN_MACHINE},
	[ENERGY] = {"energy_j", "machine_energy_j", REAL, SUM, IN_MACHINE},
	[GPU_MEAN_USE] = {NULL, "gpu_mean_utilization_pct", MADE, MEAN, IN_CELL},
	[GPU_MAX_USE] = {NULL, "gpu_max_utilization_pct", MADE, MOST, IN_CELL},
	[GPU_MEMORY] = {NULL, "gpu_max_memory_bytes", MADE_COUNT, MOST, IN_CELL},
	[SPEED_INDEX] = {NULL, "speed_index_s", MADE, SUM, IN_CELL},
	[COMPLETE] = {NULL, "visually_complete_85_s", MADE, EACH, IN_CELL},
	{NULL, "visually_complete_95_s", MADE, EACH, IN_CELL},
	{NULL, "visually_complete_99_s", MADE, EACH, IN_CELL},
	[ITEMS] = {"items", "items", REAL, EACH, IN_CELL},
	[ITEMS_DONE] = {"items_done", "items_done", REAL, EACH, IN_CELL},
	[ITEMS_RATE] = {NULL, "items_per_s", MADE, EACH, IN_CELL},
	[ITEMS_DONE_RATE] = {NULL, "items_done_per_s", MADE, EACH, IN_CELL},
	[OTHERS] = {"dispatch_ms", "dispatch_s", SECONDS, SUM, IN_CELL},
	{"kernel_ms", "kernel_s", SECONDS, SUM, IN_CELL},
	{"unattributed_ms", "unattributed_s", SECONDS, SUM, IN_CELL},
	{"kernel_comm_ms", "kernel_comm_s", SECONDS, SUM, IN_CELL},
	{"clock_offset_ms", "clock_offset_s", SECONDS, EACH, IN_CELL},
	{"clock_bound_ms", "clock_bound_s", SECONDS, EACH, IN_CELL},
	{"script_ms", "script_s", SECONDS, SUM, IN_CELL},
	{"ws_bytes_sent", "ws_bytes_sent", COUNTED, SUM, IN_CELL},
	{"comm_messages_sent", "comm_messages_sent", COUNTED, SUM, IN_CELL},
	{"count", "outputs", COUNTED, SUM, IN_OUTPUTS},
	{"bytes", "outputs_bytes", COUNTED, SUM, IN_OUTPUTS},
	{"dom", "changes_dom", COUNTED, SUM, IN_CHANGES},
	{"canvas2d", "changes_canvas2d", COUNTED, SUM, IN_CHANGES},
	{"webgl", "changes_webgl", COUNTED, SUM, IN_CHANGES},
	{"image", "changes_image", COUNTED, SUM, IN_CHANGES},
	{"size", "changes_size", COUNTED, SUM, IN_CHANGES},
	{"last_visual_change_kind", "last_visual_change_kind", AS_IT_IS, EACH, IN_CELL},
	{"changed", "changed", AS_IT_IS, EACH, IN_CELL},
	{"waited", "waited", AS_IT_IS, EACH, IN_CELL},
	{"screenshot", "screenshot", AS_IT_IS, EACH, IN_CELL},
	{"long_animation_frame_count", "long_animation_frames", COUNTED, SUM, IN_PAGE},
	{"long_animation_frame_ms", "long_animation_frame_s", SECONDS, SUM, IN_PAGE},
	{"frames_shown", "frames_shown", COUNTED, SUM, IN_PAGE},
	{"frames_dropped", "frames_dropped", COUNTED, SUM, IN_PAGE},
	{"longest_gap_ms", "longest_gap_s", SECONDS, MOST, IN_PAGE},
	{"heap_before_bytes", "heap_before_bytes", COUNTED, EACH, IN_PAGE},
	{"heap_bytes", "heap_bytes", COUNTED, MOST, IN_PAGE},
	{"nodes", "nodes", COUNTED, MOST, IN_PAGE},
	{"widget_views", "widget_views", COUNTED, MOST, IN_PAGE},
	{"comm_messages_per_view", "comm_messages_per_view", REAL, EACH, IN_PAGE},
	READ_OF_ROLE("kernel", IN_KERNEL),
	READ_OF_ROLE("browser", IN_BROWSER),
	{"major_faults", "browser_major_faults", COUNTED, SUM, IN_BROWSER},
	{"read_bytes", "browser_read_bytes", COUNTED, SUM, IN_BROWSER},
	{"write_bytes", "browser_write_bytes", COUNTED, SUM, IN_BROWSER},
	{"rss_bytes", "server_rss_bytes", COUNTED, MOST, IN_SERVER},
	{"load_1min", "load_1min", REAL, MOST, IN_MACHINE},
	{"cpu_pressure_s", "cpu_pressure_s", REAL, SUM, IN_MACHINE},
	{"io_pressure_s", "io_pressure_s", REAL, SUM, IN_MACHINE},
	{"memory_pressure_s", "memory_pressure_s", REAL, SUM, IN_MACHINE},
	{"energy_method", "energy_method", AS_IT_IS, EACH, IN_MACHINE},
	{"energy_reason", "energy_reason", AS_IT_IS, EACH, IN_MACHINE},
	{"gpu_reason", "gpu_reason", AS_IT_IS, EACH, IN_MACHINE},
};
_Static_assert(COUNT(table) == METRICS, "METRICS counts the table's rows");

static bool
whole(const struct row *r)
{
	return r->how == COUNTED || r->how == MADE_COUNT;
}

/* ---- a cell ------------------------------------------------------------------ */

/* The objects in the record that rows read from. */
static void
open_parts(struct scan parts[PLACES], struct scan *cell)
{
	static struct scan usage;
	scan_members(&usage, scan_get(cell, "usage"));
	for (int i = IN_CHANGES; i < PLACES; i++)
		scan_members(&parts[i], scan_get(i >= IN_KERNEL ? &usage : cell, place_names[i]));
}

static double
least(double a, double b)
{
	return isnan(a) || b < a ? b : a;
}

static double
most(double a, double b)
{
	return isnan(a) || b > a ? b : a;
}

/* What peak_rss_read() calls "vmhwm" is as exact as that. */
#define EXACT_WITHIN 1.01

/* So late samples may tell what was used before the cell: ticks, of threads that
 * run and of children that were waited for. */
#define LATE_S 0.05
#define LATE_SHARE 0.1

/* CPU seconds of a role: who left its parent and ended before the cell did, as a
 * daemon may, is in the samples alone. */
static double
used_s(double read_s, double seen_s)
{
	return seen_s > (1 + LATE_SHARE) * read_s + LATE_S ? seen_s : read_s;
}

/* Where a role's rows are, and between its readings how much time went by. */
struct role_rows {
	enum sampled_role role;
	size_t made, cpu, peak, method;
	double elapsed_s;
};

/* min, mean and max of what was sampled in the cell; with too few samples the
 * readings at its ends, `elapsed_s` apart, give the mean, and what is known of
 * the bounds. */
static void
make_role(struct metrics *m, const struct role_rows *rows, const struct cell_ends *ends, struct scan *usage)
{
	double *v = m->value + rows->made, *peak = &m->value[rows->peak];
	struct range cpu, memory;
	double before = span_number(scan_get(usage, "rss_before_bytes")), after = span_number(scan_get(usage, "rss_bytes"));
	double cpu_s = m->value[rows->cpu] = used_s(m->value[rows->cpu], sampled_used_s(rows->role, ends->from_t, ends->to_t));
	size_t n = sampled_cpu(rows->role, ends->from_t, ends->to_t, &cpu);
	size_t of_memory = sampled_memory(rows->role, ends->from_t, ends->to_t, &memory);
	if (n < ends->min_samples)
		cpu = (struct range){NAN, isnan(cpu_s) ? span_number(scan_get(usage, "cpu_pct")) : 100 * cpu_s / rows->elapsed_s, NAN};
	if (of_memory < ends->min_samples || isnan(memory.mean))
		memory.mean = (before + after) / 2;
	memory.min = least(least(memory.min, before), after);
	/* Children that were gone when the cell ended are in the samples alone. */
	if (memory.max > EXACT_WITHIN * *peak)
		m->text[rows->method] = (struct span){"\"sampled\"", 9};
	if (memory.max > *peak)
		*peak = memory.max;
	memory.max = most(most(most(memory.max, before), after), *peak);
	v[MIN_CPU] = cpu.min;
	v[MEAN_CPU] = cpu.mean;
	v[MAX_CPU] = cpu.max;
	v[MIN_RSS] = memory.min;
	v[MEAN_RSS] = round(memory.mean);
	v[MAX_RSS] = memory.max;
	for (int i = 0; i < 3; i++)
		v[MIN_MEMORY + i] = 100 * v[MIN_RSS + i] / ends->memory_bytes;
	v[SAMPLES] = n ? (double)n : isfinite(cpu_s) ? 0 : NAN;
}

static void
make_energy(double *v, double cpu_s, const struct metrics *m, const struct cell_ends *ends)
{
	v[ROLE_ENERGY] = energy_share_j(m->value[ENERGY], m->value[MACHINE_CPU], cpu_s);
	v[ROLE_CO2E] = energy_share_co2e_g(v[ROLE_ENERGY], ends->energy);
}

void
read_metrics(struct metrics *m, struct scan *cell, const struct cell_ends *ends)
{
	static struct scan parts[PLACES];
	open_parts(parts, cell);
	for (size_t i = 0; i < METRICS; i++) {
		const struct row *r = &table[i];
		m->text[i] = (struct span){0};
		m->value[i] = NAN;
		if (!r->from)
			continue;
		m->text[i] = scan_get(r->place == IN_CELL ? cell : &parts[r->place], r->from);
		m->value[i] = span_number(m->text[i]) / (r->how == SECONDS ? 1000 : 1);
	}
	double *v = m->value;
	v[DATA] = (v[WS_BYTES] + v[HTTP_BYTES]) / 1e6;
	v[MESSAGES] = v[MESSAGES_SENT] + v[MESSAGES_RECEIVED];
	v[SETTLED] = span_number(scan_get(cell, "last_visual_change_t")) - span_number(scan_get(cell, "pressed_t"));
	v[ITEMS_RATE] = v[CLIENT] > 0 ? v[ITEMS] / v[CLIENT] : (double)NAN;
	v[ITEMS_DONE_RATE] = v[CLIENT] > 0 ? v[ITEMS_DONE] / v[CLIENT] : (double)NAN;
	v[CONSOLE] = parts[IN_PAGE].n ? (double)ends->console_errors : NAN;
	double elapsed_s = span_number(scan_get(&parts[IN_MACHINE], "elapsed_s"));
	make_role(m, &(struct role_rows){SAMPLED_KERNEL, KERNEL_MADE, KERNEL_CPU, KERNEL_PEAK, KERNEL_METHOD, elapsed_s}, ends, &parts[IN_KERNEL]);
	make_role(m, &(struct role_rows){SAMPLED_BROWSER, BROWSER_MADE, BROWSER_CPU, BROWSER_PEAK, BROWSER_METHOD, elapsed_s}, ends, &parts[IN_BROWSER]);
	make_energy(v + KERNEL_MADE, v[KERNEL_CPU], m, ends);
	make_energy(v + BROWSER_MADE, v[BROWSER_CPU], m, ends);
	struct range use, memory;
	sampled_cpu(SAMPLED_GPU, ends->from_t, ends->to_t, &use);
	sampled_memory(SAMPLED_GPU, ends->from_t, ends->to_t, &memory);
	v[GPU_MEAN_USE] = use.mean;
	v[GPU_MAX_USE] = use.max;
	v[GPU_MEMORY] = memory.max;
}

void
read_film(struct metrics *m, const struct cell_ends *ends)
{
	struct visual seen = visual_of(ends->pressed_t);
	for (size_t i = 0; i < METRICS; i++) {
		m->text[i] = (struct span){0};
		m->value[i] = NAN;
	}
	m->value[SPEED_INDEX] = seen.speed_index_s;
	for (size_t i = 0; i < COUNT(seen.complete_s); i++)
		m->value[COMPLETE + i] = seen.complete_s[i];
}

void
put_metrics(struct buf *b, const struct metrics *m)
{
	for (size_t i = 0; i < METRICS; i++)
		if (table[i].how == AS_IT_IS)
			member_span(b, table[i].to, m ? m->text[i] : (struct span){0});
		else
			member_number(b, table[i].to, m ? m->value[i] : (double)NAN, whole(&table[i]));
}

/* ---- a notebook ----------------------------------------------------------------- */

void
sums_start(struct sums *s)
{
	*s = (struct sums){.apart = true};
	for (size_t i = 0; i < METRICS; i++)
		s->value[i] = NAN;
}

static void
add_one(struct sums *s, size_t i, double x, double weight)
{
	double *sum = &s->value[i];
	switch (table[i].over) {
	case SUM:
		*sum = isfinite(*sum) ? *sum + x : x;
		break;
	case LEAST:
		*sum = least(*sum, x);
		break;
	case MOST:
		*sum = most(*sum, x);
		break;
	case MEAN:
		if (isfinite(weight) && weight > 0) {
			s->weight[i] += weight;
			*sum = isfinite(*sum) ? *sum + (x - *sum) * weight / s->weight[i] : x;
		}
		break;
	case EACH:
		break;
	}
}

void
sums_add(struct sums *s, const struct metrics *m)
{
	const double *v = m->value;
	for (size_t i = 0; i < METRICS; i++)
		if (isfinite(v[i]))
			add_one(s, i, v[i], v[CLIENT]);
	if (v[TRANSPORT] > 0 && !(isfinite(v[QUEUE]) && isfinite(v[DELIVERY])))
		s->apart = false;
	if (!isfinite(v[CLIENT]) || !isfinite(v[KERNEL]) || !isfinite(v[DATA]))
		s->partial = true;
}

void
sums_put(struct buf *b, const struct sums *s)
{
	for (size_t i = 0; i < METRICS; i++)
		if (table[i].over != EACH)
			member_number(b, table[i].to, (i == QUEUE || i == DELIVERY) && !s->apart ? (double)NAN : s->value[i], whole(&table[i]));
}
