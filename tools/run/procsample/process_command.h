/* process_command.h: a command that does not start before it is watched. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

struct process_command {
	const char *name;
	pid_t pid;
	int ended_fd;	/* readable once it has ended; -1: there is no command */
	int go_fd;
	struct rlimit files;	/* its limit of open files */
	sigset_t mask;	/* the signals that are blocked in it */
};
/* Raises this process's limit of open files; the command gets the former one. */
void process_command_raise_file_limit(struct process_command *);
/* Forks.  Its stdout is our stderr unless `own_stdout`.  Dies on failure. */
pid_t process_command_start(struct process_command *, char **argv, bool own_stdout);
void process_command_go(struct process_command *);	/* lets it begin */
/* Its exit status; 128 + the signal if one killed it. */
int process_command_wait(struct process_command *);
