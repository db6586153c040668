/* track.c: what a run record's samples say of one quantity of one role. */
#include "track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const role_names[R_GPU] = {"kernel", "browser", "server", "process", "machine"};

const struct metric metrics[METRICS] = {
	{"cpu", "cpu_summary", "CPU", "% of one core", RATE | PERCENT | SUM | USUAL, 100, "cpu_s", "cpu_busy_s", "cpu_s"},
	{"memory", "mem", "memory (RSS)", "B", BYTES | PEAK | USUAL, 1, "rss_bytes", NULL, "peak_rss_bytes"},
	{"read", "io_read", "read from storage", "B/s", RATE | BYTES | SUM | USUAL, 1, "read_bytes", NULL, "read_bytes"},
	{"write", "io_write", "written to storage", "B/s", RATE | BYTES | SUM | USUAL, 1, "write_bytes", NULL, "write_bytes"},
	{"gpu", "gpu_util", "GPU use", "%", OF_GPU | PERCENT | USUAL | OF_USER, 1, "use_pct", NULL, NULL},
	{"gpu-memory", "gpu_mem", "GPU memory", "B", OF_GPU | BYTES | USUAL | OF_USER, 1, "memory_bytes", NULL, NULL},
	{"gpu-bandwidth", "gpu_band", "GPU memory's use", "%", OF_GPU | PERCENT, 1, "memory_use_pct", NULL, NULL},
	{"gpu-power", NULL, "GPU power", "W", OF_GPU, 1, "power_w", NULL, NULL},
	{"syscall-read", NULL, "read by system calls", "B/s", RATE | BYTES | SUM, 1, "syscall_read_bytes", NULL, "syscall_read_bytes"},
	{"syscall-write", NULL, "written by system calls", "B/s", RATE | BYTES | SUM, 1, "syscall_write_bytes", NULL, "syscall_write_bytes"},
	{"read-calls", "io_read_count", "calls that read", "a second", RATE | SUM, 1, "read_calls", NULL, "read_calls"},
	{"write-calls", "io_write_count", "calls that write", "a second", RATE | SUM, 1, "write_calls", NULL, "write_calls"},
	{"pss", NULL, "memory (PSS)", "B", BYTES, 1, "pss_bytes", NULL, NULL},
	{"delay", NULL, "waiting for a core", "% of the time", RATE | PERCENT | SUM, 100, "run_delay_s", NULL, "run_delay_s"},
	{"switches", NULL, "context switches", "a second", RATE | SUM, 1, "context_switches", NULL, NULL},
	{"minor-faults", NULL, "minor page faults", "a second", RATE | SUM, 1, "minor_faults", NULL, "minor_faults"},
	{"major-faults", NULL, "major page faults", "a second", RATE | SUM, 1, "major_faults", NULL, "major_faults"},
	{"threads", NULL, "threads", "", 0, 1, "threads", NULL, NULL},
	{"processes", NULL, "processes", "", 0, 1, "processes", NULL, NULL},
	{"available", NULL, "memory available", "B", BYTES, 1, NULL, "memory_available_bytes", NULL},
	{"load", NULL, "load", "", 0, 1, NULL, "load_1min", NULL},
	{"cpu-pressure", NULL, "somebody waits for a core", "% of the time", RATE | PERCENT | SUM, 100, NULL, "cpu_pressure_s", NULL},
	{"io-pressure", NULL, "somebody waits for I/O", "% of the time", RATE | PERCENT | SUM, 100, NULL, "io_pressure_s", NULL},
	{"memory-pressure", NULL, "somebody waits for memory", "% of the time", RATE | PERCENT | SUM, 100, NULL, "memory_pressure_s", NULL},
	{"power", NULL, "power", "W", RATE | SUM, 1, NULL, "energy_j", NULL},
};

void
tracks_start(struct tracks *ts)
{
	ts->first_t = ts->last_t = NAN;
	for (size_t r = 0; r < ROLES; r++)
		ts->pid[r] = NAN;
}

void
tracks_clear(struct tracks *ts)
{
	for (size_t m = 0; m < METRICS; m++)
		for (size_t r = 0; r < ROLES; r++) {
			free(ts->v[m][r].p);
			ts->v[m][r] = (struct track){0};
		}
	for (size_t r = 0; r < R_GPU; r++) {
		free(ts->why_not[r]);
		ts->why_not[r] = NULL;
	}
	free(ts->gpu_reason);
	free(ts->energy_reason);
	free(ts->energy_method);
	ts->gpu_reason = ts->energy_reason = ts->energy_method = NULL;
	ts->samples = 0;
	ts->kernel_here = false;
	tracks_start(ts);
}

/* ---- points ------------------------------------------------------------------------- */

static void
push(struct track *tr, double t, double v)
{
	if (tr->n == tr->cap) {
		tr->cap = tr->cap ? 2 * tr->cap : 256;
		tr->p = xrealloc(tr->p, tr->cap * sizeof *tr->p);
	}
	tr->p[tr->n++] = (struct point){t, v};
}

static void
interrupt(struct track *tr, double t)
{
	if (tr->n && isfinite(tr->p[tr->n - 1].v))
		push(tr, t, NAN);
}

/* A counter outlives readings that lack it; where it fell it began anew. */
static void
add(struct track *tr, const struct metric *m, double t, double v)
{
	const struct point *last = tr->n ? &tr->p[tr->n - 1] : NULL;
	if (last && t < last->t)
		return;
	if (isfinite(v)) {
		if (last && (m->is & RATE) && v < last->v)
			interrupt(tr, t);
		push(tr, t, v);
	} else if (!(m->is & RATE)) {
		interrupt(tr, t);
	}
}

/* ---- records ------------------------------------------------------------------------ */

static enum role
role_of(struct scan *s)
{
	struct span role = scan_get(s, "role");
	size_t r = 0;
	for (; r < R_GPU; r++) {
		size_t n = strlen(role_names[r]);
		if (role.n == n + 2 && memcmp(role.p + 1, role_names[r], n) == 0)
			break;
	}
	return (enum role)r;
}

/* The process in one GPU's list; NULL: it is not there. */
static const json_t *
user_of(const json_t *gpu, double pid)
{
	const json_t *p;
	size_t i;
	json_array_foreach(json_object_get(gpu, "processes"), i, p)
		if (json_number_value(json_object_get(p, "pid")) == pid)
			return p;
	return NULL;
}

/* What the GPUs' lists of processes say of the kernel's own process: its memory on
 * all of them, its use of the one that it uses most; 0 where no list has it any more.
 * One that none ever had may be there under another number, a container's. */
static void
take_gpu_user(struct tracks *ts, const json_t *gpus, double t, size_t m)
{
	double value = 0;
	bool listed = false, told = false, is_there = false;
	const json_t *gpu;
	size_t i;
	json_array_foreach(gpus, i, gpu) {
		const json_t *p = user_of(gpu, ts->pid[R_KERNEL]), *v = json_object_get(p, metrics[m].process);
		listed |= json_is_array(json_object_get(gpu, "processes"));
		is_there |= p != NULL;
		told |= json_is_number(v);
		value = metrics[m].is & BYTES ? value + json_number_value(v) : fmax(value, json_number_value(v));
	}
	struct track *tr = &ts->v[m][R_KERNEL];
	bool known = isfinite(ts->pid[R_KERNEL]) && (told || (listed && !is_there && tr->n));
	add(tr, &metrics[m], t, known ? value : (double)NAN);
}

static void
take_gpus(struct tracks *ts, struct scan *s, double t)
{
	bool any = false;
	for (size_t m = 0; m < METRICS; m++)
		any |= ts->wanted[m] && metrics[m].is & OF_GPU;
	if (!any)
		return;
	if (!ts->gpu_reason)
		ts->gpu_reason = span_string(scan_get(s, "gpu_reason"));
	json_t *gpus = span_null(scan_get(s, "gpus")) ? NULL : span_json(scan_get(s, "gpus"));
	const json_t *gpu;
	size_t i;
	for (size_t m = 0; m < METRICS && json_array_size(gpus); m++)
		if (ts->wanted[m] && metrics[m].is & OF_USER)
			take_gpu_user(ts, gpus, t, m);
	json_array_foreach(gpus, i, gpu) {
		const json_t *v;
		for (size_t m = 0; m < METRICS && i < MOST_GPUS; m++) {
			if (!ts->wanted[m] || !(metrics[m].is & OF_GPU))
				continue;
			v = json_object_get(gpu, metrics[m].process);
			add(&ts->v[m][R_GPU + i], &metrics[m], t, json_is_number(v) ? json_number_value(v) : (double)NAN);
		}
	}
	json_decref(gpus);
}

static void
take_watch(struct tracks *ts, struct scan *s)
{
	enum role r = role_of(s);
	double pid = span_number(scan_get(s, "pid"));
	if (r >= R_GPU)
		return;
	ts->kernel_here |= r == R_KERNEL && isfinite(pid);
	free(ts->why_not[r]);
	ts->why_not[r] = isfinite(pid) ? NULL : span_string(scan_get(s, "reason"));
}

/* Where one of several watched processes is kept; ROLES: nowhere. */
static enum role
slot_of(const struct tracks *ts, double pid)
{
	if (!isfinite(pid) || isnan(ts->pid[R_PROCESS]) || pid == ts->pid[R_PROCESS])
		return R_PROCESS;
	int r = R_MORE;
	while (r < ROLES && isfinite(ts->pid[r]) && ts->pid[r] != pid)
		r++;
	return (enum role)r;
}

static void
take_sample(struct tracks *ts, struct scan *s)
{
	double t = span_number(scan_get(s, "t"));
	enum role r = role_of(s);
	if (r >= R_GPU || !isfinite(t))
		return;
	ts->first_t = isfinite(ts->first_t) ? ts->first_t : t;
	ts->last_t = t;
	ts->samples++;
	double pid = span_number(scan_get(s, "pid"));
	if (!ts->role[r] && r != R_MACHINE && r != R_KERNEL)
		return;
	if (r == R_PROCESS && (r = slot_of(ts, pid)) == ROLES)
		return;
	bool other = isfinite(pid) && isfinite(ts->pid[r]) && pid != ts->pid[r];
	if (isfinite(pid))
		ts->pid[r] = pid;
	for (size_t m = 0; m < METRICS; m++) {
		const char *member = r == R_MACHINE ? metrics[m].machine : metrics[m].process;
		if (!ts->wanted[m] || !member || metrics[m].is & OF_GPU || (r < R_GPU && !ts->role[r] && metrics[m].process))
			continue;
		if (other)
			interrupt(&ts->v[m][r], t);
		add(&ts->v[m][r], &metrics[m], t, span_number(scan_get(s, member)));
	}
	if (r == R_MACHINE) {
		take_gpus(ts, s, t);
		if (!ts->energy_reason)
			ts->energy_reason = span_string(scan_get(s, "energy_reason"));
		if (!ts->energy_method)
			ts->energy_method = span_string(scan_get(s, "energy_method"));
	}
}

bool
tracks_take(struct tracks *ts, struct scan *s)
{
	if (scan_type_is(s, "sample"))
		take_sample(ts, s);
	else if (scan_type_is(s, "watch"))
		take_watch(ts, s);
	else
		return false;
	return true;
}

/* ---- columns ------------------------------------------------------------------------ */

/* The first point after `t`. */
static size_t
after(const struct track *tr, double t)
{
	size_t lo = 0, hi = tr->n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (tr->p[mid].t > t)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

size_t
track_count(const struct track *tr, double from_t, double to_t)
{
	size_t n = 0;
	for (size_t i = after(tr, from_t); i < tr->n && tr->p[i].t <= to_t; i++)
		n += isfinite(tr->p[i].v) ? 1 : 0;
	return n;
}

/* The value from one point to the next; NaN: there is none. */
static double
between(const struct metric *m, const struct point *p)
{
	return m->scale * (m->is & RATE ? (p[1].v - p->v) / (p[1].t - p->t) : p->v);
}

static void
count(struct over *o, double v, double part_s)
{
	if (!isfinite(v) || part_s <= 0)
		return;
	o->sum += v * part_s;
	o->most = fmax(o->most, v);
	o->time_s += part_s;
}

struct over
track_over(const struct track *tr, const struct metric *m, double from_t, double to_t)
{
	struct over o = {0, 0, 0};
	size_t first = after(tr, from_t);
	for (size_t i = first ? first : 1; i < tr->n && tr->p[i - 1].t < to_t; i++)
		count(&o, between(m, &tr->p[i - 1]), fmin(tr->p[i].t, to_t) - fmax(tr->p[i - 1].t, from_t));
	return o;
}

struct over
track_whole(const struct track *tr, const struct metric *m, double from_t, double to_t)
{
	struct over o = {0, 0, 0};
	size_t first = after(tr, from_t);
	for (size_t i = first ? first : 1; i < tr->n && tr->p[i - 1].t < to_t; i++) {
		const struct point *p = &tr->p[i - 1];
		double middle = (p[0].t + p[1].t) / 2;
		if (middle >= from_t && middle <= to_t)
			count(&o, between(m, p), p[1].t - p[0].t);
	}
	return o;
}

/* `mean` gathers the integral here, and *known the width. */
static void
spread(struct bin *bins, double *known, size_t n, double a, double b, double v)
{
	for (size_t i = a > 0 ? (size_t)a : 0; i < n && (double)i < b; i++) {
		double part = fmin(b, (double)i + 1) - fmax(a, (double)i);
		if (part <= 0)
			continue;
		bins[i].mean = (known[i] > 0 ? bins[i].mean : 0) + part * v;
		bins[i].lo = fmin(bins[i].lo, v);
		bins[i].hi = fmax(bins[i].hi, v);
		known[i] += part;
	}
}

struct bin *
track_bins(const struct track *tr, const struct metric *m, const struct stretch *s, size_t stretches,
    double from, double to, size_t n)
{
	struct bin *bins = xmalloc(n * sizeof *bins);
	double *known = xmalloc(n * sizeof *known), width = (to - from) / (double)n;
	for (size_t i = 0; i < n; i++) {
		bins[i] = (struct bin){NAN, NAN, NAN};
		known[i] = 0;
	}
	for (size_t k = 0; k < stretches; k++) {
		size_t first = after(tr, s[k].from_t);
		for (size_t i = first ? first : 1; i < tr->n && tr->p[i - 1].t < s[k].to_t; i++) {
			const struct point *p = &tr->p[i - 1], *q = &tr->p[i];
			double v = between(m, p);
			double a = fmax(p->t, s[k].from_t), b = fmin(q->t, s[k].to_t), shift = s[k].at - s[k].from_t - from;
			if (isfinite(v) && a < b)
				spread(bins, known, n, (a + shift) / width, (b + shift) / width, v);
		}
	}
	for (size_t i = 0; i < n; i++)
		if (known[i] > 0)
			bins[i].mean = fmin(fmax(bins[i].mean / known[i], bins[i].lo), bins[i].hi);
	free(known);
	return bins;
}
