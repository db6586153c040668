/* installation_python.c: the Python environments that belong to this installation. */
#include "base/installation_python.h"
#include "base/die.h"
#include "base/installation.h"
#include "base/str.h"

#include <stdlib.h>
#include <unistd.h>

char *
installation_python_of(const char *environment)
{
	char *path = xasprintf("%s/bin/python", environment);
	if (access(path, X_OK) == 0)
		return path;
	free(path);
	return NULL;
}

char *
installation_python(const char *variable, const char *name)
{
	const char *set = str_nonempty(getenv(variable));
	char *dir = set ? realpath(set, NULL) : NULL, *path = xasprintf("%s/bin/python", name);
	char *python = dir ? installation_python_of(dir) : set ? NULL : installation_file(path);
	free(path);
	free(dir);
	return python;
}
