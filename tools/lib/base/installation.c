/* installation.c: what was built or installed together with this program. */
#include "base/installation.h"
#include "base/die.h"
#include "base/str.h"

#include <glob.h>
#include <unistd.h>

/* What a checkout and an installed nbscope have below the folder above this program's. */
#define INSTALLED_RULES "share/nbscope/Makefile"

/* FORMAT, with the folder above this program's and NAME; NULL if it cannot be run. */
static char *
xown_path(const char *format, const char *name)
{
	char *root = realpath("/proc/self/exe", NULL), *path = NULL;
	for (int up = 0; root && up < 2 && strrchr(root, '/'); up++)
		*strrchr(root, '/') = '\0';
	if (root)
		path = xasprintf(format, root, name);
	free(root);
	if (!path || access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

char *
installation_file(const char *name)
{
	char *path = xown_path("%s/%s", name);
	if (!path)
		path = xown_path("%s/../%s", name);
	return path ? path : xown_path("%s/share/nbscope/%s", name);
}

const char *
installation_command(void)
{
	char *rules = xown_path("%s/%s", INSTALLED_RULES);
	const char *command = rules ? "nbscope" : "make";
	free(rules);
	return command;
}

char *
installation_python_of(const char *environment)
{
	char *path = xasprintf("%s/bin/python", environment);
	if (access(path, X_OK) == 0)
		return path;
	free(path);
	return NULL;
}

/* The Python environment that nbscope is installed in, if it has JupyterLab: mk/root.mk. */
static char *
xpython_beside(void)
{
	static const char *const packages[] = {"jupyterlab", "ipykernel"};
	char *rules = xown_path("%s/%s", INSTALLED_RULES);
	char *python = rules ? xown_path("%s/%s", "bin/python") : NULL;
	for (size_t i = 0; i < COUNT(packages) && python; i++) {
		char *pattern = xasprintf("%.*s/lib/python*/site-packages/%s/__init__.py",
		    (int)(strlen(python) - strlen("/bin/python")), python, packages[i]);
		glob_t found;
		if (glob(pattern, 0, NULL, &found) == 0) {
			globfree(&found);
		} else {
			free(python);
			python = NULL;
		}
		free(pattern);
	}
	free(rules);
	return python;
}

/* What the command nbscope has made for this version: share/install/nbscope. */
static char *
xstored_python(const char *name)
{
	const char *store = str_nonempty(getenv("NBSCOPE_STORE"));
	const char *cache = str_nonempty(getenv("NBSCOPE_CACHE"));
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	bool is_set = xdg && *xdg == '/';
	char *path = store ? xasprintf("%s/%s", store, name) : cache ?
	    xasprintf("%s/" NBSCOPE_VERSION "/%s", cache, name) :
	    xasprintf("%s%s/nbscope/" NBSCOPE_VERSION "/%s", is_set ? xdg : home ? home : "",
	    is_set ? "" : "/.cache", name);
	char *python = installation_python_of(path);
	free(path);
	return python;
}

char *
installation_python(const char *variable, const char *name)
{
	const char *set = str_nonempty(getenv(variable));
	char *dir = set ? realpath(set, NULL) : NULL;
	char *python = dir ? installation_python_of(dir) : NULL;
	free(dir);
	if (set)
		return python;
	python = xown_path("%s/%s/bin/python", name);
	if (!python && strcmp(name, "venv") == 0)
		python = xpython_beside();
	return python ? python : xstored_python(name);
}
