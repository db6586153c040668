/* watchdog.c: somebody who is still there when we are not, even after SIGKILL. */
#include "nbscope.h"
#include "watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

void
stand_apart(void)
{
	die_alone = true;
	setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
}

_Noreturn static void
run_watch(int fd, void (*watch)(int, void *), void *arg)
{
	stand_apart();
	prctl(PR_SET_NAME, WATCHDOG_NAME);
	/* A socket that became a 1 or a 2 would be written to. */
	int null = open("/dev/null", O_RDWR);
	dup2(fd, 0);
	if (null >= 0) {
		dup2(null, 1);
		dup2(null, 2);
	}
	close_range(3, ~0u, 0);
	watch(0, arg);
	_exit(0);
}

int
watchdog(void (*watch)(int fd, void *arg), void *arg, pid_t *pid)
{
	int fds[2];
	if (pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	fflush(NULL);
	*pid = fork();
	if (*pid == 0) {
		close(fds[1]);
		run_watch(fds[0], watch, arg);
	}
	int saved = errno;
	close(fds[0]);
	if (*pid < 0) {
		close(fds[1]);
		errno = saved;
		return -1;
	}
	signal(SIGPIPE, SIG_IGN);
	return fds[1];
}

void
watchdog_end(int fd, pid_t pid, long most_ms)
{
	int saved = errno;
	uint64_t end = now_ns() + (uint64_t)most_ms * 1000000u;
	close(fd);
	while (waitpid(pid, NULL, WNOHANG) == 0 && (most_ms == 0 || now_ns() < end))
		pause_ms(2);
	errno = saved;
}
