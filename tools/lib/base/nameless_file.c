/* nameless_file.c: a new file that gets its name when it is whole. */
#include "base/nameless_file.h"
#include "base/die.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* The folder of a path, for openat(2). */
static char *
folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? xasprintf("%.*s", slash == path ? 1 : (int)(slash - path), path)
	    : xstrdup(".");
}

/* A file without a name disappears with its process, even when that is killed.  Not every
 * file system supports it. */
int
nameless_file_create(int at, const char *temp, mode_t mode, bool *named)
{
	char *folder = folder_of(temp);
	int fd = -1;
	if (access("/proc/self/fd", X_OK) == 0)
		fd = openat(at, folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
	free(folder);
	*named = fd < 0;
	if (fd >= 0)
		return fd;
	return openat(at, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

int
nameless_file_name(int at, int fd, const char *temp, const char *path, bool named)
{
	char self[64];
	snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
	/* linkat(2) replaces nothing: an existing file needs a second name and rename(2). */
	if (!named && linkat(AT_FDCWD, self, at, path, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	if (!named && (errno != EEXIST || linkat(AT_FDCWD, self, at, temp, AT_SYMLINK_FOLLOW) != 0))
		return -1;
	if (renameat(at, temp, at, path) == 0)
		return 0;
	int saved = errno;
	unlinkat(at, temp, 0);
	errno = saved;
	return -1;
}
