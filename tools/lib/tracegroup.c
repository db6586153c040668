/* tracegroup.c: who has which place in a trace, and what is sampled of it. */
#include "trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GROUPS = 10000, MOST_GPUS = 64, WHOLE_DIGITS = 11 };

static const struct trace_kind of_process[] = {
	{"processes", "processes", "number", "number", LEVEL, 1},
	{"threads", "threads", "number", "number", LEVEL, 1},
	{"cpu_s", "CPU", "% of one core", "s", TOTAL, 100},
	{"run_delay_s", "waiting for a core", "% of the time, all threads", "s", TOTAL, 100},
	{"rss_bytes", "memory RSS", "bytes", "bytes", LEVEL, 1},
	{"pss_bytes", "memory PSS", "bytes", "bytes", LEVEL, 1},
	{"read_bytes", "read from storage", "bytes per s", "bytes", TOTAL, 1},
	{"write_bytes", "written to storage", "bytes per s", "bytes", TOTAL, 1},
	{"syscall_read_bytes", "read by system calls", "bytes per s", "bytes", TOTAL, 1},
	{"syscall_write_bytes", "written by system calls", "bytes per s", "bytes", TOTAL, 1},
	{"minor_faults", "page faults, minor", "per s", "number", TOTAL, 1},
	{"major_faults", "page faults, major", "per s", "number", TOTAL, 1},
	{"context_switches", "context switches", "per s", "number", TOTAL, 1},
};
static const struct trace_kind of_machine[] = {
	{"cpu_busy_s", "CPU, all processes", "% of one core", "s", TOTAL, 100},
	{"load_1min", "load of 1 min", "number", "number", LEVEL, 1},
	{"cpu_pressure_s", "pressure on CPU", "% of the time", "s", TOTAL, 100},
	{"io_pressure_s", "pressure on I/O", "% of the time", "s", TOTAL, 100},
	{"memory_pressure_s", "pressure on memory", "% of the time", "s", TOTAL, 100},
	{"memory_available_bytes", "memory available", "bytes", "bytes", LEVEL, 1},
	{"energy_j", "energy use", "W", "J", TOTAL, 1},
};
static const struct trace_kind of_gpu[] = {
	{"use_pct", "use", "%", "%", LEVEL, 1},
	{"memory_bytes", "memory", "bytes", "bytes", LEVEL, 1},
	{"power_w", "power", "W", "W", LEVEL, 1},
};

struct group {
	unsigned run;
	char *role, *pid;	/* pid: NULL while none is known */
	char **tracks;
	unsigned n_tracks;
	const struct trace_kind *kinds;	/* of `sampled` */
	struct trace_series *sampled, *gpus, *levels;
	size_t n_kinds, n_gpus, n_levels;
	int64_t shift_us;	/* of its last sample */
};
static struct group *groups;
static unsigned n_groups, run;
static char *run_name;

/* In the order in which a person follows a cell. */
static int
order_of(const char *role)
{
	static const char *const order[] = {"notebook", "page", "kernel", "browser", "server", "process", "machine"};
	size_t i = 0;
	while (i < COUNT(order) && strcmp(order[i], role) != 0)
		i++;
	return (int)(run * 100 + i);
}

void
trace_next_run(const char *name)
{
	static bool seen;
	run += seen;
	seen = true;
	free(run_name);
	run_name = xstrdup(name);
}

static bool
same_pid(const struct group *g, struct span pid)
{
	return strlen(g->pid) == pid.n && memcmp(g->pid, pid.p, pid.n) == 0;
}

/* A group that was opened without a pid is taken by the first that comes. */
static bool
is_group(struct group *g, const char *role, struct span pid)
{
	if (g->run != run || strcmp(g->role, role) != 0)
		return false;
	if (!pid.p || (g->pid && same_pid(g, pid)))
		return true;
	if (g->pid)
		return false;
	g->pid = xasprintf("%.*s", (int)pid.n, pid.p);
	return true;
}

static void
tell_name(const struct trace_writer *w, unsigned id)
{
	const struct group *g = &groups[id - 1];
	bool notebook = strcmp(g->role, "notebook") == 0;
	const char *of = notebook || run ? run_name : NULL;
	char *name = xasprintf("%s%s%s%s%s%s", g->role, of ? notebook ? " " : " of " : "", of ? of : "",
	    g->pid ? " (pid " : "", g->pid ? g->pid : "", g->pid ? ")" : "");
	w->group(id, name, order_of(g->role));
	free(name);
}

unsigned
trace_group(const struct trace_writer *w, const char *role, struct span pid)
{
	if (span_null(pid))
		pid = (struct span){0};
	for (unsigned i = 0; i < n_groups; i++) {
		bool unnamed = !groups[i].pid;
		if (!is_group(&groups[i], role, pid))
			continue;
		if (unnamed && groups[i].pid)
			tell_name(w, i + 1);
		return i + 1;
	}
	if (n_groups == MOST_GROUPS)
		die(ST_INPUT, "more than %d processes in one trace", MOST_GROUPS);
	groups = xrealloc(groups, (n_groups + 1) * sizeof *groups);
	groups[n_groups++] = (struct group){.run = run, .role = xstrdup(role),
	    .pid = pid.p ? xasprintf("%.*s", (int)pid.n, pid.p) : NULL};
	tell_name(w, n_groups);
	return n_groups;
}

struct trace_place
trace_place(const struct trace_writer *w, unsigned group, const char *track)
{
	struct group *g = &groups[group - 1];
	for (unsigned i = 0; i < g->n_tracks; i++)
		if (strcmp(g->tracks[i], track) == 0)
			return (struct trace_place){group, i + 1};
	g->tracks = xrealloc(g->tracks, (g->n_tracks + 1) * sizeof *g->tracks);
	g->tracks[g->n_tracks++] = xstrdup(track);
	w->track((struct trace_place){group, g->n_tracks}, track);
	return (struct trace_place){group, g->n_tracks};
}

/* ---- numbers --------------------------------------------------------------------- */

static void
take_number(const struct trace_writer *w, struct trace_series *s, int64_t t_us, int64_t shift_us, double raw)
{
	double shown = NAN;
	int64_t from_us = t_us;
	if (s->kind->how == LEVEL) {
		shown = raw * s->kind->scale;
	} else if (s->begun && t_us > s->at_us && raw >= s->raw) {
		shown = (raw - s->raw) / ((double)(t_us - s->at_us) / 1e6) * s->kind->scale;
		from_us = s->at_us;
	}
	s->begun = true;
	s->raw = raw;
	s->at_us = t_us;
	w->counter(s, from_us + shift_us, t_us + shift_us, raw, shown);
}

static void
open_sampled(struct group *g, unsigned id, struct scan *sample)
{
	bool machine = strcmp(g->role, "machine") == 0, estimated = span_is(scan_get(sample, "energy_method"), "\"estimate\"");
	g->kinds = machine ? of_machine : of_process;
	g->n_kinds = machine ? COUNT(of_machine) : COUNT(of_process);
	g->sampled = xmalloc(g->n_kinds * sizeof *g->sampled);
	for (size_t i = 0; i < g->n_kinds; i++) {
		bool energy = estimated && strcmp(g->kinds[i].member, "energy_j") == 0;
		g->sampled[i] = (struct trace_series){.kind = &g->kinds[i], .group = id, .name = xasprintf("%s%s", g->kinds[i].name, energy ? ", estimated" : "")};
	}
}

static void
take_gpu(const struct trace_writer *w, struct group *g, unsigned group, const json_t *gpu, int64_t t_us, int64_t shift_us)
{
	json_int_t index = json_integer_value(json_object_get(gpu, "index"));
	if (index < 0 || index >= MOST_GPUS)
		return;
	while (g->n_gpus <= (size_t)index * COUNT(of_gpu)) {
		g->gpus = xrealloc(g->gpus, (g->n_gpus + COUNT(of_gpu)) * sizeof *g->gpus);
		for (size_t i = 0; i < COUNT(of_gpu); i++) {
			char *name = xasprintf("GPU %zu %s", g->n_gpus / COUNT(of_gpu), of_gpu[i].name);
			g->gpus[g->n_gpus + i] = (struct trace_series){.kind = &of_gpu[i], .group = group, .name = name};
		}
		g->n_gpus += COUNT(of_gpu);
	}
	for (size_t i = 0; i < COUNT(of_gpu); i++) {
		const json_t *v = json_object_get(gpu, of_gpu[i].member);
		if (json_is_number(v))
			take_number(w, &g->gpus[(size_t)index * COUNT(of_gpu) + i], t_us, shift_us, json_number_value(v));
	}
}

/* The group of a sample, which nearly always is the one that the last of its role
 * and pid had. */
static unsigned
group_of(const struct trace_writer *w, struct span role, struct span pid)
{
	for (unsigned i = 0; i < n_groups; i++) {
		const struct group *g = &groups[i];
		size_t n = strlen(g->role);
		if (g->run == run && n + 2 == role.n && memcmp(g->role, role.p + 1, n) == 0 &&
		    (g->pid ? pid.p && same_pid(g, pid) : span_null(pid)))
			return i + 1;
	}
	char *name = span_string(role);
	unsigned id = name ? trace_group(w, name, pid) : 0;
	free(name);
	return id;
}

void
trace_sample(const struct trace_writer *w, struct scan *s, int64_t t_us, int64_t shift_us)
{
	struct span role = scan_get(s, "role");
	unsigned id = role.p ? group_of(w, role, scan_get(s, "pid")) : 0;
	if (id == 0)
		return;
	struct group *g = &groups[id - 1];
	g->shift_us = shift_us;
	if (!g->sampled)
		open_sampled(g, id, s);
	for (size_t i = 0; i < g->n_kinds; i++) {
		double raw = span_number(scan_get(s, g->kinds[i].member));
		if (isfinite(raw))
			take_number(w, &g->sampled[i], t_us, shift_us, raw);
	}
	struct span gpus = g->kinds == of_machine ? scan_get(s, "gpus") : (struct span){0};
	if (span_null(gpus))
		return;
	json_t *list = span_json(gpus), *gpu;
	size_t i;
	json_array_foreach(list, i, gpu)
		take_gpu(w, g, id, gpu, t_us, shift_us);
	json_decref(list);
}

/* A viewer holds a value until the next one: behind the last sample no rate is known. */
void
trace_end_rates(const struct trace_writer *w)
{
	for (unsigned i = 0; i < n_groups; i++)
		for (size_t k = 0; groups[i].run == run && groups[i].sampled && k < groups[i].n_kinds; k++) {
			struct trace_series *s = &groups[i].sampled[k];
			if (s->kind->how == TOTAL && s->head.n)
				w->counter(s, s->at_us + groups[i].shift_us, s->at_us + groups[i].shift_us, s->raw, 0);
		}
}

void
trace_level(const struct trace_writer *w, unsigned group, const struct trace_kind *kind, int64_t t_us, double value)
{
	struct group *g = &groups[group - 1];
	size_t i = 0;
	if (!isfinite(value))
		return;
	while (i < g->n_levels && g->levels[i].kind != kind)
		i++;
	if (i == g->n_levels) {
		g->levels = xrealloc(g->levels, ++g->n_levels * sizeof *g->levels);
		g->levels[i] = (struct trace_series){.kind = kind, .group = group, .name = xstrdup(kind->name)};
	}
	take_number(w, &g->levels[i], t_us, 0, value);
}

/* ---- time -------------------------------------------------------------------------- */

/* By hand, for doubles have no exact microseconds and there is one a record. */
int64_t
span_us(struct span v)
{
	int64_t us = 0;
	size_t whole = 0, i = 0;
	while (whole < v.n && v.p[whole] != '.')
		whole++;
	if (v.n && whole <= WHOLE_DIGITS && v.n <= whole + 7)
		for (; i < v.n && (i == whole || (v.p[i] >= '0' && v.p[i] <= '9')); i++)
			us = i == whole ? us : us * 10 + (v.p[i] - '0');
	if (v.n == 0 || i < v.n) {
		double t = span_number(v);
		return fabs(t) < 9e11 ? llround(t * 1e6) : INT64_MIN;
	}
	for (size_t places = v.n > whole ? v.n - whole - 1 : 0; places < 6; places++)
		us *= 10;
	return us;
}
