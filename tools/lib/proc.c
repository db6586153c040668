/* proc.c: what a holder opens is closed whatever happens.
 *
 * Each held process leads a process group of its own and has a random mark in
 * its environment, which all that it starts inherits.  A janitor (watchdog.h) is
 * told of every group and folder; when the holder ended or was killed it ends
 * what is still on its list.  The normal way is the holder's own hold_release.
 */
#include "nbscope.h"
#include "kin.h"
#include "watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_HELD = 32, MOST_TOLD = 256, GRACE_MS = 2000, ORPHANS_GRACE_MS = 3000, URGE_S = 3, COMMAND_GRACE_S = 5, PATH_BYTES = 512,
	MARK_DIGITS = 32 };

struct held {
	pid_t group;	/* 0: a folder */
	char mark[MARK_DIGITS + 1];
	char dir[PATH_BYTES];
};
static struct held held[MOST_HELD];
static size_t n_held;
static int janitor_fd = -1;
static pid_t janitor;
static pid_t spared;

static bool
group_empty(pid_t group)
{
	return kill(-group, 0) != 0 && errno == ESRCH;
}

/* Waits with growing steps until the group is empty; false when it is not. */
static bool
wait_group(pid_t group, int ms)
{
	uint64_t end = now_ns() + (uint64_t)ms * 1000000u;
	for (long step = 1; ; step = step < 20 ? step * 2 : 20) {
		while (waitpid(-group, NULL, WNOHANG) > 0)
			continue;
		if (group_empty(group))
			return true;
		if (now_ns() >= end)
			return false;
		pause_ms(step);
	}
}

static void
end_group(pid_t group, int grace_ms)
{
	kill(-group, SIGTERM);
	kill(-group, SIGCONT);
	if (grace_ms > 0 && wait_group(group, grace_ms))
		return;
	kill(-group, SIGKILL);
	wait_group(group, GRACE_MS);
}

/* The group, and what it started that left the group. */
static void
end_held(const struct held *h, int grace_ms)
{
	struct kin k;
	/* Looked for before the first of them dies: a family tree is lost then. */
	kin_find(&k, h->group, h->mark);
	end_group(h->group, grace_ms);
	for (int try = 0; try < 50 && k.n; try++) {
		kin_kill(&k);
		pause_ms(try < 10 ? try : 10);
		kin_free(&k);
		kin_find(&k, h->group, h->mark);
	}
	kin_free(&k);
}

/* A browser that is being killed may still write into its profile. */
static void
remove_held_tree(const char *dir)
{
	for (int try = 0; try < 20 && remove_tree(dir) != 0; try++)
		pause_ms(50);
}

static void
let_go(struct held *h, int grace_ms)
{
	if (h->group)
		end_held(h, grace_ms);
	else
		remove_held_tree(h->dir);
}

static void
janitor_main(int fd, void *unused)
{
	(void)unused;
	for (;;) {
		struct held h;
		ssize_t n = read(fd, &h, sizeof h);
		if (n < 0 && errno == EINTR)
			continue;
		if (n != (ssize_t)sizeof h)
			break;
		/* A negative group or a leading '-' takes it off the list. */
		if (h.group < 0 || h.dir[0] == '-') {
			for (size_t i = 0; i < n_held; i++)
				if (h.group < 0 ? held[i].group == -h.group : strcmp(held[i].dir, h.dir + 1) == 0)
					held[i] = held[--n_held];
			continue;
		}
		if (n_held < MOST_HELD)
			held[n_held++] = h;
	}
	while (n_held) {
		n_held--;
		let_go(&held[n_held], 0);
	}
}

static void
tell_janitor(const struct held *h)
{
	/* Smaller than PIPE_BUF: whole or not at all. */
	if (janitor_fd >= 0 && write(janitor_fd, h, sizeof *h) < 0)
		logline(LV_WARNING, "the janitor is gone:");
}

/* Under make, a recipe's shell may be killed and leave us behind. */
static void
end_with_parent(void)
{
	if (getenv("NBSCOPE_RUNS"))
		prctl(PR_SET_PDEATHSIG, SIGTERM);
	/* Orphans come to us, so that waitpid sees them end. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static void
start_janitor(void)
{
	if (janitor_fd >= 0)
		return;
	end_with_parent();
	janitor_fd = watchdog(janitor_main, NULL, &janitor);
	if (janitor_fd < 0)
		die(ST_SYSTEM, "cannot start the janitor:");
	atexit(hold_release);
}

static void
keep(struct held h)
{
	if (n_held == MOST_HELD)
		die(ST_SYSTEM, "too many things held");
	held[n_held++] = h;
	tell_janitor(&h);
}

char *
xhold_tempdir(const char *prefix)
{
	const char *set = getenv("TMPDIR"), *base = set && *set == '/' ? set : "/tmp";
	struct stat st;
	/* There another user could put a folder of his in the place of ours. */
	if (stat(base, &st) == 0 && (st.st_mode & S_IWOTH) && !(st.st_mode & S_ISVTX))
		die(ST_SYSTEM, "'%s' is no place for temporary folders: all users can rename what is in it (chmod +t)", base);
	return xhold_tempdir_in(base, prefix);
}

char *
xhold_tempdir_in(const char *base, const char *prefix)
{
	start_janitor();
	struct held h = {0};
	int n = snprintf(h.dir, sizeof h.dir, "%s/%s.XXXXXX", base, prefix);
	if (n < 0 || (size_t)n >= sizeof h.dir - 1)
		die(ST_SYSTEM, "the folder's name is too long: '%s'", base);
	if (!mkdtemp(h.dir))
		die(ST_SYSTEM, "cannot make a folder '%s':", h.dir);
	keep(h);
	return held[n_held - 1].dir;
}

static void
child_signals(void)
{
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
}

_Noreturn static void
held_child(char *const argv[], char *const env[], const char *log, const char *mark, int report)
{
	setpgid(0, 0);
	child_signals();
	/* A holder within a held process keeps that one's mark too. */
	const char *outer = getenv("NBSCOPE_HOLD");
	putenv(xasprintf("NBSCOPE_HOLD=%s+%s", outer ? outer : "", mark));
	for (; env && *env; env++)
		if (strchr(*env, '='))
			putenv(*env);
		else
			unsetenv(*env);
	int null = open("/dev/null", O_RDWR);
	int out = log ? open(log, O_WRONLY | O_CREAT | O_APPEND, 0600) : null;
	if (null >= 0 && out >= 0 && dup2(null, 0) >= 0 && dup2(out, 1) >= 0 && dup2(out, 2) >= 0) {
		dup2(report, 3);
		fcntl(3, F_SETFD, FD_CLOEXEC);
		report = 3;
		close_range(4, ~0u, 0);
		execvp(argv[0], argv);
	}
	int reason = errno;
	ssize_t ignored = write(report, &reason, sizeof reason);
	(void)ignored;
	_exit(127);
}

pid_t
hold_spawn(char *const argv[], char *const env[], const char *log)
{
	start_janitor();
	int fds[2];
	if (pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	struct held h = {0};
	xrandom_hex(h.mark, MARK_DIGITS);
	fflush(NULL);
	pid_t pid = h.group = fork();
	if (pid == 0)
		held_child(argv, env, log, h.mark, fds[1]);
	int saved = errno;
	close(fds[1]);
	if (pid > 0) {
		setpgid(pid, pid);
		keep(h);
		int reason;
		ssize_t n;
		while ((n = read(fds[0], &reason, sizeof reason)) < 0 && errno == EINTR)
			continue;
		if (n == (ssize_t)sizeof reason) {
			hold_end(pid, 0);
			saved = reason;
			pid = -1;
		}
	}
	close(fds[0]);
	errno = saved;
	return pid;
}

bool
hold_alive(pid_t pid)
{
	return waitpid(pid, NULL, WNOHANG) == 0;
}

void
hold_end(pid_t pid, int grace_ms)
{
	for (size_t i = 0; i < n_held; i++) {
		if (held[i].group != pid)
			continue;
		end_held(&held[i], grace_ms);
		tell_janitor(&(struct held){.group = -pid});
		memmove(&held[i], &held[i + 1], (--n_held - i) * sizeof *held);
		return;
	}
}

void
hold_release(void)
{
	while (n_held) {
		n_held--;
		let_go(&held[n_held], GRACE_MS);
	}
	if (janitor_fd >= 0) {
		/* The janitor has the list still: all on it is gone by now, and
		 * a folder that could not be removed gets one more try. */
		watchdog_end(janitor_fd, janitor);
		janitor_fd = -1;
	}
}

/* ---- the command ---------------------------------------------------------- */

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
	size_t n = 0, kept = 0;
	for (size_t i = 0; i < n_held; i++)
		if (held[i].group)
			kin_find(&mine[n++], held[i].group, held[i].mark);
	kin_below(k, getpid());
	for (size_t i = 0; i < k->n; i++) {
		bool ours = k->all[i].pid == janitor || k->all[i].pid == spared;
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
	sigset_t set, before;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	if (tend)
		sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, &before);
	end_with_parent();
	fflush(NULL);
	pid_t parent = getpid(), pid = fork();
	if (pid < 0)
		die(ST_SYSTEM, "cannot fork:");
	if (pid == 0) {
		/* If the holder is killed, its command is told to end. */
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(ST_SYSTEM);
		child_signals();
		if (janitor_fd >= 0)
			close(janitor_fd);
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

int
free_port(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t n = sizeof a;
	int port = -1;
	if (fd >= 0 && bind(fd, (struct sockaddr *)&a, n) == 0 && getsockname(fd, (struct sockaddr *)&a, &n) == 0)
		port = ntohs(a.sin_port);
	if (fd >= 0)
		close(fd);
	if (port < 0)
		die(ST_SYSTEM, "cannot get a free port:");
	return port;
}

char *
log_tail(const char *path, size_t max_bytes)
{
	size_t n;
	char *text = read_file(path, 64 << 20, &n);
	if (!text)
		return xstrdup("");
	size_t from = n > max_bytes ? n - max_bytes : 0;
	char *tail = xstrdup(text + from);
	free(text);
	return tail;
}
