/* watchdog.h: somebody who is still there when we are not, even after SIGKILL. */
#ifndef WATCHDOG_H
#define WATCHDOG_H

#include <sys/types.h>

#define WATCHDOG_NAME "nbscope-janitor"	/* of its process, in /proc/PID/comm */

/* A fork with a session of its own, deaf to signals, that holds no file but the
 * read end of a pipe and calls watch(fd, arg), which reads what it is told until
 * the end of the pipe: then we have ended.  Its memory is ours of now, so nothing
 * that it must know stands in an argument list.  Returns the pipe's write end,
 * closed on exec, or -1 and errno. */
int watchdog(void (*watch)(int fd, void *arg), void *arg, pid_t *pid);
/* For a fork of such a kind: a session of its own, deaf to signals, and a die() that
 * ends it alone. */
void stand_apart(void);
/* Closes the pipe and waits for its end, at most so long (0: until then): it goes on
 * without us.  Keeps errno. */
void watchdog_end(int fd, pid_t pid, long most_ms);

#endif
