/* gpu.c: a child asks NVML: a byte goes to it, a line of JSON comes back. */
#include "gpu.h"
#include "kin.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "nbscope.h"
#include "nvml.h"

enum {
	FIRST_MS = 50, PERIOD_MS = 200, SILENT_MS = 5000, END_MS = 100, STEP_MS = 5,
	ANSWER_LIMIT_BYTES = 1 << 20, ANCESTORS_MAX = 64, REASON_BYTES = 256,
};

struct gpu {
	pid_t child;	/* 0: none (any more) */
	int fd;	/* -1: no more is asked */
	bool waiting;	/* for the answer to the last byte */
	uint64_t asked_ns, cpu_ns;
	struct buf in;
	json_t *gpus, *t;
	char reason[REASON_BYTES];
	struct { pid_t root; const char *role; } *watch;
	size_t watches;
};

/* ---- the child ------------------------------------------------------------- */

static uint64_t
own_cpu_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* `last`: no answer will follow. */
static bool
answer(int fd, json_t *gpus, const char *reason, bool last)
{
	json_t *line = json_object();
	json_object_set_new(line, "gpus", gpus ? gpus : json_null());
	json_object_set_new(line, "reason", reason ? json_string(reason) : json_null());
	json_object_set_new(line, "t", json_t_of(now_t()));
	json_object_set_new(line, "last", json_boolean(last));
	json_object_set_new(line, "cpu_ns", json_integer((json_int_t)own_cpu_ns()));
	struct buf text = {.limit = ANSWER_LIMIT_BYTES};
	dump_json(&text, line);
	json_decref(line);
	bool sent = buf_add(&text, "\n", 1) == 0 && send_all(fd, text.p, text.n) == 0;
	buf_free(&text);
	return sent;
}

/* Nothing of the parent's may stay open here: its reader waits for the end. */
static int
leave_parent(int fd)
{
	static const int unused[] = {SIGINT, SIGHUP, SIGQUIT};
	for (size_t i = 0; i < COUNT(unused); i++)
		signal(unused[i], SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (fd < 3)
		fd = fcntl(fd, F_DUPFD, 3);
	int null = open("/dev/null", O_RDWR);
	for (int i = 0; i < 3; i++)
		dup2(null, i);
	close_range(3, (unsigned)fd - 1, 0);
	close_range((unsigned)fd + 1, ~0u, 0);
	return fd;
}

static _Noreturn void
serve(int fd)
{
	char reason[256] = "", byte;
	die_alone = true;
	fd = leave_parent(fd);
	struct nvml *n = nvml_open(reason);
	if (!n)
		answer(fd, NULL, reason, true);
	for (bool going = n; going && recv(fd, &byte, 1, 0) == 1;) {
		json_t *gpus = nvml_read(n, reason);
		going = answer(fd, gpus, gpus ? NULL : reason, false);
	}
	_exit(0);
}

/* ---- the parent ------------------------------------------------------------- */

static void
reap(struct gpu *g)
{
	if (g->child && waitpid(g->child, NULL, WNOHANG) != 0)
		g->child = 0;
}

static void
forget(struct gpu *g)
{
	json_decref(g->gpus);
	json_decref(g->t);
	g->gpus = g->t = NULL;
}

/* Asks no more: the child ends when it sees it. */
static void
hang_up(struct gpu *g)
{
	close(g->fd);
	g->fd = -1;
}

static void
ask(struct gpu *g)
{
	g->waiting = g->fd >= 0 && send(g->fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
	g->asked_ns = now_ns();
}

/* The role whose root is nearest above. */
static const char *
role_of(const struct gpu *g, pid_t pid)
{
	for (int i = 0; i < ANCESTORS_MAX && pid > 1; i++, pid = parent_of(pid))
		for (size_t k = 0; k < g->watches; k++)
			if (g->watch[k].root == pid)
				return g->watch[k].role;
	return NULL;
}

static void
put_roles(const struct gpu *g)
{
	size_t i, k;
	json_t *gpu, *process;
	json_array_foreach(g->gpus, i, gpu)
		json_array_foreach(json_object_get(gpu, "processes"), k, process) {
			const char *role = role_of(g, (pid_t)json_integer_value(json_object_get(process, "pid")));
			json_object_set_new(process, "role", role ? json_string(role) : json_null());
		}
}

static void
take(struct gpu *g, const char *line, size_t n)
{
	json_t *got = json_loadb(line, n, 0, NULL);
	json_t *gpus = json_object_get(got, "gpus");
	const char *reason = json_string_value(json_object_get(got, "reason"));
	forget(g);
	if (json_is_array(gpus)) {
		g->gpus = json_incref(gpus);
		g->t = json_incref(json_object_get(got, "t"));
		put_roles(g);
	}
	snprintf(g->reason, sizeof g->reason, "%s", reason ? reason : "");
	g->cpu_ns = (uint64_t)json_integer_value(json_object_get(got, "cpu_ns"));
	g->waiting = false;
	if (json_is_true(json_object_get(got, "last")))
		hang_up(g);
	json_decref(got);
}

/* Takes what has come. */
static void
hear(struct gpu *g)
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
			take(g, g->in.p, (size_t)(end - g->in.p));
			g->in.n = 0;
			continue;
		}
		hang_up(g);
		forget(g);
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
	*g = (struct gpu){.fd = -1, .in.limit = ANSWER_LIMIT_BYTES, .reason = "NVML has not answered yet"};
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) {
		snprintf(g->reason, sizeof g->reason, "NVML cannot be asked: socketpair: %s", strerror(errno));
		return g;
	}
	g->child = fork();
	if (g->child == 0)
		serve(pair[1]);
	close(pair[1]);
	if (g->child < 0) {
		snprintf(g->reason, sizeof g->reason, "NVML cannot be asked: fork: %s", strerror(errno));
		close(pair[0]);
		g->child = 0;
		return g;
	}
	g->fd = pair[0];
	ask(g);
	poll(&(struct pollfd){.fd = g->fd, .events = POLLIN}, 1, FIRST_MS);
	hear(g);
	return g;
}

void
gpu_watch(struct gpu *g, pid_t root, const char *role)
{
	for (size_t i = 0; i < g->watches; i++)
		if (g->watch[i].root == root)
			return;
	g->watch = xrealloc(g->watch, (g->watches + 1) * sizeof *g->watch);
	g->watch[g->watches].root = root;
	g->watch[g->watches++].role = role;
	put_roles(g);
}

void
gpu_watch_none(struct gpu *g)
{
	g->watches = 0;
}

void
gpu_fill(struct gpu *g, json_t *record)
{
	hear(g);
	uint64_t age_ms = (now_ns() - g->asked_ns) / 1000000u;
	if (g->fd >= 0 && g->waiting && age_ms >= SILENT_MS) {
		forget(g);
		snprintf(g->reason, sizeof g->reason, "NVML has not answered for %u s", (unsigned)(age_ms / 1000));
	} else if (g->fd >= 0 && !g->waiting && age_ms >= PERIOD_MS) {
		ask(g);
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

/* A child inside a hanging driver dies when the driver lets it: not waited for. */
void
gpu_close(struct gpu *g)
{
	if (!g)
		return;
	if (g->fd >= 0)
		hang_up(g);
	reap(g);
	if (g->child)
		kill(g->child, SIGKILL);
	for (int ms = 0; g->child && ms < END_MS; ms += STEP_MS) {
		pause_ms(STEP_MS);
		reap(g);
	}
	forget(g);
	buf_free(&g->in);
	free(g->watch);
	free(g);
}
