/* python_child.c: a program in Python that is embedded in this one and runs as its child. */
#include "base/python_child.h"
#include "base/die.h"
#include "base/installation.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

void
xpython_child_start(struct python_child *c, const char *variable, const char *venv,
    const char *script)
{
	int in[2], out[2];
	char *python = installation_python(variable, venv);
	/* If the named environment does not exist, the child ends at once. */
	if (!python)
		python = xstrdup(str_nonempty(getenv(variable)) ? "" : "python3");
	if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
		die(ST_SYSTEM, "cannot create a pipe:");
	fflush(stdout);
	c->pid = fork();
	if (c->pid < 0)
		die(ST_SYSTEM, "cannot start '%s':", python);
	if (c->pid == 0) {
		int null = open("/dev/null", O_WRONLY);
		signal(SIGINT, SIG_IGN);
		if (dup2(in[0], STDIN_FILENO) < 0 || dup2(out[1], STDOUT_FILENO) < 0)
			_exit(127);
		if (null >= 0 && !getenv("NBSCOPE_PYTHON_DEBUG"))
			dup2(null, STDERR_FILENO);
		execlp(python, python, "-I", "-c", script, (char *)NULL);
		_exit(127);
	}
	free(python);
	close(in[0]);
	close(out[1]);
	/* A child that did not start is reported when it does not answer. */
	signal(SIGPIPE, SIG_IGN);
	c->to = fdopen(in[1], "w");
	c->from = fdopen(out[0], "r");
	if (!c->to || !c->from)
		die(ST_SYSTEM, "cannot open a pipe:");
}

void
python_child_end(struct python_child *c)
{
	if (!c->to)
		return;
	fclose(c->to);
	fclose(c->from);
	c->to = c->from = NULL;
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	signal(SIGPIPE, SIG_DFL);
}
