/* cell_usage.c: what processes and the machine used while one cell ran. */
#include "record/cell_usage.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/num.h"
#include "json/json_value.h"
#include "jupyter/lab.h"
#include "kernel/kernel_process.h"
#include "record/peak_rss.h"
#include "resource/machine_usage.h"
#include "run/role.h"

#include <errno.h>
#include <unistd.h>

enum { WATCHED_ROLES = ROLE_SERVER + 1 };	/* kernel, browser, server */

struct watched_role {
	pid_t pid;		/* 0: none on this machine */
	struct process_tree *tree;	/* NULL: see reason */
	char reason[256];
	uint64_t pss_at_rss_bytes;	/* its RSS when its PSS was read last */
	struct process_usage before, earlier;
};

struct cell_usage {
	struct watched_role roles[WATCHED_ROLES];
	struct machine_usage *machine;
	json_t *machine_before, *machine_earlier;
	struct lab *lab;	/* asked if the kernel is not on this machine; or NULL */
	char *kernel_id;
	double memory_before;	/* as that server reports it; NaN: unknown */
	bool lab_reports;	/* the server has answered so far */
};

/* What a reading at a cell's end may cost.  A browser has a hundred threads, whose switches would
 * take 5 ms to read. */
static const int precision[WATCHED_ROLES] = {
	[ROLE_KERNEL] = PT_SWITCHES | PT_DELAY | PT_WHOLE,
	[ROLE_BROWSER] = PT_DELAY | PT_WHOLE,
	[ROLE_SERVER] = PT_DELAY | PT_WHOLE,
};
#define SAME_MEMORY 0.01

/* ---- which processes --------------------------------------------------------------- */

static pid_t
browser_pid_here(const char *no_browser, char reason[256])
{
	if (no_browser) {
		snprintf(reason, 256, "%s", no_browser);
		return 0;
	}
	const char *text = getenv("WD_BROWSER_PID");
	long pid = text ? strtol(text, NULL, 10) : 0;
	if (pid <= 0)
		snprintf(reason, 256, "the browser runs on another machine, or its driver does not "
		    "report its process");
	return pid > 0 ? (pid_t)pid : 0;
}

static void
open_tree(struct watched_role *w)
{
	if (w->pid > 0)
		w->tree = process_tree_open(w->pid, w->reason);
	if (!w->tree)
		w->pid = 0;
}

struct cell_usage *
cell_usage_open(struct lab *lab, const char *kernel_id, pid_t kernel_pid, const char *no_browser)
{
	static const char elsewhere[] = "the %s's process is not on this machine";
	struct cell_usage *u = xmalloc(sizeof *u);
	*u = (struct cell_usage){.lab = lab, .lab_reports = lab != NULL,
		.kernel_id = xstrdup(kernel_id), .machine = machine_usage_open()};
	struct watched_role *kernel = &u->roles[ROLE_KERNEL], *server = &u->roles[ROLE_SERVER];
	kernel->pid = kernel_pid;
	if (!kernel->pid)
		snprintf(kernel->reason, sizeof kernel->reason, elsewhere, role_word(ROLE_KERNEL));
	open_tree(kernel);
	server->pid = kernel->pid ? kernel_process_server(kernel_id, kernel->pid) : 0;
	if (server->pid <= 1) {
		server->pid = 0;
		snprintf(server->reason, sizeof server->reason, elsewhere, role_word(ROLE_SERVER));
	}
	open_tree(server);
	if (server->tree && kernel->tree)
		process_tree_exclude(server->tree, kernel->tree);
	struct watched_role *browser = &u->roles[ROLE_BROWSER];
	browser->pid = browser_pid_here(no_browser, browser->reason);
	open_tree(browser);
	for (int i = 0; i < WATCHED_ROLES; i++)
		if (u->roles[i].pid)
			gpu_set_role(machine_usage_gpu(u->machine), u->roles[i].pid, role_word(i));
	return u;
}

void
cell_usage_write_watches(const struct cell_usage *u, void (*write)(json_t *))
{
	for (int i = 0; i < WATCHED_ROLES; i++) {
		const struct watched_role *w = &u->roles[i];
		write(json_pack("{s:s, s:o, s:s, s:o, s:o}", "type", "watch",
		    "t", json_value_time(clock_unix_s()), "role", role_word(i),
		    "pid", w->pid ? json_integer(w->pid) : json_null(),
		    "reason", json_value_text(w->reason)));
	}
}

bool
cell_usage_kernel_replaced(const struct cell_usage *u)
{
	const struct watched_role *kernel = &u->roles[ROLE_KERNEL];
	if (!kernel->tree || kill(kernel->pid, 0) == 0 || errno != ESRCH)
		return false;
	pid_t now = kernel_process_find(u->kernel_id);
	return now && now != kernel->pid;
}

void
cell_usage_close(struct cell_usage *u)
{
	for (int i = 0; i < WATCHED_ROLES; i++)
		if (u->roles[i].tree)
			process_tree_close(u->roles[i].tree);
	machine_usage_close(u->machine);
	json_decref(u->machine_before);
	json_decref(u->machine_earlier);
	free(u->kernel_id);
	free(u);
}

/* ---- before a cell ------------------------------------------------------------------- */

/* Asks the extension jupyter-resource-usage about a kernel on another machine: its memory
 * (proportional) and its CPU utilization since the last request. */
static bool
ask_server(struct cell_usage *u, double *memory_bytes, double *cpu_pct)
{
	char *path = xasprintf("api/metrics/v1/kernel_usage/get_usage/%s", u->kernel_id);
	json_t *answer = lab_call(u->lab, "GET", path, NULL, NULL);
	json_t *content = json_object_get(answer, "content");
	*memory_bytes = json_value_real_at(content, "kernel_memory");
	*cpu_pct = json_value_real_at(content, "kernel_cpu");
	json_decref(answer);
	free(path);
	return isfinite(*memory_bytes);
}

void
cell_usage_before(struct cell_usage *u)
{
	bool ask = u->lab_reports && !u->roles[ROLE_KERNEL].tree;
	double unused_pct;	/* until now; the next answer is about the cell */
	if (!ask || !ask_server(u, &u->memory_before, &unused_pct))
		u->memory_before = NAN;
	for (int i = WATCHED_ROLES; i-- > 0; ) {	/* the kernel last: closest to its work */
		struct watched_role *w = &u->roles[i];
		if (!w->tree)
			continue;
		w->earlier = w->before;
		process_tree_read(w->tree, precision[i], &w->before);
		peak_rss_reset(w->tree);
	}
	json_decref(u->machine_earlier);
	u->machine_earlier = u->machine_before;	/* if a key press is repeated, or while listening */
	u->machine_before = json_object();
	machine_usage_fill(u->machine, u->machine_before);
}

void
cell_usage_undo_before(struct cell_usage *u)
{
	if (!u->machine_earlier)
		return;
	for (int i = 0; i < WATCHED_ROLES; i++)
		u->roles[i].before = u->roles[i].earlier;
	json_decref(u->machine_before);
	u->machine_before = u->machine_earlier;
	u->machine_earlier = NULL;
}

/* ---- after a cell ---------------------------------------------------------------------- */

/* Every member of a role's usage, null. */
static json_t *
unknown_usage(void)
{
	static const char *const names[] = {
		"pid", "processes", "threads", "cpu_s", "run_queue_wait_s", "voluntary_switches",
		"involuntary_switches", "minor_faults", "major_faults", "read_bytes", "write_bytes",
		"syscall_read_bytes", "syscall_write_bytes", "rss_before_bytes", "rss_bytes",
		"pss_bytes", "peak_rss_bytes", "peak_method", "reason",
	};
	json_t *r = json_object();
	for (size_t i = 0; i < COUNT(names); i++)
		json_object_set_new(r, names[i], json_null());
	return r;
}

static void
set_count(json_t *r, const char *name, uint64_t n)
{
	json_object_set_new(r, name, json_integer((json_int_t)n));
}

static void
set_seconds(json_t *r, const char *name, uint64_t ns)
{
	json_object_set_new(r, name, json_real(num_round((double)ns / 1e9, 9)));
}

/* Only if its memory has changed since the last time, because this takes some ms. */
static void
set_pss(struct watched_role *w, uint64_t rss_bytes, json_t *r)
{
	struct process_usage u;
	double change = (double)rss_bytes - (double)w->pss_at_rss_bytes;
	if (fabs(change) <= SAME_MEMORY * (double)w->pss_at_rss_bytes)
		return;
	process_tree_read(w->tree, PT_FAST | PT_PSS, &u);
	if (u.unknown & PT_NO_PSS || u.ended)
		return;
	w->pss_at_rss_bytes = rss_bytes;
	set_count(r, "pss_bytes", u.pss_bytes);
}

static void
set_memory(struct watched_role *w, enum role role, const struct process_usage *u, json_t *r)
{
	set_count(r, "rss_before_bytes", w->before.rss_bytes);
	set_count(r, "rss_bytes", u->rss_bytes);
	if (role == ROLE_KERNEL)
		set_pss(w, u->rss_bytes, r);
}

static void
set_counters(int what, const struct process_usage *b, const struct process_usage *a, json_t *r)
{
	set_seconds(r, "cpu_s", a->cpu_ns - b->cpu_ns);
	if (!(a->unknown & PT_NO_DELAY))
		set_seconds(r, "run_queue_wait_s", a->delay_ns - b->delay_ns);
	if (what & PT_SWITCHES && !(a->unknown & PT_NO_SWITCHES)) {
		set_count(r, "voluntary_switches", a->switches_voluntary - b->switches_voluntary);
		set_count(r, "involuntary_switches",
		    a->switches_involuntary - b->switches_involuntary);
	}
	set_count(r, "minor_faults", a->minor_faults - b->minor_faults);
	set_count(r, "major_faults", a->major_faults - b->major_faults);
	if (a->unknown & PT_NO_IO)
		return;
	set_count(r, "read_bytes", a->read_bytes - b->read_bytes);
	set_count(r, "write_bytes", a->write_bytes - b->write_bytes);
	set_count(r, "syscall_read_bytes", a->syscall_read_bytes - b->syscall_read_bytes);
	set_count(r, "syscall_write_bytes", a->syscall_write_bytes - b->syscall_write_bytes);
}

static json_t *
role_usage(struct watched_role *w, enum role role)
{
	static const char has_ended[] = "it has ended";
	struct process_usage u;
	uint64_t peak_bytes = 0;
	const char *method = NULL;
	json_t *r = unknown_usage();
	if (!w->tree || w->before.ended) {
		json_object_set_new(r, "reason", json_value_text(w->tree ? has_ended : w->reason));
		return r;
	}
	process_tree_read(w->tree, precision[role], &u);
	bool peaked = peak_rss_read(w->tree, &peak_bytes, &method) == 0;
	set_count(r, "pid", (uint64_t)w->pid);
	set_count(r, "processes", u.processes);
	set_count(r, "threads", u.threads);
	set_counters(precision[role], &w->before, &u, r);
	if (!(u.unknown & PT_NO_MEMORY) && !u.ended)
		set_memory(w, role, &u, r);
	if (peaked) {
		set_count(r, "peak_rss_bytes", peak_bytes);
		json_object_set_new(r, "peak_method", json_string(method));
	}
	json_object_set_new(r, "reason",
	    json_value_text(u.ended ? has_ended : *u.reason ? u.reason : peaked ? NULL : method));
	return r;
}

/* Cumulative members as differences, the others as they are now. */
static json_t *
machine_used(struct cell_usage *u)
{
	static const char *const sums[] = {
		"elapsed_s", "cpu_busy_s", "cpu_pressure_s", "io_pressure_s", "memory_pressure_s",
		"energy_j",
	};
	json_t *now = json_object();
	machine_usage_fill(u->machine, now);
	for (size_t i = 0; i < COUNT(sums); i++) {
		double before = json_value_real_at(u->machine_before, sums[i]);
		double used = json_value_real_at(now, sums[i]) - before;
		json_object_set_new(now, sums[i], json_value_real(num_round(used, 9)));
	}
	return now;
}

/* A kernel that is not on this machine, as its server reports it. */
static void
set_from_server(struct cell_usage *u, json_t *r)
{
	double memory_bytes, cpu_pct;
	const char *why = "its server was not named";
	u->lab_reports = u->lab && ask_server(u, &memory_bytes, &cpu_pct);
	if (u->lab_reports) {
		bool known = isfinite(u->memory_before);
		if (known)
			set_count(r, "rss_before_bytes", (uint64_t)u->memory_before);
		set_count(r, "rss_bytes", (uint64_t)memory_bytes);
		json_object_set_new(r, "cpu_pct", json_value_real(known ? cpu_pct : (double)NAN));
		why = "jupyter-resource-usage reports only its memory and its mean CPU utilization";
	} else if (u->lab) {
		why = "the server has no jupyter-resource-usage";
	}
	json_object_set_new(r, "reason",
	    json_sprintf("the kernel's process is not on this machine; %s", why));
}

json_t *
cell_usage_after(struct cell_usage *u)
{
	if (!u->machine_before)
		return json_null();
	json_t *all = json_object();
	for (int i = 0; i < WATCHED_ROLES; i++) {	/* the kernel first: closest to its work */
		json_t *r = role_usage(&u->roles[i], i);
		if (i == ROLE_KERNEL && !u->roles[i].tree)
			set_from_server(u, r);
		json_object_set_new(all, role_word(i), r);
	}
	json_object_set_new(all, role_word(ROLE_MACHINE), machine_used(u));
	json_decref(u->machine_before);
	json_decref(u->machine_earlier);
	u->machine_before = u->machine_earlier = NULL;
	return all;
}
