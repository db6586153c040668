/* reaper.c: a cleanup process that outlives its parent, even after SIGKILL. */
#include "process/reaper.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/kernel_call.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

void
reaper_detach(void)
{
	static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
	die_in_fork = true;
	setsid();
	for (size_t i = 0; i < COUNT(ignored); i++)
		signal(ignored[i], SIG_IGN);
}

_Noreturn static void
reaper_main(int fd, void (*watch)(int, void *), void *arg)
{
	reaper_detach();
	prctl(PR_SET_NAME, REAPER_NAME);
	/* Messages would be written to a socket that became file 1 or 2. */
	int null = open("/dev/null", O_RDWR);
	dup2(fd, 0);
	if (null >= 0) {
		dup2(null, 1);
		dup2(null, 2);
	}
	kernel_call_close_from(3);
	watch(0, arg);
	_exit(0);
}

int
reaper_start(void (*watch)(int fd, void *arg), void *arg, pid_t *pid)
{
	int fds[2];
	if (pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	fflush(NULL);
	*pid = fork();
	if (*pid == 0) {
		close(fds[1]);
		reaper_main(fds[0], watch, arg);
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
reaper_end(int fd, pid_t pid, long max_ms)
{
	int saved = errno;
	uint64_t end_ns = clock_monotonic_ns() + (uint64_t)max_ms * 1000000u;
	close(fd);
	while (waitpid(pid, NULL, WNOHANG) == 0 && (max_ms == 0 || clock_monotonic_ns() < end_ns))
		clock_pause_ms(2);
	errno = saved;
}
