/* treepeak WHO MB: a process tree in which WHO (root, child, four) maps, touches and frees MB
 * within milliseconds, and the peak that peak_rss.c reports for it.
 * Prints the milliseconds that it took, the true bytes, the reported bytes and the method. */
#include "base/clock.h"
#include "base/die.h"
#include "base/opt.h"
#include "record/peak_rss.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FOUR = 4, TRIES = 20, QUICK_MS = 20 };

static int go[2], done[2];

struct part {
	char *p;
	size_t n;
};

static void *
touch(void *arg)
{
	struct part *part = arg;
	for (size_t i = 0; i < part->n; i += 4096)
		part->p[i] = 1;
	return NULL;
}

/* Two threads, because the kernel clears no more than 10 GB/s on one core. */
static double
spike(size_t bytes)
{
	uint64_t begin = clock_monotonic_ns();
	pthread_t other;
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		die(ST_SYSTEM, "cannot map:");
	madvise(p, bytes, MADV_HUGEPAGE);
	struct part low = {p, bytes / 2}, high = {p + bytes / 2, bytes - bytes / 2};
	if (pthread_create(&other, NULL, touch, &high) != 0)
		die(ST_SYSTEM, "cannot start a thread");
	touch(&low);
	pthread_join(other, NULL);
	munmap(p, bytes);
	return (double)(clock_monotonic_ns() - begin) / 1e6;
}

/* One spike for each byte from the pipe, until its end. */
_Noreturn static void
worker(size_t bytes)
{
	char byte;
	close(go[1]);
	while (read(go[0], &byte, 1) == 1) {
		double ms = spike(bytes);
		if (write(done[1], &ms, sizeof ms) != (ssize_t)sizeof ms)
			break;
	}
	_exit(0);
}

static double
request_spike(void)
{
	double ms;
	if (write(go[1], "", 1) != 1 || read(done[0], &ms, sizeof ms) != (ssize_t)sizeof ms)
		die(ST_SYSTEM, "the worker is gone:");
	return ms;
}

int
main(int argc, char **argv)
{
	if (argc != 3)
		die(ST_USAGE, "treepeak root|child|four MB");
	size_t bytes = (size_t)xopt_int(argv[2], 1, 10000, "MB") * 1000000;
	if (pipe(go) != 0 || pipe(done) != 0)
		die(ST_SYSTEM, "cannot make a pipe:");
	pid_t root = fork();
	if (root == 0) {
		int children = strcmp(argv[1], "four") == 0 ? FOUR : strcmp(argv[1], "child") == 0;
		for (int i = 0; i < children; i++)
			if (fork() == 0)
				worker(bytes);
		if (!children)
			worker(bytes);
		close(go[0]);
		close(go[1]);
		while (wait(NULL) > 0)
			continue;
		_exit(0);
	}
	close(go[0]);
	char error[256];
	struct process_usage before;
	uint64_t peak;
	const char *method;
	double ms = 1e9;
	request_spike();	/* the first one is slower; after it every worker is running */
	struct process_tree *t = process_tree_open(root, error);
	if (!t)
		die(ST_SYSTEM, "%s", error);
	for (int i = 0; i < TRIES && ms > QUICK_MS; i++) {
		if (peak_rss_reset(t) != 0)
			die(ST_SYSTEM, "cannot reset the mark:");
		process_tree_read(t, PT_WHOLE, &before);
		ms = request_spike();
		if (strcmp(argv[1], "four") == 0)
			for (int k = 1; k < FOUR; k++)
				request_spike();
		if (peak_rss_read(t, &peak, &method) != 0)
			die(ST_SYSTEM, "no peak: %s", method);
	}
	printf("%.1f %" PRIu64 " %" PRIu64 " %s\n", ms, before.rss_bytes + bytes, peak, method);
	process_tree_close(t);
	close(go[1]);
	waitpid(root, NULL, 0);
	return 0;
}
