/* threads.c: the same work on several processors. */
#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

struct job {
	void (*work)(void *, size_t);
	void *arg;
	size_t n;
	atomic_size_t next;
};

/* Processors that this process may use, at most MAX_THREADS. */
static size_t
available_threads(void)
{
	cpu_set_t set;
	size_t n = sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
	return n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : n;
}

static void *
do_some(void *arg)
{
	struct job *j = arg;
	for (size_t i; (i = atomic_fetch_add(&j->next, 1)) < j->n; )
		j->work(j->arg, i);
	return NULL;
}

void
threads_run(size_t n, void (*work)(void *, size_t), void *arg)
{
	struct job j = {.work = work, .arg = arg, .n = n};
	pthread_t other[MAX_THREADS];
	size_t started = 0, want = n < available_threads() ? n : available_threads();
	while (started + 1 < want && pthread_create(&other[started], NULL, do_some, &j) == 0)
		started++;
	do_some(&j);
	while (started)
		pthread_join(other[--started], NULL);
}
