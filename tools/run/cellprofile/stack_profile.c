/* stack_profile.c: the stacks of the kernel's processes during a cell, from outside (py-spy).
 * py-spy reads the memory of the kernel and of its child processes, so it also sees native code,
 * threads, and a kernel that does not answer.  It runs during the cell alone. */
#include "stack_profile.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/file.h"
#include "base/kernel_call.h"
#include "profile_output.h"
#include "stack_trace.h"
#include "thread_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define RATE "200"	/* samples a second */
#define RATE_HZ 200.0
#define READY "Sampling process"	/* what it says when it has found its way */

enum { READY_MS = 20000, END_MS = 20000, END_STEP_MS = 10, TRACE_LIMIT_BYTES = 256 << 20,
	MAX_SAID = 4000 };

static struct {
	pid_t pid;
	int said;	/* its stderr */
	int trace;	/* a file without a name, which it writes; 0: none yet */
	double begun_t, ready_t;
} spy;

static void
exec_spy(const char *overlay, pid_t kernel, int said)
{
	char *own = xasprintf("%s/bin/py-spy", overlay ? overlay : "");
	char pid[24], output[32];
	const char *program = overlay && access(own, X_OK) == 0 ? own : "py-spy";
	snprintf(pid, sizeof pid, "%ld", (long)kernel);
	snprintf(output, sizeof output, "/proc/self/fd/%d", spy.trace);
	/* However this run ends, it does not outlive it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGINT, SIG_DFL);	/* ends it */
	if (dup2(said, STDERR_FILENO) < 0 || dup2(said, STDOUT_FILENO) < 0 ||
	    fcntl(spy.trace, F_SETFD, 0) != 0)
		_exit(127);
	execlp(program, program, "record", "--pid", pid, "--rate", RATE, "--idle",
	    "--format", "chrometrace", "--threads", "--subprocesses", "--native",
	    "--full-filenames", "--output", output, (char *)NULL);
	dprintf(STDERR_FILENO, "py-spy: %s\n", strerror(errno));
	_exit(127);
}

/* Its last line that says something; the caller's. */
static char *
last_words(const char *text)
{
	const char *line = text, *last = text;
	for (; *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (line[strspn(line, " \t")] != '\n')
			last = line;
	return xasprintf("py-spy: %.*s", (int)strcspn(last, "\n"), last);
}

static char *
wait_until_ready(void)
{
	char text[MAX_SAID + 1] = "";
	size_t n = 0;
	uint64_t end_ns = clock_monotonic_ns() + READY_MS * UINT64_C(1000000);
	while (n < MAX_SAID && clock_monotonic_ns() < end_ns) {
		struct pollfd p = {.fd = spy.said, .events = POLLIN};
		if (poll(&p, 1, END_STEP_MS) <= 0)
			continue;
		ssize_t got = read(spy.said, text + n, MAX_SAID - n);
		if (got <= 0)
			return last_words(text);
		n += (size_t)got;
		text[n] = '\0';
		if (strstr(text, READY))
			return NULL;
	}
	return xstrdup("py-spy did not begin to sample in time");
}

static void
end_spy(int sig)
{
	uint64_t end_ns = clock_monotonic_ns() + END_MS * UINT64_C(1000000);
	kill(spy.pid, sig);
	while (waitpid(spy.pid, NULL, WNOHANG) == 0) {
		if (clock_monotonic_ns() > end_ns)
			kill(spy.pid, SIGKILL);
		clock_pause_ms(END_STEP_MS);
	}
	close(spy.said);
	spy.pid = 0;
}

char *
stack_profile_start(const char *overlay, pid_t kernel)
{
	int said[2];
	if (!kernel)
		return xstrdup("the kernel's process is not on this machine");
	if (!spy.trace)
		spy.trace = kernel_call_memory_file("nbscope-stacks", true);
	if (spy.trace < 0 || ftruncate(spy.trace, 0) != 0 || pipe2(said, O_CLOEXEC) != 0)
		return xasprintf("py-spy: %s", strerror(errno));
	spy.begun_t = clock_unix_s();
	spy.pid = fork();
	if (spy.pid == 0)
		exec_spy(overlay, kernel, said[1]);
	close(said[1]);
	spy.said = said[0];
	char *why = spy.pid < 0 ? xstrdup("cannot start py-spy") : wait_until_ready();
	if (why && spy.pid > 0)
		end_spy(SIGKILL);
	else if (!why)
		thread_watch_start(kernel);
	spy.ready_t = clock_unix_s();
	return why;
}

/* The trace's zero is soon after py-spy began, and its end soon after it heard of the end. */
void
stack_profile_write(const struct notebook_cell *c, double t)
{
	size_t n, found = 0;
	char path[32];
	double end_t = clock_unix_s();
	end_spy(SIGINT);
	thread_watch_stop();
	snprintf(path, sizeof path, "/proc/self/fd/%d", spy.trace);
	char *text = file_read(path, TRACE_LIMIT_BYTES, &n);
	bool any = text && stack_trace_end_us(text, n) > 0;
	profile_output_head(c, t, "stacks", "py-spy, " RATE " samples a second", end_t - t,
	    any ? NULL : "py-spy saw nothing run");
	if (any) {
		double zero_t = end_t - stack_trace_end_us(text, n) / 1e6;
		zero_t = fmin(fmax(spy.begun_t, zero_t), spy.ready_t);
		found = stack_trace_write(c, text, n, zero_t, t, RATE_HZ);
	}
	if (any && !found)
		warn("cell %zu: py-spy's trace has no stack", c->index);
	free(text);
}
