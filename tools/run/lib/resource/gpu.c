/* gpu.c: a child process, gpuread, asks NVML: for each line it answers with a line of JSON. */
#include "resource/gpu.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/installation.h"
#include "base/kernel_call.h"
#include "json/json_value.h"
#include "json/lines.h"
#include "process/process_entry.h"
#include "resource/nvml_library.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	FIRST_MS = 50, PERIOD_MS = 200, SILENT_MS = 5000, END_MS = 100, STEP_MS = 5,
	MAX_ANSWER_BYTES = 1 << 20, MAX_ANCESTORS = 64, REASON_BYTES = 256,
};

struct gpu {
	pid_t child;	/* 0: none, or it has ended */
	int fd;	/* -1: the child is not asked any more */
	bool waiting;	/* for the answer to the last byte */
	uint64_t asked_ns, cpu_ns;
	struct buf in;
	json_t *gpus, *t;
	char reason[REASON_BYTES];	/* why gpus is NULL */
	struct gpu_role { pid_t root; const char *role; } *roles;
	size_t n_roles;
};

/* ---- the child ------------------------------------------------------------- */

static _Noreturn void
end_child(int fd, const char *reason)
{
	lines_send(fd, json_pack("{s:n, s:s, s:b}", "gpus", "reason", reason, "last", 1));
	_exit(0);
}

/* None of the parent's files may stay open here: the reader of its output waits for their end. */
static _Noreturn void
run_child(int fd)
{
	static const int ignored[] = {SIGINT, SIGHUP, SIGQUIT};
	char reason[REASON_BYTES], *program = installation_file("bin/gpuread");
	die_in_fork = true;
	for (size_t i = 0; i < COUNT(ignored); i++)
		signal(ignored[i], SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (fd < 3)
		fd = fcntl(fd, F_DUPFD, 3);
	int null = open("/dev/null", O_RDWR);
	for (int i = 0; i < 3; i++)
		dup2(i < 2 ? fd : null, i);
	kernel_call_close_from(3);
	if (!nvml_library_open(reason))
		end_child(0, reason);
	if (program)
		execl(program, program, (char *)NULL);
	end_child(0, "cannot ask NVML: there is no program gpuread");
}

/* ---- the parent ------------------------------------------------------------- */

static void
reap(struct gpu *g)
{
	if (g->child && waitpid(g->child, NULL, WNOHANG) != 0)
		g->child = 0;
}

static void
forget_answer(struct gpu *g)
{
	json_decref(g->gpus);
	json_decref(g->t);
	g->gpus = g->t = NULL;
}

/* The child ends when it sees that the socket is closed. */
static void
close_socket(struct gpu *g)
{
	close(g->fd);
	g->fd = -1;
}

static void
ask_child(struct gpu *g)
{
	g->waiting = g->fd >= 0 && send(g->fd, "\n", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
	g->asked_ns = clock_monotonic_ns();
}

/* The role of the nearest ancestor that has one. */
static const char *
process_role(const struct gpu *g, pid_t pid)
{
	for (int i = 0; i < MAX_ANCESTORS && pid > 1; i++, pid = process_entry_parent(pid))
		for (size_t k = 0; k < g->n_roles; k++)
			if (g->roles[k].root == pid)
				return g->roles[k].role;
	return NULL;
}

static void
set_process_roles(const struct gpu *g)
{
	size_t i, k;
	json_t *gpu, *process;
	json_array_foreach(g->gpus, i, gpu)
		json_array_foreach(json_object_get(gpu, "processes"), k, process) {
			json_int_t pid = json_integer_value(json_object_get(process, "pid"));
			const char *role = process_role(g, (pid_t)pid);
			json_object_set_new(process, "role", json_value_text(role));
		}
}

static void
on_answer(struct gpu *g, const char *line, size_t n)
{
	json_t *answer = json_loadb(line, n, 0, NULL), *gpus = json_object_get(answer, "gpus");
	const char *reason = json_string_value(json_object_get(answer, "reason"));
	forget_answer(g);
	if (json_is_array(gpus)) {
		g->gpus = json_incref(gpus);
		g->t = json_incref(json_object_get(answer, "t"));
		set_process_roles(g);
	}
	snprintf(g->reason, sizeof g->reason, "%s", reason ? reason : "");
	g->cpu_ns = (uint64_t)(json_number_value(json_object_get(answer, "cpu_s")) * 1e9);
	g->waiting = false;
	if (json_is_true(json_object_get(answer, "last")))
		close_socket(g);
	json_decref(answer);
}

/* Reads what has arrived; never waits. */
static void
read_answers(struct gpu *g)
{
	char piece[4096];
	while (g->fd >= 0) {
		ssize_t n = recv(g->fd, piece, sizeof piece, MSG_DONTWAIT);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			break;
		if (n > 0 && buf_add(&g->in, piece, (size_t)n) == 0) {
			char *end = memchr(g->in.p, '\n', g->in.n);
			if (!end)
				continue;
			on_answer(g, g->in.p, (size_t)(end - g->in.p));
			g->in.n = 0;
			continue;
		}
		close_socket(g);
		forget_answer(g);
		snprintf(g->reason, sizeof g->reason, "the process that asks NVML has died");
	}
	if (g->fd < 0)
		reap(g);
}

struct gpu *
gpu_open(void)
{
	struct gpu *g = xmalloc(sizeof *g);
	int pair[2];
	*g = (struct gpu){
		.fd = -1, .in.limit = MAX_ANSWER_BYTES, .reason = "NVML has not answered yet",
	};
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) {
		snprintf(g->reason, REASON_BYTES, "cannot ask NVML: socketpair: %s",
		    strerror(errno));
		return g;
	}
	g->child = fork();
	if (g->child == 0)
		run_child(pair[1]);
	close(pair[1]);
	if (g->child < 0) {
		snprintf(g->reason, REASON_BYTES, "cannot ask NVML: fork: %s", strerror(errno));
		close(pair[0]);
		g->child = 0;
		return g;
	}
	g->fd = pair[0];
	ask_child(g);
	poll(&(struct pollfd){.fd = g->fd, .events = POLLIN}, 1, FIRST_MS);
	read_answers(g);
	return g;
}

void
gpu_set_role(struct gpu *g, pid_t root, const char *role)
{
	for (size_t i = 0; i < g->n_roles; i++)
		if (g->roles[i].root == root)
			return;
	*XAPPEND(g->roles, g->n_roles) = (struct gpu_role){root, role};
	set_process_roles(g);
}

void
gpu_forget_roles(struct gpu *g)
{
	g->n_roles = 0;
}

void
gpu_fill(struct gpu *g, json_t *record)
{
	read_answers(g);
	uint64_t age_ms = (clock_monotonic_ns() - g->asked_ns) / 1000000u;
	if (g->fd >= 0 && g->waiting && age_ms >= SILENT_MS) {
		forget_answer(g);
		unsigned s = (unsigned)(age_ms / 1000);
		snprintf(g->reason, sizeof g->reason, "NVML has not answered for %u s", s);
	} else if (g->fd >= 0 && !g->waiting && age_ms >= PERIOD_MS) {
		ask_child(g);
	}
	json_object_set_new(record, "gpus", g->gpus ? json_incref(g->gpus) : json_null());
	if (g->gpus)
		json_object_set(record, "gpu_t", g->t);
	json_object_set_new(record, "gpu_reason", g->gpus ? json_null() : json_string(g->reason));
}

pid_t
gpu_child(const struct gpu *g)
{
	return g->child;
}

uint64_t
gpu_cpu_ns(const struct gpu *g)
{
	return g->cpu_ns;
}

/* A child inside a driver that hangs dies only when the driver lets it: it is not waited for. */
void
gpu_close(struct gpu *g)
{
	if (!g)
		return;
	if (g->fd >= 0)
		close_socket(g);
	reap(g);
	if (g->child)
		kill(g->child, SIGKILL);
	for (int ms = 0; g->child && ms < END_MS; ms += STEP_MS) {
		clock_pause_ms(STEP_MS);
		reap(g);
	}
	forget_answer(g);
	buf_free(&g->in);
	free(g->roles);
	free(g);
}
