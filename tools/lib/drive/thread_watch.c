/* thread_watch.c: when the threads of a process and of its descendants ended, and when they ran.
 * A thread of this program reads the scheduler's statistics of each at short intervals. */
#include "drive/thread_watch.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/file.h"
#include "process/descendants.h"

#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { INTERVAL_MS = 20, PROCESSES_EVERY = 10, MAX_PROCESSES = 256, MAX_STAT_BYTES = 4096 };

struct cpu_point {
	double t, cpu_s;
};
static struct watched_thread {
	pid_t pid, tid;
	bool ended;
	struct cpu_point *v;
	size_t n, cap;
} *threads;
static size_t n_threads, cap_threads;
static struct {
	pthread_t thread;
	bool running;
	atomic_bool stop;
	pid_t pids[MAX_PROCESSES];	/* the root first */
	size_t n;
	double t;	/* of the last reading */
} watch;

static struct watched_thread *
find_thread(pid_t pid, pid_t tid)
{
	for (size_t i = 0; i < n_threads; i++)
		if (threads[i].pid == pid && threads[i].tid == tid && !threads[i].ended)
			return &threads[i];
	return NULL;
}

/* Of points with the same value only the first and the last are held. */
static void
add_point(struct watched_thread *w, double t, double cpu_s)
{
	if (w->n >= 2 && w->v[w->n - 1].cpu_s >= cpu_s && w->v[w->n - 2].cpu_s >= cpu_s) {
		w->v[w->n - 1].t = t;
		return;
	}
	w->v = xgrow(w->v, w->n, &w->cap, sizeof *w->v);
	w->v[w->n++] = (struct cpu_point){t, cpu_s};
}

static void
read_thread(pid_t pid, pid_t tid, double t)
{
	char path[80];
	size_t n;
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/schedstat", (long)pid, (long)tid);
	char *text = file_read(path, MAX_STAT_BYTES, &n);
	if (!text)
		return;
	struct watched_thread *w = find_thread(pid, tid);
	if (!w) {
		threads = xgrow(threads, n_threads, &cap_threads, sizeof *threads);
		w = &threads[n_threads++];
		*w = (struct watched_thread){.pid = pid, .tid = tid};
	}
	add_point(w, t, (double)strtoull(text, NULL, 10) / 1e9);
	free(text);
}

static void
read_process(pid_t pid, double t)
{
	char path[40];
	snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
	DIR *dir = opendir(path);
	for (struct dirent *e; dir && (e = readdir(dir)); ) {
		pid_t tid = (pid_t)strtol(e->d_name, NULL, 10);
		if (tid > 0)
			read_thread(pid, tid, t);
	}
	if (dir)
		closedir(dir);
}

static void
list_watched(void)
{
	struct descendants d;
	descendants_of(&d, watch.pids[0]);
	watch.n = 1;
	for (size_t i = 0; i < d.n && watch.n < MAX_PROCESSES; i++)
		watch.pids[watch.n++] = d.all[i].pid;
	descendants_free(&d);
}

static void
read_threads(void)
{
	double t = clock_unix_s();
	for (size_t i = 0; i < watch.n; i++)
		read_process(watch.pids[i], t);
	for (size_t i = 0; i < n_threads; i++)
		threads[i].ended = threads[i].ended || threads[i].v[threads[i].n - 1].t < t;
	watch.t = t;
}

static void *
watch_until_stopped(void *unused)
{
	for (size_t i = 0; !atomic_load(&watch.stop); i++) {
		if (i % PROCESSES_EVERY == 0)
			list_watched();
		read_threads();
		clock_pause_ms(INTERVAL_MS);
	}
	read_threads();
	return unused;
}

void
thread_watch_start(pid_t root)
{
	sigset_t all, before;
	thread_watch_stop();
	for (size_t i = 0; i < n_threads; i++)
		free(threads[i].v);
	n_threads = 0;
	watch.pids[0] = root;
	watch.n = 1;
	atomic_store(&watch.stop, false);
	/* Signals interrupt the calls of the main thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	watch.running = pthread_create(&watch.thread, NULL, watch_until_stopped, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void
thread_watch_stop(void)
{
	if (!watch.running)
		return;
	atomic_store(&watch.stop, true);
	pthread_join(watch.thread, NULL);
	watch.running = false;
}

static const struct watched_thread *
thread_at(pid_t pid, pid_t tid, double t)
{
	const struct watched_thread *last = NULL;
	for (size_t i = 0; i < n_threads; i++)
		if (threads[i].pid == pid && threads[i].tid == tid &&
		    (!last || threads[i].v[0].t <= t))
			last = &threads[i];
	return last;
}

double
thread_watch_end(pid_t pid, pid_t tid)
{
	const struct watched_thread *w = thread_at(pid, tid, INFINITY);
	return w && w->ended ? w->v[w->n - 1].t : INFINITY;
}

/* Its CPU seconds at an instant, between two readings in proportion. */
static double
cpu_at(const struct watched_thread *w, double t)
{
	size_t low = 0, high = w->n;
	while (high - low > 1) {
		size_t middle = (low + high) / 2;
		if (w->v[middle].t <= t)
			low = middle;
		else
			high = middle;
	}
	const struct cpu_point *a = &w->v[low], *b = &w->v[low + 1 < w->n ? low + 1 : low];
	double part = b->t > a->t ? (t - a->t) / (b->t - a->t) : 0;
	return a->cpu_s + fmin(fmax(part, 0), 1) * (b->cpu_s - a->cpu_s);
}

/* A short span is judged by the readings around it. */
double
thread_watch_share(pid_t pid, pid_t tid, double from, double to)
{
	const struct watched_thread *w = thread_at(pid, tid, from);
	double middle = (from + to) / 2, half = fmax(to - from, 1e-3 * INTERVAL_MS) / 2;
	if (!w || w->n < 2)
		return NAN;
	from = fmax(middle - half, w->v[0].t);
	to = fmin(middle + half, w->v[w->n - 1].t);
	return to > from ? (cpu_at(w, to) - cpu_at(w, from)) / (to - from) : (double)NAN;
}
