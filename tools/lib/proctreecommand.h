/* proctreecommand.h: a command that waits until it is watched. */
#ifndef PROCTREECOMMAND_H
#define PROCTREECOMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

struct command {
	const char *name;
	pid_t pid;
	int ended_fd;	/* readable once it ended; -1: there is none */
	int go_fd;
	struct rlimit files;	/* what it gets, */
	sigset_t mask;	/* and which signals are blocked */
};
/* As many open files as this process may have; the command gets what was. */
void command_file_limit(struct command *);
/* Forks; its stdout is our stderr unless it may have ours.  Dies on failure. */
pid_t command_start(struct command *, char **argv, bool own_stdout);
/* Lets it begin. */
void command_go(struct command *);
/* Its exit status; 128 + signal when it was killed by one. */
int command_wait(struct command *);

#endif
