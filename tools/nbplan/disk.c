/* disk.c: free space on disk. */
#include "disk.h"
#include "base/die.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

double
disk_free_bytes(const char *dir)
{
	char *path = xstrdup(dir && *dir ? dir : ".");
	struct statvfs fs;
	int bad;
	/* A folder that does not exist yet will be created in the one above it. */
	while ((bad = statvfs(path, &fs)) != 0 && errno == ENOENT && strcmp(path, ".") != 0) {
		char *slash = strrchr(path, '/');
		if (slash)
			slash[slash == path ? 1 : 0] = '\0';
		else
			path[0] = '.', path[1] = '\0';
	}
	free(path);
	return bad ? (double)NAN : (double)fs.f_bavail * (double)fs.f_frsize;
}
