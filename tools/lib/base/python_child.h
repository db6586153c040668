/* python_child.h: a program in Python that is embedded in this one and runs as its child. */
#pragma once

#include <stdio.h>
#include <sys/types.h>

struct python_child {
	FILE *to, *from;	/* its standard input and output; NULL: it does not run */
	pid_t pid;
};
/* Starts the script by the Python of the environment that `variable` names, else of the environment
 * `venv` that was made with this program, else by python3. A child that cannot start answers
 * nothing. Dies if no process can be created. */
void xpython_child_start(struct python_child *, const char *variable, const char *venv,
    const char *script);
void python_child_end(struct python_child *);
