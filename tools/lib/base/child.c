/* child.c: a program that answers what it is sent. */
#include "base/child.h"
#include "base/die.h"
#include "base/installation.h"
#include "base/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

_Noreturn static void
run(char *const argv[], int in, int out, bool quiet)
{
	int null = quiet ? open("/dev/null", O_WRONLY) : -1;
	signal(SIGINT, SIG_IGN);
	if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		_exit(127);
	if (null >= 0)
		dup2(null, STDERR_FILENO);
	execvp(argv[0], argv);
	char *own = installation_file(xasprintf("bin/%s", argv[0]));
	if (own)
		execv(own, argv);
	_exit(127);
}

void
xchild_start(struct child *c, char *const argv[], bool quiet)
{
	int in[2], out[2];
	if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
		die(ST_SYSTEM, "cannot create a pipe:");
	fflush(stdout);
	c->pid = fork();
	if (c->pid < 0)
		die(ST_SYSTEM, "cannot start '%s':", argv[0]);
	if (c->pid == 0)
		run(argv, in[0], out[1], quiet);
	close(in[0]);
	close(out[1]);
	/* A child that did not start is reported when it does not answer. */
	signal(SIGPIPE, SIG_IGN);
	c->to = fdopen(in[1], "w");
	c->from = fdopen(out[0], "r");
	if (!c->to || !c->from)
		die(ST_SYSTEM, "cannot open a pipe:");
}

int
child_end(struct child *c)
{
	int status = 0;
	if (!c->from)
		return 0;
	if (c->to)
		fclose(c->to);
	fclose(c->from);
	c->to = c->from = NULL;
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	signal(SIGPIPE, SIG_DFL);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

void
xchild_end_killed(struct child *c, const char *what)
{
	int by = child_end(c);
	if (by)
		die(ST_SYSTEM, "%s: the process for it was killed by SIG%s", what,
		    signals_name(by));
}
