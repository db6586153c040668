/* thread_watch.c: when the threads of a process and of its descendants ended, and when they ran.
 * A thread of this program reads the scheduler's statistics of each at short intervals. */
#include "thread_watch.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/file.h"
#include "process/descendants.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

enum { INTERVAL_MS = 20, PROCESSES_EVERY = 10, MAX_PROCESSES = 256, MAX_STAT_BYTES = 4096 };

#define MIN_SHARE 0.02	/* of a processor, by a thread that runs */
#define READY_SHARE 0.5
#define WIDE_S 0.5

struct use_point {
	double t, cpu_s;
	double ready_s;	/* that it waited for a processor */
};
static struct watched_thread {
	pid_t pid, tid;
	bool ended;
	struct use_point *v;
	size_t n;
} *threads;
static size_t n_threads;
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

/* A row of points with the same values is held as its first and its last. */
static void
add_point(struct watched_thread *w, struct use_point p)
{
	const struct use_point *before = w->n >= 2 ? &w->v[w->n - 2] : NULL;
	if (before && !(p.cpu_s > before->cpu_s) && !(p.ready_s > before->ready_s)) {
		w->v[w->n - 1] = p;
		return;
	}
	*XAPPEND(w->v, w->n) = p;
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
		w = XAPPEND(threads, n_threads);
		*w = (struct watched_thread){.pid = pid, .tid = tid};
	}
	char *after;
	double cpu_s = (double)strtoull(text, &after, 10) / 1e9;
	add_point(w, (struct use_point){t, cpu_s, (double)strtoull(after, NULL, 10) / 1e9});
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

/* What it had used at an instant, between two readings in proportion. */
static struct use_point
use_at(const struct watched_thread *w, double t)
{
	size_t low = 0, high = w->n;
	while (high - low > 1) {
		size_t middle = (low + high) / 2;
		if (w->v[middle].t <= t)
			low = middle;
		else
			high = middle;
	}
	const struct use_point *a = &w->v[low], *b = &w->v[low + 1 < w->n ? low + 1 : low];
	double part = b->t > a->t ? fmin(fmax((t - a->t) / (b->t - a->t), 0), 1) : 0;
	return (struct use_point){t, a->cpu_s + part * (b->cpu_s - a->cpu_s),
		a->ready_s + part * (b->ready_s - a->ready_s)};
}

/* The shares of the time between two instants, or of a longer time around it. */
static struct use_point
shares_around(const struct watched_thread *w, double from, double to, double least_s)
{
	double middle = (from + to) / 2, half = fmax(to - from, least_s) / 2;
	from = fmax(middle - half, w->v[0].t);
	to = fmin(middle + half, w->v[w->n - 1].t);
	struct use_point a = use_at(w, from), b = use_at(w, to);
	double s = fmax(to - from, 1e-9);
	return (struct use_point){to - from, (b.cpu_s - a.cpu_s) / s, (b.ready_s - a.ready_s) / s};
}

/* On a busy machine, a thread that has work may get no processor for many readings; and one that
 * has none waits for a processor after each time that it was stopped to be sampled. */
bool
thread_watch_ran(pid_t pid, pid_t tid, double from, double to)
{
	const struct watched_thread *w = thread_at(pid, tid, from);
	if (!w || w->n < 2)
		return true;
	struct use_point near = shares_around(w, from, to, 1e-3 * INTERVAL_MS);
	struct use_point wide = shares_around(w, from, to, WIDE_S);
	return !(near.t > 0) || near.cpu_s >= MIN_SHARE ||
	    (near.ready_s >= READY_SHARE && wide.cpu_s >= MIN_SHARE);
}
