/* hold.c: processes and temporary folders that are gone when the holder has ended.
 * Each held process leads a process group and has a random mark in its environment, which
 * everything that it starts inherits. The reaper knows every group and folder and ends what is
 * left when the holder has ended; normally hold_release() has done so before. */
#include "process/hold.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/kernel_call.h"
#include "base/random_hex.h"
#include "process/reaper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEFAULT_FOLDER "/tmp"
#define UNIQUE_SUFFIX ".XXXXXX"
#define PRELOAD_SEPARATORS " :$"
enum { GRACE_MS = 2000, MAX_PATH_BYTES = 512, MARK_DIGITS = 32 };

struct hold_item {
	bool released;	/* to the reaper: take it off the list */
	pid_t group;	/* 0: a folder */
	char mark[MARK_DIGITS + 1];
	char dir[MAX_PATH_BYTES];
};
static struct hold_item held[MAX_HELD];
static size_t n_held;
static int reaper_fd = -1;
static pid_t reaper;

/* Waits with growing steps until the group is empty; false if it is not. */
static bool
wait_group(pid_t group, int max_ms)
{
	uint64_t end_ns = clock_monotonic_ns() + (uint64_t)max_ms * 1000000u;
	for (long step_ms = 1; ; step_ms = step_ms < 20 ? step_ms * 2 : 20) {
		while (waitpid(-group, NULL, WNOHANG) > 0)
			continue;
		if (kill(-group, 0) != 0 && errno == ESRCH)
			return true;
		if (clock_monotonic_ns() >= end_ns)
			return false;
		clock_pause_ms(step_ms);
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

static void
release_item(const struct hold_item *h, int grace_ms)
{
	struct descendants d;
	/* A browser that is being killed may still write into its profile. */
	for (int try = 0; !h->group && try < 20 && folder_remove(h->dir) != 0; try++)
		clock_pause_ms(50);
	if (!h->group)
		return;
	/* Listed before the first of them dies, which breaks the family tree. */
	descendants_of_group(&d, h->group, h->mark);
	end_group(h->group, grace_ms);
	for (int try = 0; try < 50 && d.n; try++) {
		descendants_kill(&d);
		clock_pause_ms(try < 10 ? try : 10);
		descendants_free(&d);
		descendants_of_group(&d, h->group, h->mark);
	}
	descendants_free(&d);
}

static struct hold_item *
find_item(pid_t group, const char *dir)
{
	for (size_t i = 0; i < n_held; i++)
		if (held[i].group == group && strcmp(held[i].dir, dir) == 0)
			return &held[i];
	return NULL;
}

static void
remove_item(const struct hold_item *h)
{
	struct hold_item *at = find_item(h->group, h->dir);
	if (at)
		memmove(at, at + 1, (size_t)(held + --n_held - at) * sizeof *held);
}

static void
reaper_main(int fd, void *unused)
{
	struct hold_item h;
	ssize_t n;
	(void)unused;
	while ((n = read(fd, &h, sizeof h)) == (ssize_t)sizeof h || (n < 0 && errno == EINTR))
		if (n > 0 && h.released)
			remove_item(&h);
		else if (n > 0 && n_held < MAX_HELD)
			held[n_held++] = h;
	while (n_held)
		release_item(&held[--n_held], 0);
}

static void
report_to_reaper(const struct hold_item *h)
{
	/* Smaller than PIPE_BUF: whole or not at all. */
	if (reaper_fd >= 0 && write(reaper_fd, h, sizeof *h) < 0)
		log_at(LOG_LEVEL_WARNING, "the cleanup process is gone:");
}

void
hold_adopt_orphans(void)
{
	if (getenv("NBSCOPE_RUNS"))
		prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static void
start_reaper(void)
{
	if (reaper_fd >= 0)
		return;
	hold_adopt_orphans();
	reaper_fd = reaper_start(reaper_main, NULL, &reaper);
	if (reaper_fd < 0)
		die(ST_SYSTEM, "cannot start the cleanup process:");
	atexit(hold_release);
}

static void
add_item(const struct hold_item *h)
{
	if (n_held == MAX_HELD)
		die(ST_SYSTEM, "more than %d processes and folders to hold", MAX_HELD);
	held[n_held++] = *h;
	report_to_reaper(h);
}

static void
drop_item(struct hold_item h, int grace_ms)
{
	release_item(&h, grace_ms);
	remove_item(&h);
	h.released = true;
	report_to_reaper(&h);
}

/* ---- folders ---------------------------------------------------------------------------- */

static const char *
tempdir_parent(void)
{
	const char *set = getenv("TMPDIR");
	return set && *set == '/' ? set : DEFAULT_FOLDER;
}

bool
hold_is_open_to_all(const char *dir)
{
	struct stat st;
	return stat(dir, &st) == 0 && (st.st_mode & S_IWOTH) && !(st.st_mode & S_ISVTX);
}

static char *
xhold_private(const char *parent, const char *prefix)
{
	if (hold_is_open_to_all(parent))
		die(ST_SYSTEM, "cannot create a temporary folder in '%s', where all users can "
		    "rename it (chmod +t)", parent);
	return xhold_tempdir_in(parent, prefix);
}

char *
xhold_tempdir(const char *prefix)
{
	return xhold_private(tempdir_parent(), prefix);
}

char *
xhold_plain_tempdir(const char *prefix, size_t max_bytes)
{
	const char *parent = tempdir_parent();
	size_t n = strlen(parent) + strlen("/") + strlen(prefix) + strlen(UNIQUE_SUFFIX);
	bool plain = n <= max_bytes && !strpbrk(parent, PRELOAD_SEPARATORS);
	return xhold_private(plain ? parent : DEFAULT_FOLDER, prefix);
}

char *
xhold_tempdir_in(const char *parent, const char *prefix)
{
	start_reaper();
	struct hold_item h = {0};
	int n = snprintf(h.dir, sizeof h.dir, "%s/%s" UNIQUE_SUFFIX, parent, prefix);
	if (n < 0 || (size_t)n >= sizeof h.dir)
		die(ST_SYSTEM, "the folder's name is too long: '%s'", parent);
	if (!mkdtemp(h.dir))
		die(ST_SYSTEM, "cannot make a folder '%s':", h.dir);
	add_item(&h);
	return held[n_held - 1].dir;
}

void
hold_remove(const char *dir)
{
	const struct hold_item *h = find_item(0, dir);
	if (h)
		drop_item(*h, 0);
}

char *
xhold_put_file(const char *dir, const char *name, const void *bytes, size_t n)
{
	char *path = xasprintf("%s/%s", dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
	bool written = f && fwrite(bytes, 1, n, f) == n;
	if (!f || fclose(f) != 0 || !written)
		die(ST_SYSTEM, "cannot write '%s':", path);
	return path;
}

/* ---- processes -------------------------------------------------------------------------- */

void
hold_reset_signals(void)
{
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
}

_Noreturn static void
child_main(char *const argv[], char *const env[], const char *log, char *mark, int error_fd)
{
	setpgid(0, 0);
	/* Its orphans stay below it even without the mark: a notebook may start a process that
	 * has neither its group nor its environment. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	hold_reset_signals();
	bool set = putenv(mark) == 0;
	for (; set && env && *env; env++)
		set = (strchr(*env, '=') ? putenv(*env) : unsetenv(*env)) == 0;
	int null = open("/dev/null", O_RDWR);
	int out = log ? open(log, O_WRONLY | O_CREAT | O_APPEND, 0600) : null;
	bool opened = null >= 0 && out >= 0;
	if (set && opened && dup2(null, 0) >= 0 && dup2(out, 1) >= 0 && dup2(out, 2) >= 0) {
		dup2(error_fd, 3);
		fcntl(3, F_SETFD, FD_CLOEXEC);
		error_fd = 3;
		kernel_call_close_from(4);
		execvp(argv[0], argv);
	}
	int reason = errno;
	ssize_t ignored = write(error_fd, &reason, sizeof reason);
	(void)ignored;
	_exit(127);
}

pid_t
hold_spawn(char *const argv[], char *const env[], const char *log)
{
	start_reaper();
	int fds[2];
	if (pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	struct hold_item h = {0};
	xrandom_hex(h.mark, MARK_DIGITS);
	/* A holder within a held process inherits that one's mark too. */
	const char *outer = getenv("NBSCOPE_HOLD");
	char *mark = xasprintf("NBSCOPE_HOLD=%s+%s", outer ? outer : "", h.mark);
	fflush(NULL);
	pid_t pid = h.group = fork();
	if (pid == 0)
		child_main(argv, env, log, mark, fds[1]);
	int saved = errno;
	free(mark);
	close(fds[1]);
	if (pid > 0) {
		setpgid(pid, pid);
		add_item(&h);
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
	const struct hold_item *h = find_item(pid, "");
	if (h)
		drop_item(*h, grace_ms);
}

void
hold_release(void)
{
	while (n_held)
		release_item(&held[--n_held], GRACE_MS);
	if (reaper_fd >= 0) {
		/* Everything on the reaper's list is gone already; a folder that could not be
		 * removed gets one more attempt. */
		reaper_end(reaper_fd, reaper, 0);
		reaper_fd = -1;
	}
}

size_t
hold_descendants(struct descendants groups[MAX_HELD])
{
	size_t n = 0;
	for (size_t i = 0; i < n_held; i++)
		if (held[i].group)
			descendants_of_group(&groups[n++], held[i].group, held[i].mark);
	return n;
}

pid_t
hold_reaper(void)
{
	return reaper_fd >= 0 ? reaper : 0;
}

char *
hold_log_tail(const char *path, size_t max_bytes)
{
	size_t n;
	char *text = file_read(path, 64 << 20, &n);
	if (!text)
		return xstrdup("");
	char *tail = xstrdup(text + (n > max_bytes ? n - max_bytes : 0));
	free(text);
	return tail;
}
