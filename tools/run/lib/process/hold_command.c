/* hold_command.c: a holder's COMMAND: run, waited for, and ended with its orphans. */
#include "process/hold_command.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/file.h"
#include "base/signals.h"
#include "process/hold.h"
#include "process/reaper.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_SIGNALLED = 256, ORPHANS_GRACE_MS = 3000, TERM_S = 3, KILL_S = 5 };

static sigset_t stop_signals;	/* those passed on to the command */
static pid_t exempt;

/* ---- orphans ---------------------------------------------------------------------------- */

/* What the command left behind, and its descendants; not what is held. */
static struct descendants
find_orphans(void)
{
	struct descendants d, groups[MAX_HELD];
	size_t n_groups = hold_descendants(groups), n = 0;
	descendants_of(&d, getpid());
	for (size_t i = 0; i < d.n; i++) {
		pid_t pid = d.all[i].pid;
		bool ours = pid == hold_reaper() || pid == exempt;
		for (size_t j = 0; j < n_groups && !ours; j++)
			ours = descendants_find(&groups[j], pid);
		if (!ours)
			d.all[n++] = d.all[i];
	}
	d.n = n;
	while (n_groups)
		descendants_free(&groups[--n_groups]);
	return d;
}

/* An orphan's reaper still works, and ends by itself. */
static void
drop_reapers(struct descendants *d)
{
	size_t n = 0;
	for (size_t i = 0; i < d->n; i++)
		if (strcmp(d->all[i].name, REAPER_NAME) != 0)
			d->all[n++] = d->all[i];
	d->n = n;
}

/* A command that was killed could not end what it had started. Orphans get SIGTERM from the
 * top down, so that each can end its own children. */
static void
end_orphans(bool (*on_event)(int))
{
	uint64_t end_ns = clock_monotonic_ns() + ORPHANS_GRACE_MS * UINT64_C(1000000);
	struct signalled { pid_t pid; unsigned long long start; } signalled[MAX_SIGNALLED];
	struct descendants d;
	size_t n = 0;
	for (d = find_orphans(); d.n && clock_monotonic_ns() < end_ns; d = find_orphans()) {
		for (size_t i = 0; i < d.n; i++) {
			const struct process_entry *o = &d.all[i];
			bool skip = o->parent != getpid() || n == MAX_SIGNALLED;
			for (size_t j = 0; j < n && !skip; j++)
				skip = signalled[j].pid == o->pid && signalled[j].start == o->start;
			if (skip)
				continue;
			signalled[n++] = (struct signalled){o->pid, o->start};
			kill(o->pid, SIGTERM);
			kill(o->pid, SIGCONT);
		}
		descendants_free(&d);
		if (on_event)
			on_event(SIGTERM);
		on_event = NULL;
		clock_pause_ms(10);
		while (waitpid(0, NULL, WNOHANG) > 0)
			continue;
	}
	drop_reapers(&d);
	descendants_kill(&d);
	descendants_free(&d);
}

void
hold_exempt(pid_t pid)
{
	exempt = pid;
}

/* ---- the command ------------------------------------------------------------------------ */

static bool
is_blocked(const char *status, int sig)
{
	const char *line = strstr(status, "\nSigBlk:");
	unsigned long long mask = line ? strtoull(line + strlen("\nSigBlk:"), NULL, 16) : 0;
	return mask >> (sig - 1) & 1;
}

/* A make that alone got SIGINT or SIGHUP, without its terminal's group, waits for its recipes
 * without passing the signal on. It has the signal blocked within its handler, and hardly
 * ever otherwise. */
static bool
is_stopping_make(pid_t pid)
{
	char path[64];
	size_t n;
	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	char *status = file_read(path, 1 << 16, &n);
	bool is = status && (strncmp(status, "Name:\tmake\n", 11) == 0 ||
	    strncmp(status, "Name:\tgmake\n", 12) == 0) &&
	    (is_blocked(status, SIGINT) || is_blocked(status, SIGHUP));
	free(status);
	return is;
}

static int
wait_command(pid_t pid, const sigset_t *set, bool *stopped, bool (*on_event)(int))
{
	int status, seen = 0;
	bool under_make = getenv("NBSCOPE_RUNS") != NULL;
	uint64_t stop_ns = 0;
	*stopped = false;
	for (;;) {
		pid_t got = waitpid(pid, &status, WNOHANG);
		if (got == pid || (got < 0 && errno != EINTR))
			return got == pid ? status : -1;
		long ms = *stopped ? 100 : under_make ? 500 : 3600000;
		struct timespec tick = {ms / 1000, ms % 1000 * 1000000};
		int sig = sigtimedwait(set, NULL, &tick);
		bool stopping = under_make && !*stopped &&
		    (is_stopping_make(pid) || is_stopping_make(getppid()));
		seen = stopping ? seen + 1 : 0;
		if (seen == 2)
			sig = SIGTERM;
		if (on_event && !*stopped && (sig == SIGCHLD || sig == SIGUSR1) && on_event(sig))
			sig = SIGTERM;
		if (sig > 0 && sigismember(&stop_signals, sig)) {
			kill(pid, sig);
			if (!*stopped)
				stop_ns = clock_monotonic_ns();
			*stopped = true;
		}
		uint64_t s = *stopped ? (clock_monotonic_ns() - stop_ns) / 1000000000u : 0;
		/* An interrupt may have been for the command's children alone. */
		if (s >= TERM_S)
			kill(pid, s >= KILL_S ? SIGKILL : SIGTERM);
	}
}

bool
hold_stop_requested(void)
{
	sigset_t pending, stopping;
	sigpending(&pending);
	return sigandset(&stopping, &pending, &stop_signals) == 0 && !sigisemptyset(&stopping);
}

_Noreturn static void
command_main(char *const argv[], pid_t holder)
{
	/* If the holder is killed, its command gets SIGTERM. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != holder)
		_exit(ST_SYSTEM);
	hold_reset_signals();
	execvp(argv[0], argv);
	warn("cannot run '%s':", argv[0]);
	_exit(errno == ENOENT ? 127 : 126);
}

int
hold_command(char *const argv[], bool (*on_event)(int))
{
	static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP};
	/* An ignored signal would be delivered if it were blocked. */
	for (size_t i = 0; i < COUNT(passed_on); i++)
		if (!signals_ignored(passed_on[i]))
			sigaddset(&stop_signals, passed_on[i]);
	sigset_t set = stop_signals, before;
	sigaddset(&set, SIGCHLD);
	if (on_event)
		sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, &before);
	hold_adopt_orphans();
	fflush(NULL);
	pid_t holder = getpid(), pid = fork();
	if (pid < 0)
		die(ST_SYSTEM, "cannot fork:");
	if (pid == 0)
		command_main(argv, holder);
	bool stopped;
	int status = wait_command(pid, &set, &stopped, on_event);
	if (stopped || (status != -1 && WIFSIGNALED(status)))
		end_orphans(on_event);
	/* A late SIGUSR1 must not end this process. */
	if (on_event)
		signal(SIGUSR1, SIG_IGN);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (status == -1)
		die(ST_SYSTEM, "cannot wait for '%s':", argv[0]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
