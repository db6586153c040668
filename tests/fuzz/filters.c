/* filters: a whole filter, as a user runs it, with the input as its stdin;
 * FUZZ_FILTER names it.  Each run is a process of its own, since a filter
 * begins once; it is forked from a small process, made before the fuzzer grows.
 * What it covered comes back through shared memory. */
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST_S = 20, MAX_ARGS = 13 };

/* FILTERS(X) is the makefile's: X(cellmetrics) X(runsum) ... */
#define DECLARE(name) int name##_main(int argc, char **argv);
FILTERS(DECLARE)

/* How it is run; the input's first byte chooses among the lines of one filter. */
struct way {
	const char *args[MAX_ARGS];	/* the first: its name */
};
static const struct way ways[] = {
	{{"cellgraph"}}, {{"cellgraph", "--each", "-o", "out/a.svg"}},
	{{"metrics2csv"}}, {{"metrics2csv", "--notebooks"}},
	{{"metricbudget", "-"}}, {{"metricbudget", "budgets.yaml"}}, {{"metricbudget", "-", "metrics.jsonl"}},
	{{"metriccmp"}}, {{"metriccmp", "--gate", "wall time,\"a,b\"", "--floor", "\"a,b=1\"", "--more", "client"}},
	{{"metrichist", "--metrics", "wall time,\"a,b\""}}, {{"metrichist"}},
	{{"metricscale"}}, {{"metricscale", "--metrics", "client,\"a,b\"", "--limits", "\"a,b=1\",client=1 s"}},
	{{"metricplot", "-f", "spec", "-t", "cell_metrics", "-k", "bars", "--of", "client_execution_time_metric"}},
	{{"metricplot", "-f", "spec", "-t", "cell_metrics", "-k", "bands", "--of", "client_execution_time_metric"}},
	{{"metricplot", "-f", "spec", "-t", "cell_metrics", "-k", "points", "--of", "client_execution_time_metric"}},
	{{"metricplot", "-f", "spec", "-t", "cell_metrics", "-k", "whiskers", "--of", "client_execution_time_metric"}},
	{{"metricplot", "-f", "spec", "-t", "cell_metrics", "-k", "box", "-b", "name,cell_index", "--of", "client_execution_time_metric"}},
	{{"metricplot", "-f", "spec", "-t", "cell_metrics", "-k", "largest", "-b", "name", "--of", "client_execution_time_metric"}},
	{{"metricplot", "-f", "spec", "-t", "cell_metrics", "-k", "ranked", "-b", "name", "--of", "client_execution_time_metric"}},
	{{"metricplot", "-f", "spec", "-t", "cell_metrics", "-k", "hulls", "-b", "cell_index", "--of", "kernel_peak_rss_bytes,client_execution_time_metric"}},
	{{"metricplot", "-f", "spec", "-t", "cell_metrics", "-k", "histogram", "--of", "client_execution_time_metric"}},
	{{"metricplot", "-f", "spec", "-t", "cell_metrics", "-k", "ridge", "--of", "client_execution_time_metric"}},
	{{"metricplot", "-f", "spec", "-t", "cell_metrics", "-k", "categories", "-b", "name", "--category", "client_execution_time_metric:a<=1s,b",
		"--of", "client_execution_time_metric"}},
	{{"metricplot", "-f", "spec", "-k", "waterfall"}},
	{{"metricplot", "-f", "spec", "-t", "cell_metrics", "-k", "sweep", "--against", "n", "--of", "client_execution_time_metric"}},
	{{"metricplot", "-f", "spec", "-t", "cell_metrics", "-k", "ab", "--of", "client_execution_time_metric"}},
	{{"metricplot", "-f", "spec", "-t", "cell_metrics", "-k", "heatmap", "--against", "n", "--of", "client_execution_time_metric"}},
	{{"metricplot", "-f", "spec", "-k", "bars", "-b", "a", "--of", "b"}},
	{{"metricplot", "-f", "spec", "-k", "ranked", "-b", "a", "--of", "b"}}, {{"metricplot", "-f", "spec", "-k", "box", "-b", "a", "--of", "b"}},
	{{"metricstat"}}, {{"metricstat", "-t", "cell_metrics", "-b", "name,cell_index", "--outliers", "mad"}},
	{{"metricstat", "--of", "b", "-b", "a", "--percentiles", "0,5,50,100"}},
	{{"nbexpand", "--usecase", "u", "-"}}, {{"nbexpand", "--usecase", "u", "--sample", "3", "-"}},
	{{"nbpatch", "template.ipynb"}}, {{"nbpatch", "-o", "out", "--prune", "template.ipynb"}},
	{{"procsample", "--no-machine", "--interval", "5"}},
	{{"runexport"}}, {{"runexport", "--cells"}}, {{"runexport", "--json"}},
	{{"runhistory"}}, {{"runhistory", "--json"}},
	{{"runkeep", "out/kept.jsonl"}},
	{{"runtruth"}}, {{"runtruth", "--table"}},
};

extern uint8_t __start___sancov_cntrs[], __stop___sancov_cntrs[];	/* clang's */
static uint8_t *covered;	/* shared with the run */
static size_t n_counters;
static int (*filter)(int, char **);
static int input = -1, asks[2], answers[2];
static struct way alone;	/* of a filter that no line above names */
static const struct way *first = &alone;
static size_t n_ways;

static void
leave(int status)
{
	fflush(stdout);
	memcpy(covered, __start___sancov_cntrs, n_counters);
	_exit(status);
}

_Noreturn static void
run_filter(const struct way *w)
{
	char *args[MAX_ARGS + 1] = {0}, path[64];
	int argc = 0;
	while (argc < MAX_ARGS && w->args[argc]) {
		args[argc] = strdup(w->args[argc]);
		argc++;
	}
	memset(__start___sancov_cntrs, 0, n_counters);
	/* Opened again: it has a position of its own in the file. */
	snprintf(path, sizeof path, "/proc/self/fd/%d", input);
	if (!freopen("/dev/null", "w", stdout) || dup2(open(path, O_RDONLY), 0) != 0)
		_exit(99);
	alarm(LONGEST_S);
	leave(filter(argc, args));
	abort();
}

/* Runs what is asked for, one after the other, until the fuzzer is gone. */
_Noreturn static void
serve(void)
{
	unsigned char way;
	int status;
	close(asks[1]);
	close(answers[0]);
	while (read(asks[0], &way, 1) == 1) {
		pid_t pid = fork();
		if (pid == 0)
			run_filter(first + way);
		if (pid < 0 || waitpid(pid, &status, 0) != pid || write(answers[1], &status, sizeof status) != sizeof status)
			break;
	}
	_exit(0);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	const char *name = getenv("FUZZ_FILTER"), *dir = getenv("FUZZ_DIR");
#define FIND(f) if (name && strcmp(name, #f) == 0) filter = f##_main;
	FILTERS(FIND)
	if (!filter || !dir || chdir(dir) != 0) {
		fprintf(stderr, "filters: FUZZ_FILTER names no filter, or FUZZ_DIR no folder\n");
		exit(2);
	}
	for (size_t i = 0; i < COUNT(ways); i++) {
		if (strcmp(ways[i].args[0], name) != 0)
			continue;
		first = n_ways ? first : &ways[i];
		n_ways++;
	}
	alone.args[0] = name;
	n_ways += !n_ways;
	fuzz_leave = leave;
	n_counters = (size_t)(__stop___sancov_cntrs - __start___sancov_cntrs);
	covered = mmap(NULL, n_counters, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	input = memfd_create("input", 0);
	if (covered == MAP_FAILED || input < 0 || pipe2(asks, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0)
		abort();
	pid_t pid = fork();
	if (pid == 0)
		serve();
	close(asks[0]);
	close(answers[1]);
	return 0;
}

/* The fuzzer's own clock interrupts a wait that is just going on. */
static bool
answered(int *status)
{
	ssize_t n;
	while ((n = read(answers[0], status, sizeof *status)) < 0 && errno == EINTR)
		continue;
	return n == sizeof *status;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (!n)
		return 0;
	unsigned char way = (unsigned char)(*data % n_ways);
	int status;
	memset(covered, 0, n_counters);
	if (ftruncate(input, 0) != 0 || pwrite(input, data + 1, n - 1, 0) != (ssize_t)(n - 1) ||
	    write(asks[1], &way, 1) != 1 || !answered(&status))
		abort();
	for (size_t i = 0; i < n_counters; i++)
		if (covered[i])
			__start___sancov_cntrs[i] = covered[i];
	if (!WIFEXITED(status))
		fuzz_finding("%s: ended by signal %d", first->args[0], WTERMSIG(status));
	/* A filter that requires operands which no line above gives says so. */
	bool usage = WEXITSTATUS(status) == ST_USAGE && first != &alone;
	if (WEXITSTATUS(status) > ST_UNKNOWN || usage || WEXITSTATUS(status) == ST_SYSTEM)
		fuzz_finding("%s: status %d", first->args[0], WEXITSTATUS(status));
	return 0;
}
