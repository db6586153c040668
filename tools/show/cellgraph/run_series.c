/* run_series.c: a run's samples as time series. */
#include "run_series.h"
#include "json/json_value.h"
#include "run/run_word.h"

void
run_series_clear(struct run_series *rs)
{
	for (size_t m = 0; m < METRIC_SERIES; m++)
		for (size_t i = 0; i < SLOTS; i++)
			series_clear(&rs->v[m][i]);
	for (size_t r = 0; r < ROLES; r++) {
		free(rs->why_not[r]);
		rs->why_not[r] = NULL;
	}
	processor_series_clear(&rs->each);
	free(rs->gpu_reason);
	free(rs->energy_reason);
	free(rs->energy_method);
	rs->gpu_reason = rs->energy_reason = rs->energy_method = NULL;
	rs->samples = 0;
	rs->first_t = rs->last_t = NAN;
	for (size_t i = 0; i < SLOTS; i++)
		rs->pid[i] = NAN;
}

static void
read_watch(struct run_series *rs, struct scan *s)
{
	enum role r = run_word_role(s);
	if (r == ROLES)
		return;
	bool watched = isfinite(span_number(scan_get(s, "pid")));
	free(rs->why_not[r]);
	rs->why_not[r] = watched ? NULL : scan_string(s, "reason");
}

/* ---- GPUs -------------------------------------------------------------------------- */

/* The process in one GPU's list; NULL: it is not there. */
static const json_t *
gpu_process(const json_t *gpu, double pid)
{
	const json_t *p;
	size_t i;
	json_array_foreach(json_object_get(gpu, "processes"), i, p)
		if (json_number_value(json_object_get(p, "pid")) == pid)
			return p;
	return NULL;
}

/* What the GPUs' lists of processes say of the kernel's own process: its memory on all of
 * them, its utilization of the one that it uses most; 0 once no list has it any more.
 * A process that was in no list may be there by another number, a container's. */
static void
add_gpu_user(struct run_series *rs, const json_t *gpus, double t, size_t m)
{
	const struct series_def *def = &metric_series[m];
	struct time_series *series = &rs->v[m][ROLE_KERNEL];
	double value = 0, pid = rs->pid[ROLE_KERNEL];
	bool lists = false, known = false, listed = false;
	const json_t *gpu;
	size_t i;
	json_array_foreach(gpus, i, gpu) {
		const json_t *p = gpu_process(gpu, pid);
		double x = json_value_real_at(p, def->process);
		lists |= json_is_array(json_object_get(gpu, "processes"));
		listed |= p != NULL;
		known |= isfinite(x);
		if (isfinite(x))
			value = def->flags & SERIES_BYTES ? value + x : fmax(value, x);
	}
	known |= lists && !listed && series->n;
	series_add(series, def, t, isfinite(pid) && known ? value : (double)NAN);
}

static void
add_gpus(struct run_series *rs, struct scan *s, double t)
{
	bool any = false;
	for (size_t m = 0; m < METRIC_SERIES; m++)
		any |= rs->chosen[m] && metric_series[m].flags & SERIES_GPU;
	if (!any)
		return;
	if (!rs->gpu_reason)
		rs->gpu_reason = scan_string(s, "gpu_reason");
	struct span text = scan_get(s, "gpus");
	json_t *gpus = span_null(text) ? NULL : span_json(text), *gpu;
	size_t i;
	for (size_t m = 0; m < METRIC_SERIES && json_array_size(gpus); m++) {
		const struct series_def *def = &metric_series[m];
		if (!rs->chosen[m] || !(def->flags & SERIES_GPU))
			continue;
		if (def->flags & SERIES_GPU_USER)
			add_gpu_user(rs, gpus, t, m);
		for (i = 0; i < MAX_GPUS && (gpu = json_array_get(gpus, i)); i++) {
			double reading = json_value_real_at(gpu, def->process);
			series_add(&rs->v[m][SLOT_GPU + i], def, t, reading);
		}
	}
	json_decref(gpus);
}

/* ---- processes --------------------------------------------------------------------- */

/* The slot of one of several processes watched by hand; SLOTS: all are in use. */
static size_t
process_slot(const struct run_series *rs, double pid)
{
	if (!isfinite(pid) || isnan(rs->pid[ROLE_PROCESS]) || pid == rs->pid[ROLE_PROCESS])
		return ROLE_PROCESS;
	size_t i = SLOT_PROCESS;
	while (i < SLOTS && isfinite(rs->pid[i]) && rs->pid[i] != pid)
		i++;
	return i;
}

static void
add_readings(struct run_series *rs, struct scan *s, size_t slot, double t, bool renewed)
{
	for (size_t m = 0; m < METRIC_SERIES; m++) {
		const struct series_def *def = &metric_series[m];
		const char *member = slot == ROLE_MACHINE ? def->machine : def->process;
		/* What processes have too is the machine's only where it was asked for. */
		bool unasked = slot < ROLES && !rs->role[slot] && def->process;
		if (!rs->chosen[m] || !member || def->flags & SERIES_GPU || unasked)
			continue;
		if (renewed)
			series_interrupt(&rs->v[m][slot], t);
		series_add(&rs->v[m][slot], def, t, span_number(scan_get(s, member)));
	}
}

static void
read_sample(struct run_series *rs, struct scan *s)
{
	double t = span_number(scan_get(s, "t"));
	enum role r = run_word_role(s);
	if (r == ROLES || !isfinite(t))
		return;
	rs->first_t = isfinite(rs->first_t) ? rs->first_t : t;
	rs->last_t = t;
	rs->samples++;
	double pid = span_number(scan_get(s, "pid"));
	if (!rs->role[r] && r != ROLE_MACHINE && r != ROLE_KERNEL)
		return;
	size_t slot = r == ROLE_PROCESS ? process_slot(rs, pid) : r;
	if (slot == SLOTS)
		return;
	bool renewed = isfinite(pid) && isfinite(rs->pid[slot]) && pid != rs->pid[slot];
	if (isfinite(pid))
		rs->pid[slot] = pid;
	add_readings(rs, s, slot, t, renewed);
	if (r != ROLE_MACHINE)
		return;
	add_gpus(rs, s, t);
	processor_series_read(&rs->each, s, t);
	if (!rs->energy_reason)
		rs->energy_reason = scan_string(s, "energy_reason");
	if (!rs->energy_method)
		rs->energy_method = scan_string(s, "energy_method");
}

void
run_series_read(struct run_series *rs, struct scan *s)
{
	if (scan_type_is(s, "sample"))
		read_sample(rs, s);
	else if (scan_type_is(s, "watch"))
		read_watch(rs, s);
}
