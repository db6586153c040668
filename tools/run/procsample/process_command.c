/* process_command.c: a command that does not start before it is watched. */
#include "process_command.h"
#include "base/die.h"
#include "base/kernel_call.h"
#include "base/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Three files of each watched process and one of each of its threads stay open. */
void
process_command_raise_file_limit(struct process_command *c)
{
	if (getrlimit(RLIMIT_NOFILE, &c->files) != 0)
		die(ST_SYSTEM, "cannot read the limit of open files:");
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){c->files.rlim_max, c->files.rlim_max});
}

_Noreturn static void
run_child(const struct process_command *c, char **argv, int go, bool own_stdout)
{
	char byte;
	sigset_t all;
	/* A signal that arrives before the process is watched is delivered after that. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	signals_restore();
	bool started = read(go, &byte, 1) == 1;
	sigprocmask(SIG_SETMASK, &c->mask, NULL);
	if (!started || setrlimit(RLIMIT_NOFILE, &c->files) != 0 ||
	    (!own_stdout && dup2(STDERR_FILENO, STDOUT_FILENO) < 0))
		_exit(ST_SYSTEM);
	execvp(argv[0], argv);
	int reason = errno;
	warn("cannot run '%s':", argv[0]);
	_exit(reason == ENOENT ? 127 : 126);
}

pid_t
process_command_start(struct process_command *c, char **argv, bool own_stdout)
{
	int go[2];
	if (pipe2(go, O_CLOEXEC) != 0)
		die(ST_SYSTEM, "cannot create a pipe:");
	fflush(NULL);
	c->name = argv[0];
	c->pid = fork();
	if (c->pid < 0)
		die(ST_SYSTEM, "cannot fork:");
	if (c->pid == 0) {
		close(go[1]);
		run_child(c, argv, go[0], own_stdout);
	}
	close(go[0]);
	c->go_fd = go[1];
	c->ended_fd = kernel_call_end_of(c->pid);
	if (c->ended_fd < 0)
		die(ST_SYSTEM, "cannot wait for '%s':", c->name);
	return c->pid;
}

void
process_command_go(struct process_command *c)
{
	/* Fails if it has been killed: its status will say so. */
	if (write(c->go_fd, "", 1) < 0)
		log_at(LOG_LEVEL_INFO, "'%s' was ended before it started:", c->name);
	close(c->go_fd);
}

int
process_command_wait(struct process_command *c)
{
	int status;
	while (waitpid(c->pid, &status, 0) < 0)
		if (errno != EINTR)
			die(ST_SYSTEM, "cannot wait for '%s':", c->name);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
