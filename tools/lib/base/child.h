/* child.h: a program that answers what it is sent. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct child {
	/* Its standard input and output; NULL: it does not run.  Who closes `to`, so that it ends
	 * once it has answered, sets it to NULL. */
	FILE *to, *from;
	pid_t pid;
};
/* Starts argv, which is searched in PATH and in bin/ of the installation; `quiet`: without its
 * standard error. A child that cannot start answers nothing. Dies if no process can be created. */
void xchild_start(struct child *, char *const argv[], bool quiet);
/* Returns the signal that ended it; 0: none did. */
int child_end(struct child *);
/* Ends a child that does not answer; dies if it was killed. what: "cannot draw" */
void xchild_end_killed(struct child *, const char *what);
