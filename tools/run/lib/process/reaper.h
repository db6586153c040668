/* reaper.h: a cleanup process that outlives its parent, even after SIGKILL. */
#pragma once

#include <sys/types.h>

#define REAPER_NAME "nbscope-reaper"	/* of its process, in /proc/PID/comm */

/* Forks a process in a session of its own that ignores signals, has no file open but the read
 * end of a pipe, and calls watch(fd, arg). That reads messages until the end of the pipe,
 * which means that this process has ended. The fork has this memory as it is now, so that
 * nothing it needs to know is in an argument list.
 * Returns the pipe's write end (close-on-exec), or -1 and errno. */
int reaper_start(void (*watch)(int fd, void *arg), void *arg, pid_t *pid);
/* Closes the pipe and waits for the process to end, at most max_ms (0: forever), after which
 * it continues alone. Preserves errno. */
void reaper_end(int fd, pid_t pid, long max_ms);
/* Gives a forked process a session of its own, makes it ignore signals, and makes die() end it
 * without running exit handlers. */
void reaper_detach(void);
