/* proctreecommand.c: a command that waits until it is watched. */
#include "nbscope.h"
#include "proctreecommand.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* Three files of each watched process and one of each thread stay open. */
void
command_file_limit(struct command *c)
{
	if (getrlimit(RLIMIT_NOFILE, &c->files) != 0)
		die(ST_SYSTEM, "cannot read the limit of open files:");
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){c->files.rlim_max, c->files.rlim_max});
}

_Noreturn static void
child(const struct command *c, char **argv, int go, bool own_stdout)
{
	char byte;
	signals_as_found();
	sigprocmask(SIG_SETMASK, &c->mask, NULL);
	if (read(go, &byte, 1) != 1 || setrlimit(RLIMIT_NOFILE, &c->files) != 0 ||
	    (!own_stdout && dup2(STDERR_FILENO, STDOUT_FILENO) < 0))
		_exit(ST_SYSTEM);
	execvp(argv[0], argv);
	int reason = errno;
	warn("cannot run '%s':", argv[0]);
	_exit(reason == ENOENT ? 127 : 126);
}

pid_t
command_start(struct command *c, char **argv, bool own_stdout)
{
	int go[2];
	if (pipe2(go, O_CLOEXEC) != 0)
		die(ST_SYSTEM, "cannot make a pipe:");
	fflush(NULL);
	c->name = argv[0];
	c->pid = fork();
	if (c->pid < 0)
		die(ST_SYSTEM, "cannot fork:");
	if (c->pid == 0) {
		close(go[1]);
		child(c, argv, go[0], own_stdout);
	}
	close(go[0]);
	c->go_fd = go[1];
	c->ended_fd = pidfd_open(c->pid, 0);	/* closed on exec */
	if (c->ended_fd < 0)
		die(ST_SYSTEM, "cannot wait for '%s':", c->name);
	return c->pid;
}

void
command_go(struct command *c)
{
	/* Killed before it began: its status will say so. */
	if (write(c->go_fd, "", 1) < 0)
		logline(LV_INFO, "'%s' ended before it began:", c->name);
	close(c->go_fd);
}

int
command_wait(struct command *c)
{
	int status;
	while (waitpid(c->pid, &status, 0) < 0)
		if (errno != EINTR)
			die(ST_SYSTEM, "cannot wait for '%s':", c->name);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
