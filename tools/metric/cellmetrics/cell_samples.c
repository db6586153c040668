/* cell_samples.c: statistics of the samples of a cell. */
#include "cell_samples.h"
#include "run/processor_series.h"
#include "run/role.h"
#include "run/run_word.h"
#include "run/series.h"

/* An hour at 1000 Hz; of more the later half. */
enum { MAX_SAMPLES = 4000000 };

static const struct series_def cpu_def = {.flags = SERIES_COUNTER | SERIES_PERCENT};
static const struct series_def gpu_def = {.flags = SERIES_TRAILING}, memory_def;
static const struct series_def *const use_defs[SAMPLED_ROLES] = {&cpu_def, &cpu_def, &gpu_def};
static struct time_series use[SAMPLED_ROLES], memory[SAMPLED_ROLES];
static struct processor_series processors;
static double pids[SAMPLED_ROLES] = {NAN, NAN, NAN};
static struct range times = {NAN, NAN, NAN};
static bool remote_gpus;	/* the kernel's samples have those of its machine */

static void
add_reading(struct time_series *s, const struct series_def *def, double t, double reading)
{
	if (s->n >= MAX_SAMPLES)
		series_drop(s, s->n / 2);
	series_add(s, def, t, reading);
}

/* All GPUs together: the mean utilization and the memory of those that report it. */
static void
add_gpus(double t, struct span text)
{
	json_t *gpus = span_null(text) ? NULL : span_json(text), *gpu;
	size_t i, using = 0, holding = 0;
	double pct = 0, bytes = 0;
	json_array_foreach(gpus, i, gpu) {
		json_t *used = json_object_get(gpu, "utilization_pct");
		json_t *held = json_object_get(gpu, "memory_bytes");
		pct += json_number_value(used);
		using += json_is_number(used);
		bytes += json_number_value(held);
		holding += json_is_number(held);
	}
	pct = using ? pct / (double)using : (double)NAN;
	if (gpus) {
		add_reading(&use[SAMPLED_GPU], &gpu_def, t, pct);
		add_reading(&memory[SAMPLED_GPU], &memory_def, t, holding ? bytes : (double)NAN);
	}
	json_decref(gpus);
}

static void
add_tree(enum sampled_role role, double t, struct scan *s)
{
	double pid = span_number(scan_get(s, "pid"));
	if (isfinite(pid) && isfinite(pids[role]) && pid != pids[role])
		series_interrupt(&use[role], t);
	if (isfinite(pid))
		pids[role] = pid;
	add_reading(&use[role], &cpu_def, t, span_number(scan_get(s, "cpu_s")));
	add_reading(&memory[role], &memory_def, t, span_number(scan_get(s, "rss_bytes")));
}

void
cell_samples_read(struct scan *s)
{
	double t = span_number(scan_get(s, "t"));
	if (!isfinite(t))
		return;
	times.min = fmin(times.min, t);
	times.max = fmax(times.max, t);
	enum role role = run_word_role(s);
	struct span gpus = scan_get(s, "gpus");
	remote_gpus = remote_gpus || (role == ROLE_KERNEL && !span_null(gpus));
	if (role == (remote_gpus ? ROLE_KERNEL : ROLE_MACHINE))
		add_gpus(t, gpus);
	if (role == ROLE_MACHINE)
		processor_series_read(&processors, s, t);
	if (role == ROLE_KERNEL || role == ROLE_BROWSER)
		add_tree(role == ROLE_KERNEL ? SAMPLED_KERNEL : SAMPLED_BROWSER, t, s);
}

static size_t
put_range(struct range *r, struct series_stats stats, double weight)
{
	*r = (struct range){stats.min, weight > 0 ? stats.sum / weight : (double)NAN, stats.max};
	return stats.n;
}

size_t
cell_samples_cpu(enum sampled_role role, double from_t, double to_t, struct range *r)
{
	const struct series_def *def = use_defs[role];
	struct series_stats stats = series_intervals(&use[role], def, from_t, to_t, SERIES_MIDDLE);
	return put_range(r, stats, stats.time_s);
}

double
cell_samples_used_s(enum sampled_role role, double from_t, double to_t)
{
	struct series_stats stats =
	    series_intervals(&use[role], &cpu_def, from_t, to_t, SERIES_WITHIN);
	return stats.sum / series_scale(&cpu_def);
}

size_t
cell_samples_memory(enum sampled_role role, double from_t, double to_t, struct range *r)
{
	struct series_stats stats = series_readings(&memory[role], from_t, to_t);
	return put_range(r, stats, (double)stats.n);
}

size_t
cell_samples_processors(double from_t, double to_t, double *used, double *busiest_pct)
{
	*used = 0;
	*busiest_pct = NAN;
	for (size_t i = 0; i < processors.n; i++) {
		struct series_stats stats = series_intervals(&processors.v[i],
		    &processor_series_def, from_t, to_t, SERIES_CUT);
		/* A tick of 10 ms more than the interval had. */
		double pct = stats.time_s > 0 ? fmin(stats.sum / stats.time_s, 100) : (double)NAN;
		*used += pct / 100;
		*busiest_pct = fmax(*busiest_pct, pct);
	}
	return processors.n;
}

void
cell_samples_forget_before(double t)
{
	for (size_t i = 0; i < SAMPLED_ROLES; i++) {
		series_drop_before(&use[i], t);
		series_drop_before(&memory[i], t);
	}
	processor_series_drop_before(&processors, t);
}

void
cell_samples_forget(void)
{
	for (size_t i = 0; i < SAMPLED_ROLES; i++) {
		series_drop(&use[i], use[i].n);
		series_drop(&memory[i], memory[i].n);
		pids[i] = NAN;
	}
	processor_series_clear(&processors);
	times = (struct range){NAN, NAN, NAN};
	remote_gpus = false;
}

struct range
cell_samples_times(void)
{
	return times;
}
