/* stack_profile.c: the stacks of the kernel's processes during a cell, from outside (py-spy).
 * py-spy reads the memory of the kernel and of its child processes, so it also sees native code,
 * threads, and a kernel that does not answer.  It runs during the cell alone. */
#include "drive/stack_profile.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/file.h"
#include "drive/profile_output.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define RATE "200"	/* samples a second */
#define RATE_HZ 200.0
#define READY "Sampling process"	/* what it says when it has found its way */

enum { READY_MS = 20000, END_MS = 20000, END_STEP_MS = 10, STACKS_LIMIT_BYTES = 256 << 20,
	MAX_SAID = 4000 };

static struct {
	pid_t pid;
	int said;	/* its stderr */
	int stacks;	/* a file without a name, which it writes; 0: none yet */
} spy;

static void
exec_spy(const char *overlay, pid_t kernel, int said)
{
	char *own = xasprintf("%s/bin/py-spy", overlay ? overlay : "");
	char pid[24], output[32];
	const char *program = overlay && access(own, X_OK) == 0 ? own : "py-spy";
	snprintf(pid, sizeof pid, "%ld", (long)kernel);
	snprintf(output, sizeof output, "/proc/self/fd/%d", spy.stacks);
	/* However this run ends, it does not outlive it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dup2(said, STDERR_FILENO) < 0 || dup2(said, STDOUT_FILENO) < 0 ||
	    fcntl(spy.stacks, F_SETFD, 0) != 0)
		_exit(127);
	execlp(program, program, "record", "--pid", pid, "--rate", RATE, "--format", "raw",
	    "--threads", "--subprocesses", "--native", "--full-filenames", "--output", output,
	    (char *)NULL);
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
	if (!spy.stacks)
		spy.stacks = memfd_create("nbscope-stacks", MFD_CLOEXEC);
	if (spy.stacks < 0 || ftruncate(spy.stacks, 0) != 0 || pipe2(said, O_CLOEXEC) != 0)
		return xasprintf("py-spy: %s", strerror(errno));
	spy.pid = fork();
	if (spy.pid == 0)
		exec_spy(overlay, kernel, said[1]);
	close(said[1]);
	spy.said = said[0];
	char *why = spy.pid < 0 ? xstrdup("cannot start py-spy") : wait_until_ready();
	if (why && spy.pid > 0)
		end_spy(SIGKILL);
	return why;
}

/* ---- records ------------------------------------------------------------------------------ */

/* A cell's code has the name of a file in a temporary folder. */
static json_t *
frame_json(const char *text, size_t n)
{
	static const char folder[] = "/ipykernel_";
	char *frame = xasprintf("%.*s", (int)n, text);
	char *at = strstr(frame, folder), *open = at ? strrchr(frame, '(') : NULL;
	const char *line = at ? strrchr(at, ':') : NULL;
	json_t *value = open && line && open < at ? json_sprintf("%.*s(<cell ?>%s",
	    (int)(open - frame), frame, line) : json_string(frame);
	free(frame);
	return value ? value : json_string("?");
}

/* A frame `process PID:"COMMAND"`, whose command may contain anything: the text behind it. */
static const char *
after_process(const char *text, size_t *depth)
{
	const char *end = strncmp(text, "process ", 8) == 0 ? strstr(text, "\";") : NULL;
	*depth += end != NULL;
	return end ? end + 2 : text;
}

/* frames: what follows the process. */
static void
write_stack(const struct notebook_cell *c, const char *frames, size_t n, bool child, long samples)
{
	char *line = xasprintf("%.*s", (int)n, frames), *thread = NULL;
	json_t *stack = json_array();
	for (const char *p = line; *p; p += strcspn(p, ";"), p += *p == ';') {
		size_t length = strcspn(p, ";");
		const char *name = strncmp(p, "thread (", 8) == 0 ? strstr(p, "): ") : NULL;
		if (!thread && name && name < p + length)
			thread = xasprintf("%.*s", (int)(p + length - name - 3), name + 3);
		else if (length)
			json_array_append_new(stack, frame_json(p, length));
	}
	profile_output_stack(c, child ? "child" : "kernel", thread ? thread : "MainThread", stack,
	    (size_t)samples, (double)samples / RATE_HZ);
	free(thread);
	free(line);
}

/* Each stack begins with its processes, the kernel first, and ends with a blank, its samples and a
 * newline. */
static void
write_stacks(const struct notebook_cell *c, const char *text)
{
	for (const char *p = text, *end; *p; p = end + (*end == '\n')) {
		size_t processes = 0;
		for (const char *before = NULL; before != p; ) {
			before = p;
			p = after_process(p, &processes);
		}
		end = p + strcspn(p, "\n");
		const char *count = end;
		while (count > p && isdigit((unsigned char)count[-1]))
			count--;
		if (count == end || count == p)
			continue;
		long samples = strtol(count, NULL, 10);
		write_stack(c, p, (size_t)(count - 1 - p), processes > 1, samples);
	}
}

void
stack_profile_write(const struct notebook_cell *c, double t)
{
	size_t n;
	char path[32];
	double wall_s = clock_unix_s() - t;
	end_spy(SIGINT);
	snprintf(path, sizeof path, "/proc/self/fd/%d", spy.stacks);
	char *text = file_read(path, STACKS_LIMIT_BYTES, &n);
	profile_output_head(c, t, "stacks", "py-spy, " RATE " samples a second", wall_s,
	    text && n ? NULL : "py-spy saw nothing run");
	if (text)
		write_stacks(c, text);
	free(text);
}
