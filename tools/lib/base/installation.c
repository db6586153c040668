/* installation.c: what was built or installed together with this program. */
#include "base/installation.h"
#include "base/die.h"
#include "base/str.h"

#include <glob.h>
#include <unistd.h>

/* PART and NAME below the folder above this program's; NULL if there is no such file. */
static char *
xown_path(const char *part, const char *name)
{
	char *root = realpath("/proc/self/exe", NULL), *path = NULL;
	for (int up = 0; root && up < 2 && strrchr(root, '/'); up++)
		*strrchr(root, '/') = '\0';
	if (root)
		path = xasprintf("%s/%s%s", root, part, name);
	free(root);
	if (!path || access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

char *
installation_file(const char *name)
{
	static const char *const parts[] = {"", "../", "share/nbscope/"};
	char *path = NULL;
	for (size_t i = 0; i < COUNT(parts) && !path; i++)
		path = xown_path(parts[i], name);
	return path;
}

const char *
installation_command(void)
{
	char *rules = xown_path("share/nbscope/", "Makefile");
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

/* The Python environment that nbscope is installed in, if it has JupyterLab: mk/deps.mk. */
static char *
xpython_around(void)
{
	char *rules = xown_path("share/nbscope/", "Makefile"), *folder = xown_path("", "lib");
	char *pattern = xasprintf("%s/python*/site-packages/jupyterlab", folder ? folder : "");
	glob_t found;
	bool has = rules && folder && glob(pattern, 0, NULL, &found) == 0;
	if (has)
		globfree(&found);
	free(pattern);
	free(rules);
	free(folder);
	return has ? xown_path("", "bin/python") : NULL;
}

/* What the command nbscope has made for this version: share/install/nbscope has the same rule. */
static char *
xstored_python(const char *name)
{
	const char *store = str_nonempty(getenv("NBSCOPE_STORE")), *xdg = getenv("XDG_CACHE_HOME");
	const char *cache = str_nonempty(getenv("NBSCOPE_CACHE")), *home = getenv("HOME");
	char *path = store ? xasprintf("%s/%s", store, name) : xasprintf("%s%s/%s/%s",
	    cache ? cache : xdg && *xdg == '/' ? xdg : home ? home : "",
	    cache ? "" : xdg && *xdg == '/' ? "/nbscope" : "/.cache/nbscope",
	    NBSCOPE_VERSION, name);
	char *python = installation_python_of(path);
	free(path);
	return python;
}

char *
installation_python(const char *variable, const char *name)
{
	const char *set = str_nonempty(getenv(variable));
	char *dir = set ? realpath(set, NULL) : xown_path("", name);
	char *python = dir ? installation_python_of(dir) : NULL;
	free(dir);
	if (!python && !set && strcmp(name, "venv") == 0)
		python = xpython_around();
	return python || set ? python : xstored_python(name);
}
