/* installation.c: what was built or installed together with this program. */
#include "base/installation.h"
#include "base/die.h"

#include <stdlib.h>
#include <string.h>
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
