/* cellusage.c: what processes and the machine used while one cell ran. */
#include "cellusage.h"
#include "kin.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "machusage.h"
#include "proctree.h"

enum { KERNEL, BROWSER, SERVER, ROLES };
static const char *const role_names[ROLES] = {"kernel", "browser", "server"};

struct watched {
	pid_t pid;		/* 0: none here */
	struct proctree *tree;	/* NULL: see reason */
	char reason[256];
	uint64_t pss_of_bytes;	/* its RSS when its PSS was read last */
	struct proc_usage before, earlier;
};

struct cellusage {
	struct watched roles[ROLES];
	struct machusage *machine;
	json_t *machine_before, *machine_earlier;
	struct lab *lab;	/* asked where no kernel runs here; or NULL */
	char *kernel_id;
	double memory_before;	/* as that server told it; NaN: it did not */
	bool lab_tells;	/* as far as is known */
};

/* ---- who is who ------------------------------------------------------------ */

/* Is the kernel's connection file one of the process's arguments? */
static bool
runs_kernel(const char *pid, const char *file)
{
	char path[64];
	size_t n;
	snprintf(path, sizeof path, "/proc/%.20s/cmdline", pid);
	char *args = read_file(path, 1 << 20, &n);
	bool found = args && memmem(args, n, file, strlen(file));
	free(args);
	return found;
}

/* A wrapper has the file among its arguments too: the kernel is the one that
 * none of the others descends from. */
pid_t
kernel_pid(const char *kernel_id)
{
	char *file = xasprintf("kernel-%s.json", kernel_id);
	DIR *d = opendir("/proc");
	pid_t found = 0;
	for (struct dirent *e; d && (e = readdir(d)); ) {
		if (strspn(e->d_name, "0123456789") != strlen(e->d_name) || !runs_kernel(e->d_name, file))
			continue;
		pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);
		if (!found || parent_of(pid) == found || parent_of(found) != pid)
			found = pid;
	}
	if (d)
		closedir(d);
	free(file);
	return found;
}

static pid_t
browser_pid_here(char reason[256])
{
	const char *text = getenv("WD_BROWSER_PID");
	long pid = text ? strtol(text, NULL, 10) : 0;
	if (pid <= 0)
		snprintf(reason, 256, "the browser runs on another machine, or its driver does not tell its process");
	return pid > 0 ? (pid_t)pid : 0;
}

static void
watch(struct watched *w)
{
	if (w->pid > 0)
		w->tree = proctree_open(w->pid, w->reason);
	if (!w->tree)
		w->pid = 0;
}

struct cellusage *
cellusage_open(struct lab *lab, const char *kernel_id, pid_t kernel_here)
{
	struct cellusage *u = xmalloc(sizeof *u);
	*u = (struct cellusage){.lab = lab, .lab_tells = lab != NULL, .kernel_id = xstrdup(kernel_id), .machine = machusage_open()};
	struct watched *kernel = &u->roles[KERNEL], *server = &u->roles[SERVER], *browser = &u->roles[BROWSER];
	kernel->pid = kernel_here;
	if (!kernel->pid)
		snprintf(kernel->reason, sizeof kernel->reason, "the kernel's process is not on this machine");
	watch(kernel);
	server->pid = kernel->pid ? parent_of(kernel->pid) : 0;
	if (server->pid <= 1) {
		server->pid = 0;
		snprintf(server->reason, sizeof server->reason, "the server's process is not on this machine");
	}
	watch(server);
	if (server->tree && kernel->tree)
		proctree_exclude(server->tree, kernel->tree);
	browser->pid = browser_pid_here(browser->reason);
	watch(browser);
	for (int i = 0; i < ROLES; i++)
		if (u->roles[i].pid)
			machusage_watch(u->machine, u->roles[i].pid, role_names[i]);
	return u;
}

void
cellusage_watches(const struct cellusage *u, void (*put)(json_t *))
{
	for (int i = 0; i < ROLES; i++) {
		const struct watched *w = &u->roles[i];
		put(json_pack("{s:s, s:o, s:s, s:o, s:o}", "type", "watch", "t", json_t_of(now_t()), "role", role_names[i],
		    "pid", w->pid ? json_integer(w->pid) : json_null(), "reason", json_text_or_null(w->reason)));
	}
}

bool
cellusage_renewed(const struct cellusage *u)
{
	const struct watched *kernel = &u->roles[KERNEL];
	if (!kernel->tree || kill(kernel->pid, 0) == 0 || errno != ESRCH)
		return false;
	pid_t now = kernel_pid(u->kernel_id);
	return now && now != kernel->pid;
}

void
cellusage_close(struct cellusage *u)
{
	for (int i = 0; i < ROLES; i++)
		if (u->roles[i].tree)
			proctree_close(u->roles[i].tree);
	machusage_close(u->machine);
	json_decref(u->machine_before);
	json_decref(u->machine_earlier);
	free(u->kernel_id);
	free(u);
}

/* ---- a cell's two ends --------------------------------------------------------- */

/* What a reading at a cell's end may cost: a browser has a hundred threads, whose
 * switches take 5 ms. */
static const int exact[ROLES] = {
	[KERNEL] = PT_SWITCHES | PT_DELAY | PT_WHOLE, [BROWSER] = PT_DELAY | PT_WHOLE, [SERVER] = PT_DELAY | PT_WHOLE,
};
#define SAME_MEMORY 0.01

/* What the extension jupyter-resource-usage tells of a kernel elsewhere: its memory, by
 * parts of what processes share, and its use of the CPU since it was last asked. */
static bool
ask_server(struct cellusage *u, double *memory_bytes, double *cpu_pct)
{
	char *path = xasprintf("api/metrics/v1/kernel_usage/get_usage/%s", u->kernel_id);
	json_t *answer = lab_call(u->lab, "GET", path, NULL, NULL), *content = json_object_get(answer, "content");
	*memory_bytes = json_real_at(content, "kernel_memory");
	*cpu_pct = json_real_at(content, "kernel_cpu");
	json_decref(answer);
	free(path);
	return isfinite(*memory_bytes);
}

void
cellusage_before(struct cellusage *u)
{
	double since_then_pct;
	/* Its first answer of the CPU is of no time; from here on it is of the cell. */
	if (u->roles[KERNEL].tree || !u->lab_tells || !ask_server(u, &u->memory_before, &since_then_pct))
		u->memory_before = NAN;
	for (int i = ROLES; i-- > 0; ) {	/* the kernel last: nearest to its work */
		struct watched *w = &u->roles[i];
		if (!w->tree)
			continue;
		w->earlier = w->before;
		proctree_read(w->tree, exact[i], &w->before);
		proctree_reset_peak(w->tree);
	}
	json_decref(u->machine_earlier);
	u->machine_earlier = u->machine_before;	/* a first press that was swallowed, or while listening */
	u->machine_before = json_object();
	machusage_fill(u->machine, u->machine_before);
}

void
cellusage_back(struct cellusage *u)
{
	if (!u->machine_earlier)
		return;
	for (int i = 0; i < ROLES; i++)
		u->roles[i].before = u->roles[i].earlier;
	json_decref(u->machine_before);
	u->machine_before = u->machine_earlier;
	u->machine_earlier = NULL;
}

static json_t *
whole(uint64_t n, bool known)
{
	return known ? json_integer((json_int_t)n) : json_null();
}

static json_t *
seconds(uint64_t ns, bool known)
{
	return known ? json_real(round_to((double)ns / 1e9, 9)) : json_null();
}

/* Members that a record of a role has: also where nothing could be read. */
static json_t *
no_usage(const struct watched *w)
{
	static const char *const names[] = {
		"pid", "processes", "threads", "cpu_s", "run_delay_s", "voluntary_switches", "involuntary_switches", "minor_faults",
		"major_faults", "read_bytes", "write_bytes", "syscall_read_bytes", "syscall_write_bytes", "rss_before_bytes",
		"rss_bytes", "pss_bytes", "peak_rss_bytes", "peak_method",
	};
	json_t *r = json_object();
	for (size_t i = 0; i < COUNT(names); i++)
		json_object_set_new(r, names[i], json_null());
	json_object_set_new(r, "reason", json_text_or_null(w->tree ? "it has ended" : w->reason));
	return r;
}

/* Only the kernel's, and only when its memory is another: it takes some ms. */
static json_t *
proportional(struct watched *w, uint64_t rss_bytes)
{
	struct proc_usage a;
	double moved = (double)rss_bytes - (double)w->pss_of_bytes;
	if (fabs(moved) <= SAME_MEMORY * (double)w->pss_of_bytes || proctree_read(w->tree, PT_FAST | PT_PSS, &a) != 0 || a.unknown & PT_NO_PSS || a.ended)
		return json_null();
	w->pss_of_bytes = rss_bytes;
	return json_integer((json_int_t)a.pss_bytes);
}

static json_t *
used(struct watched *w, int role)
{
	struct proc_usage a;
	const struct proc_usage *b = &w->before;
	uint64_t peak = 0;
	const char *method = NULL;
	if (!w->tree || b->ended || proctree_read(w->tree, exact[role], &a) != 0)
		return no_usage(w);
	bool peaked = proctree_peak(w->tree, &peak, &method) == 0;
	bool io = !(a.unknown & PT_NO_IO), memory = !(a.unknown & PT_NO_MEMORY) && !a.ended;
	bool delay = !(a.unknown & PT_NO_DELAY), switches = exact[role] & PT_SWITCHES && !(a.unknown & PT_NO_SWITCHES);
	json_t *r = json_pack("{s:I, s:I, s:I, s:o, s:o}", "pid", (json_int_t)w->pid, "processes", (json_int_t)a.processes,
	    "threads", (json_int_t)a.threads, "cpu_s", seconds(a.cpu_ns - b->cpu_ns, true),
	    "run_delay_s", seconds(a.delay_ns - b->delay_ns, delay));
	json_object_set_new(r, "voluntary_switches", whole(a.switches_voluntary - b->switches_voluntary, switches));
	json_object_set_new(r, "involuntary_switches", whole(a.switches_involuntary - b->switches_involuntary, switches));
	json_object_set_new(r, "minor_faults", whole(a.minor_faults - b->minor_faults, true));
	json_object_set_new(r, "major_faults", whole(a.major_faults - b->major_faults, true));
	json_object_set_new(r, "read_bytes", whole(a.read_bytes - b->read_bytes, io));
	json_object_set_new(r, "write_bytes", whole(a.write_bytes - b->write_bytes, io));
	json_object_set_new(r, "syscall_read_bytes", whole(a.syscall_read_bytes - b->syscall_read_bytes, io));
	json_object_set_new(r, "syscall_write_bytes", whole(a.syscall_write_bytes - b->syscall_write_bytes, io));
	json_object_set_new(r, "rss_before_bytes", whole(b->rss_bytes, memory));
	json_object_set_new(r, "rss_bytes", whole(a.rss_bytes, memory));
	json_object_set_new(r, "pss_bytes", role == KERNEL && memory ? proportional(w, a.rss_bytes) : json_null());
	json_object_set_new(r, "peak_rss_bytes", whole(peak, peaked));
	json_object_set_new(r, "peak_method", peaked ? json_string(method) : json_null());
	json_object_set_new(r, "reason", a.ended ? json_string("it has ended") : *a.reason ? json_string(a.reason) :
	    !peaked && method ? json_string(method) : json_null());
	return r;
}

/* Cumulative members as differences, the others as they are now. */
static json_t *
machine_used(struct cellusage *u)
{
	static const char *const sums[] = {"elapsed_s", "cpu_busy_s", "cpu_pressure_s", "io_pressure_s", "memory_pressure_s", "energy_j"};
	json_t *now = json_object();
	machusage_fill(u->machine, now);
	for (size_t i = 0; i < COUNT(sums); i++) {
		json_t *a = json_object_get(now, sums[i]), *b = json_object_get(u->machine_before, sums[i]);
		bool known = json_is_number(a) && json_is_number(b);
		json_object_set_new(now, sums[i], known ? json_real(round_to(json_number_value(a) - json_number_value(b), 9)) : json_null());
	}
	return now;
}

static void
told_by_server(struct cellusage *u, json_t *r)
{
	double memory_bytes, cpu_pct;
	u->lab_tells = u->lab && ask_server(u, &memory_bytes, &cpu_pct);
	if (!u->lab) {
		json_object_set_new(r, "reason", json_string("the kernel's process is not on this machine, and its server was not named"));
	} else if (u->lab_tells) {
		json_object_set_new(r, "rss_before_bytes", isfinite(u->memory_before) ? json_integer((json_int_t)u->memory_before) : json_null());
		json_object_set_new(r, "rss_bytes", json_integer((json_int_t)memory_bytes));
		json_object_set_new(r, "cpu_pct", isfinite(u->memory_before) && isfinite(cpu_pct) ? json_real(cpu_pct) : json_null());
		json_object_set_new(r, "reason", json_string("the kernel's process is not on this machine; jupyter-resource-usage tells its memory and its mean use of the CPU alone"));
	} else {
		json_object_set_new(r, "reason", json_string("the kernel's process is not on this machine, and the server has no jupyter-resource-usage"));
	}
}

json_t *
cellusage_after(struct cellusage *u)
{
	json_t *all = u->machine_before ? json_object() : json_null();
	for (int i = 0; i < ROLES && u->machine_before; i++) {	/* the kernel first: nearest to its work */
		json_t *r = used(&u->roles[i], i);
		if (i == KERNEL && !u->roles[i].tree)
			told_by_server(u, r);
		json_object_set_new(all, role_names[i], r);
	}
	if (u->machine_before)
		json_object_set_new(all, "machine", machine_used(u));
	json_decref(u->machine_before);
	json_decref(u->machine_earlier);
	u->machine_before = u->machine_earlier = NULL;
	return all;
}
