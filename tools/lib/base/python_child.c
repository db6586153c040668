/* python_child.c: a program in Python that is embedded in this one and runs as its child. */
#include "base/python_child.h"
#include "base/die.h"
#include "base/installation.h"
#include "base/str.h"

void
xpython_child_start(struct child *c, const char *variable, const char *venv, const char *script)
{
	char *python = installation_python(variable, venv);
	/* If the named environment does not exist, the child ends at once. */
	if (!python)
		python = xstrdup(str_nonempty(getenv(variable)) ? "" : "python3");
	char *argv[] = {python, "-I", "-c", (char *)(uintptr_t)script, NULL};
	xchild_start(c, argv, !getenv("NBSCOPE_PYTHON_DEBUG"));
	free(python);
}
