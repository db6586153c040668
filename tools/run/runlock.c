/* runlock: runs a command with exclusive use of a folder.
 * Makes the folder, checks that it is writable, and locks it. The lock is the kernel's own on
 * the folder, so it is gone with its holder, however that ends. */
#include "base/die.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/nameless_file.h"
#include "base/opt.h"
#include "process/hold.h"
#include "process/hold_command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { ROOM_BYTES = 1 << 16 };

static long wait_s = 86400;
static bool scratch, no_lock;

static const struct opt opts[] = {
	{0, "wait", OPT_INT, &wait_s, 0, 1e9, "S", "how long to wait for it; default 86400"},
	{0, "scratch", OPT_FLAG, &scratch, 0, 0, NULL,
	    "make a folder in FOLDER for COMMAND alone (NBSCOPE_SCRATCH), removed at the end"},
	{0, "no-lock", OPT_FLAG, &no_lock, 0, 0, NULL, "do not lock the folder"},
	{0},
};
static const struct opt_usage usage = {"runlock", "[options] FOLDER [COMMAND...]",
	"Runs COMMAND with exclusive use of FOLDER; without COMMAND, waits until it is free.",
	opts};

/* ---- the folder ------------------------------------------------------------------------- */

static char *
parent_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	if (!slash)
		return xstrdup(".");
	return slash == path ? xstrdup("/") : xasprintf("%.*s", (int)(slash - path), path);
}

/* A link to one of the user's own folders leads to another disk; a link to nothing, or to
 * another user's files, is a mistake or a trap. */
static void
xcheck_link(const char *path)
{
	struct stat link, parent, to;
	char target[512], *dir = parent_folder(path);
	if (lstat(path, &link) == 0 && S_ISLNK(link.st_mode) && stat(dir, &parent) == 0) {
		ssize_t n = readlink(path, target, sizeof target - 1);
		target[n > 0 ? n : 0] = '\0';
		if (stat(path, &to) != 0)
			die(ST_SYSTEM, "'%s' is a link to '%s', which cannot be used (%s): remove "
			    "the link or create its target", path, target, strerror(errno));
		uid_t own = geteuid();
		if (link.st_uid != own && link.st_uid != 0 && link.st_uid != parent.st_uid)
			die(ST_SYSTEM, "'%s' is a link that another user made", path);
		if (to.st_uid != own && to.st_uid != parent.st_uid)
			die(ST_SYSTEM, "'%s' is a link to '%s', which belongs to another user",
			    path, target);
	}
	free(dir);
}

/* On a full disk, COMMAND would fail in many ways. */
static void
xcheck_room(int folder, const char *path)
{
	static const char temp[] = ".room.tmp";
	bool named = false;
	int fd = nameless_file_create(folder, temp, 0600, &named);
	int bad = fd < 0 ? errno : posix_fallocate(fd, 0, ROOM_BYTES);
	if (named)
		unlinkat(folder, temp, 0);
	if (fd >= 0)
		close(fd);
	errno = bad;
	if (bad == ENOSPC || bad == EDQUOT)
		die(ST_SYSTEM, "cannot write into the folder '%s':", path);
}

static int
xopen_folder(const char *path)
{
	char *dir = parent_folder(path);
	xcheck_link(dir);
	xcheck_link(path);
	free(dir);
	if (folder_make(path) != 0)
		die(ST_SYSTEM, "cannot make the folder '%s':", path);
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		die(ST_SYSTEM, "cannot open the folder '%s':", path);
	if (faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) != 0)
		die(ST_SYSTEM, "cannot write into the folder '%s':", path);
	xcheck_room(fd, path);
	return fd;
}

/* ---- the lock --------------------------------------------------------------------------- */

/* The process that holds the lock, from the kernel's list; 0: unknown. */
static pid_t
find_holder(int fd)
{
	struct stat st;
	FILE *f = fopen("/proc/locks", "re");
	char line[256];
	long pid, found = 0;
	unsigned major, minor;
	unsigned long inode;
	bool known = f && fstat(fd, &st) == 0;
	while (known && !found && fgets(line, sizeof line, f))
		if (sscanf(line, "%*s FLOCK %*s WRITE %ld %x:%x:%lu", &pid, &major, &minor,
		    &inode) == 4 && inode == st.st_ino && makedev(major, minor) == st.st_dev)
			found = pid;
	if (f)
		fclose(f);
	return (pid_t)found;
}

static char *
read_proc(pid_t pid, const char *name, size_t *n)
{
	char path[64];
	*n = 0;
	snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
	char *text = file_read(path, 1 << 20, n);
	return text ? text : xstrdup("");
}

/* "process 12 (make profile USECASE=x)": the make that it works for, if there is one. */
static char *
describe_process(pid_t pid)
{
	char shown[121] = "";
	size_t n;
	long parent = 0;
	char *stat = read_proc(pid, "stat", &n), *after = strrchr(stat, ')');
	if (after && sscanf(after + 1, " %*c %ld", &parent) == 1) {
		char *name = read_proc((pid_t)parent, "comm", &n);
		if (strcmp(name, "make\n") == 0 || strcmp(name, "gmake\n") == 0)
			pid = (pid_t)parent;
		free(name);
	}
	char *words = read_proc(pid, "cmdline", &n);
	for (size_t i = 0; i + 1 < n && i < sizeof shown - 1; i++)
		shown[i] = words[i] ? words[i] : ' ';
	free(words);
	free(stat);
	return xasprintf("process %ld (%s)", (long)pid, shown);
}

static void
on_alarm(int sig)
{
	(void)sig;
}

static void
xlock(int fd, const char *path)
{
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		return;
	if (errno != EWOULDBLOCK) {
		log_at(LOG_LEVEL_WARNING, "cannot lock '%s', so other commands can use it too:",
		    path);
		return;
	}
	pid_t holder = find_holder(fd);
	char *who = holder ? describe_process(holder) : xstrdup("another process");
	if (wait_s == 0)
		die(ST_TIMEOUT, "'%s' is in use by %s", path, who);
	warn("'%s' is in use by %s: waiting", path, who);
	struct sigaction a = {.sa_handler = on_alarm};
	sigaction(SIGALRM, &a, NULL);
	alarm((unsigned)wait_s);
	if (flock(fd, LOCK_EX) != 0) {
		if (errno == EINTR)
			die(ST_TIMEOUT, "'%s' is still in use by %s after %ld s", path, who,
			    wait_s);
		die(ST_SYSTEM, "cannot lock the folder '%s':", path);
	}
	alarm(0);
	free(who);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	if (first >= argc)
		opt_die(&usage, "no folder given");
	const char *path = argv[first++];
	/* The signal ends this process while it waits for the lock, too. */
	prctl(PR_SET_PDEATHSIG, getenv("NBSCOPE_RUNS") ? SIGTERM : 0);
	int fd = xopen_folder(path);
	if (!no_lock)
		xlock(fd, path);
	if (first == argc)
		return ST_OK;
	if (scratch)
		xsetenv("NBSCOPE_SCRATCH", xhold_tempdir_in(path, ".scratch"));
	int status = hold_command(argv + first, NULL);
	hold_release();
	return status;
}
