/* command.c: a holder's command, waited for, told to end, and what it left behind. */
#include "nbscope.h"
#include "hold.h"
#include "watchdog.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_TOLD = 256, ORPHANS_GRACE_MS = 3000, URGE_S = 3, COMMAND_GRACE_S = 5 };

static pid_t spared;

/* ---- what it left behind ----------------------------------------------------- */

static bool
is_mine(const struct kin *all, pid_t pid)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->all[i].pid == pid)
			return true;
	return false;
}

/* Those that the command left to us, and theirs; not what is held. */
static void
find_orphans(struct kin *k)
{
	struct kin mine[MOST_HELD];
	size_t n = hold_kin(mine), kept = 0;
	kin_below(k, getpid());
	for (size_t i = 0; i < k->n; i++) {
		bool ours = k->all[i].pid == hold_janitor() || k->all[i].pid == spared;
		for (size_t j = 0; j < n && !ours; j++)
			ours = is_mine(&mine[j], k->all[i].pid);
		if (!ours)
			k->all[kept++] = k->all[i];
	}
	k->n = kept;
	while (n)
		kin_free(&mine[--n]);
}

/* A janitor of theirs is still at work, and ends by itself. */
static void
drop_janitors(struct kin *k)
{
	size_t kept = 0;
	for (size_t i = 0; i < k->n; i++)
		if (strcmp(k->all[i].name, WATCHDOG_NAME) != 0)
			k->all[kept++] = k->all[i];
	k->n = kept;
}

/* A command that was killed could not end what it had started: its orphans are
 * told to, from the top, so that each can end its own. */
static void
end_orphans(bool (*tend)(int))
{
	uint64_t end = now_ns() + (uint64_t)ORPHANS_GRACE_MS * 1000000u;
	struct kin k;
	struct told { pid_t pid; unsigned long long start; } told[MOST_TOLD];
	size_t n_told = 0;
	for (find_orphans(&k); k.n && now_ns() < end; find_orphans(&k)) {
		for (size_t i = 0; i < k.n; i++) {
			struct one *o = &k.all[i];
			bool known = o->parent != getpid();
			for (size_t j = 0; j < n_told && !known; j++)
				known = told[j].pid == o->pid && told[j].start == o->start;
			if (known || n_told == MOST_TOLD)
				continue;
			told[n_told++] = (struct told){o->pid, o->start};
			kill(o->pid, SIGTERM);
			kill(o->pid, SIGCONT);
		}
		kin_free(&k);
		if (tend)
			tend(SIGTERM);
		tend = NULL;
		pause_ms(10);
		while (waitpid(0, NULL, WNOHANG) > 0)
			continue;
	}
	drop_janitors(&k);
	kin_kill(&k);
	kin_free(&k);
}

void
hold_spare(pid_t pid)
{
	spared = pid;
}

/* ---- the command --------------------------------------------------------------- */

static bool
is_blocked(const char *status, int sig)
{
	const char *at = strstr(status, "\nSigBlk:");
	unsigned long long mask = at ? strtoull(at + strlen("\nSigBlk:"), NULL, 16) : 0;
	return mask >> (sig - 1) & 1;
}

/* A make that got SIGINT or SIGHUP alone, not with its terminal's group, waits
 * for its recipes without a word to them.  Within its handler, and hardly ever
 * else, it has the signal blocked. */
static bool
make_waits(pid_t pid)
{
	char path[64];
	size_t n;
	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	char *status = read_file(path, 1 << 16, &n);
	bool waits = status && (strncmp(status, "Name:\tmake\n", 11) == 0 || strncmp(status, "Name:\tgmake\n", 12) == 0) &&
	    (is_blocked(status, SIGINT) || is_blocked(status, SIGHUP));
	free(status);
	return waits;
}

static int
wait_command(pid_t pid, const sigset_t *set, bool *stopped, bool (*tend)(int))
{
	int status, looks = 0;
	bool under_make = getenv("NBSCOPE_RUNS") != NULL;
	uint64_t told_ns = 0;
	*stopped = false;
	for (;;) {
		pid_t got = waitpid(pid, &status, WNOHANG);
		if (got == pid || (got < 0 && errno != EINTR))
			return got == pid ? status : -1;
		struct timespec tick = {told_ns || under_make ? 0 : 3600, told_ns ? 100000000 : under_make ? 500000000 : 0};
		int sig = sigtimedwait(set, NULL, &tick);
		looks = under_make && !told_ns && (make_waits(pid) || make_waits(getppid())) ? looks + 1 : 0;
		if (looks == 2)
			sig = SIGTERM;
		if (tend && !told_ns && (sig == SIGCHLD || sig == SIGUSR1) && tend(sig))
			sig = SIGTERM;
		if (sig == SIGINT || sig == SIGTERM || sig == SIGHUP) {
			kill(pid, sig);
			*stopped = true;
			if (!told_ns)
				told_ns = now_ns();
		}
		uint64_t s = told_ns ? (now_ns() - told_ns) / 1000000000u : 0;
		if (s >= COMMAND_GRACE_S)
			kill(pid, SIGKILL);
		else if (s >= URGE_S)
			kill(pid, SIGTERM);	/* an interrupt may be the business of its children alone */
	}
}

bool
hold_told(void)
{
	sigset_t waiting;
	return sigpending(&waiting) == 0 && (sigismember(&waiting, SIGINT) || sigismember(&waiting, SIGTERM) || sigismember(&waiting, SIGHUP));
}

int
hold_command(char *const argv[])
{
	return hold_command_tended(argv, NULL);
}

int
hold_command_tended(char *const argv[], bool (*tend)(int))
{
	static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP};
	sigset_t set, before;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	/* A blocked one would come though it is ignored. */
	for (size_t i = 0; i < COUNT(passed_on); i++)
		if (!signal_ignored(passed_on[i]))
			sigaddset(&set, passed_on[i]);
	if (tend)
		sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, &before);
	hold_with_parent();
	fflush(NULL);
	pid_t parent = getpid(), pid = fork();
	if (pid < 0)
		die(ST_SYSTEM, "cannot fork:");
	if (pid == 0) {
		/* If the holder is killed, its command is told to end. */
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(ST_SYSTEM);
		hold_child_signals();
		execvp(argv[0], argv);
		warn("cannot run '%s':", argv[0]);
		_exit(errno == ENOENT ? 127 : 126);
	}
	bool stopped;
	int status = wait_command(pid, &set, &stopped, tend);
	if (stopped || (status != -1 && WIFSIGNALED(status)))
		end_orphans(tend);
	/* One that came too late to be tended, or comes now, shall not end us. */
	if (tend)
		signal(SIGUSR1, SIG_IGN);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (status == -1)
		die(ST_SYSTEM, "cannot wait for '%s':", argv[0]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

