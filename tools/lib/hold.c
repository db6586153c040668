/* hold.c: what a holder opens is closed whatever happens.
 *
 * Each held process leads a process group of its own and has a random mark in
 * its environment, which all that it starts inherits.  A janitor (watchdog.h) is
 * told of every group and folder; when the holder ended or was killed it ends
 * what is still on its list.  The normal way is the holder's own hold_release.
 */
#include "nbscope.h"
#include "hold.h"
#include "plan.h"
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

#define DEFAULT_BASE "/tmp"
#define MEMORY "/dev/shm"
#define UNIQUE ".XXXXXX"
#define NO_PRELOAD " :$"	/* what LD_PRELOAD reads as more than a name */
enum { GRACE_MS = 2000, PATH_BYTES = 512, MARK_DIGITS = 32 };

struct held {
	pid_t group;	/* 0: a folder */
	char mark[MARK_DIGITS + 1];
	char dir[PATH_BYTES];
};
static struct held held[MOST_HELD];
static size_t n_held;
static int janitor_fd = -1;
static pid_t janitor;

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

void
hold_with_parent(void)
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
	hold_with_parent();
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

static const char *
tempdir_base(void)
{
	const char *set = getenv("TMPDIR");
	return set && *set == '/' ? set : DEFAULT_BASE;
}

/* There another user could put a folder of his in the place of ours. */
static bool
is_open_to_all(const char *base)
{
	struct stat st;
	return stat(base, &st) == 0 && (st.st_mode & S_IWOTH) && !(st.st_mode & S_ISVTX);
}

static char *
xhold_private(const char *base, const char *prefix)
{
	if (is_open_to_all(base))
		die(ST_SYSTEM, "'%s' is no place for temporary folders: all users can rename what is in it (chmod +t)", base);
	return xhold_tempdir_in(base, prefix);
}

char *
xhold_tempdir(const char *prefix)
{
	return xhold_private(tempdir_base(), prefix);
}

char *
xhold_plain_tempdir(const char *prefix, size_t longest)
{
	const char *base = tempdir_base();
	size_t n = strlen(base) + strlen("/") + strlen(prefix) + strlen(UNIQUE);
	return xhold_private(n > longest || strpbrk(base, NO_PRELOAD) ? DEFAULT_BASE : base, prefix);
}

char *
xhold_memory_tempdir(const char *prefix, double least_bytes)
{
	const char *set = getenv("TMPDIR");
	bool fit = !(set && *set) && access(MEMORY, W_OK) == 0 && !is_open_to_all(MEMORY) && free_bytes(MEMORY) >= least_bytes;
	return fit ? xhold_tempdir_in(MEMORY, prefix) : NULL;
}

char *
xhold_tempdir_in(const char *base, const char *prefix)
{
	start_janitor();
	struct held h = {0};
	int n = snprintf(h.dir, sizeof h.dir, "%s/%s" UNIQUE, base, prefix);
	if (n < 0 || (size_t)n >= sizeof h.dir - 1)
		die(ST_SYSTEM, "the folder's name is too long: '%s'", base);
	if (!mkdtemp(h.dir))
		die(ST_SYSTEM, "cannot make a folder '%s':", h.dir);
	keep(h);
	return held[n_held - 1].dir;
}

void
hold_child_signals(void)
{
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
}

_Noreturn static void
held_child(char *const argv[], char *const env[], const char *log, char *mark, int report)
{
	setpgid(0, 0);
	/* An orphan of its own stays below it, without a mark too: a notebook may
	 * start what has neither its group nor its environment. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	hold_child_signals();
	bool told = putenv(mark) == 0;
	for (; told && env && *env; env++)
		told = (strchr(*env, '=') ? putenv(*env) : unsetenv(*env)) == 0;
	int null = open("/dev/null", O_RDWR);
	int out = log ? open(log, O_WRONLY | O_CREAT | O_APPEND, 0600) : null;
	if (told && null >= 0 && out >= 0 && dup2(null, 0) >= 0 && dup2(out, 1) >= 0 && dup2(out, 2) >= 0) {
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
	/* A holder within a held process keeps that one's mark too. */
	const char *outer = getenv("NBSCOPE_HOLD");
	char *mark = xasprintf("NBSCOPE_HOLD=%s+%s", outer ? outer : "", h.mark);
	fflush(NULL);
	pid_t pid = h.group = fork();
	if (pid == 0)
		held_child(argv, env, log, mark, fds[1]);
	int saved = errno;
	free(mark);
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
hold_remove(const char *dir)
{
	for (size_t i = 0; i < n_held; i++) {
		struct held h = held[i];
		if (h.group || strcmp(h.dir, dir) != 0)
			continue;
		remove_held_tree(h.dir);
		memmove(&held[i], &held[i + 1], (--n_held - i) * sizeof *held);
		/* The janitor is told by the name with a '-' before it. */
		memmove(h.dir + 1, h.dir, sizeof h.dir - 1);
		h.dir[0] = '-';
		tell_janitor(&h);
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
		watchdog_end(janitor_fd, janitor, 0);
		janitor_fd = -1;
	}
}

size_t
hold_kin(struct kin of[MOST_HELD])
{
	size_t n = 0;
	for (size_t i = 0; i < n_held; i++)
		if (held[i].group)
			kin_find(&of[n++], held[i].group, held[i].mark);
	return n;
}

pid_t
hold_janitor(void)
{
	return janitor_fd >= 0 ? janitor : 0;
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
