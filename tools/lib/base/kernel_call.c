/* kernel_call.c: system calls that old systems lack, and what does the same there. */
#include "base/kernel_call.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void
kernel_call_close_from(int first)
{
	DIR *files = syscall(SYS_close_range, first, ~0u, 0) == 0 ? NULL : opendir("/proc/self/fd");
	for (struct dirent *e; files && (e = readdir(files)); ) {
		int fd = (int)strtol(e->d_name, NULL, 10);
		if (fd >= first && fd != dirfd(files))
			close(fd);
	}
	if (files)
		closedir(files);
}

static int end_pipe[2];	/* the second is closed when the process has ended */

static void *
wait_for_end(void *pid)
{
	siginfo_t info;
	waitid(P_PID, (id_t)(uintptr_t)pid, &info, WEXITED | WNOWAIT);
	close(end_pipe[1]);
	return NULL;
}

int
kernel_call_end_of(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	pthread_t thread;
	sigset_t all, before;
	if (fd >= 0 || pipe2(end_pipe, O_CLOEXEC) != 0)
		return fd;
	/* No signal interrupts the thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	errno = pthread_create(&thread, NULL, wait_for_end, (void *)(uintptr_t)pid);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return errno ? -1 : end_pipe[0];
}

int
kernel_call_memory_file(const char *name, bool closed_on_exec)
{
	const char *folder = str_nonempty(getenv("TMPDIR"));
	int fd = (int)syscall(SYS_memfd_create, name, closed_on_exec ? 1 : 0);
	return fd >= 0 ? fd : open(folder ? folder : "/tmp", O_TMPFILE | O_RDWR |
	    (closed_on_exec ? O_CLOEXEC : 0), 0600);
}

void
kernel_call_wipe(void *p, size_t n)
{
	for (volatile unsigned char *byte = p; n; n--)
		*byte++ = 0;
}
