/* installation.c: what was built or installed together with this program. */
#include "base/installation.h"
#include "base/die.h"
#include "base/str.h"

#include <unistd.h>

char *
installation_file(const char *name)
{
	static const char *const folders[] = {"", "share/nbscope/"};
	char *root = realpath("/proc/self/exe", NULL), *path = NULL;
	for (int up = 0; root && up < 2 && strrchr(root, '/'); up++)
		*strrchr(root, '/') = '\0';
	for (size_t i = 0; root && !path && i < COUNT(folders); i++) {
		path = xasprintf("%s/%s%s", root, folders[i], name);
		if (access(path, X_OK) != 0) {
			free(path);
			path = NULL;
		}
	}
	free(root);
	return path;
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
