/* file.c: files and folders. */
#include "base/file.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *
file_read(const char *path, size_t limit, size_t *n)
{
	int fd = strcmp(path, "-") == 0 ? dup(0) : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	struct buf b = {.limit = limit};
	char chunk[1 << 16];
	ssize_t got;
	while ((got = read(fd, chunk, sizeof chunk)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || buf_add(&b, chunk, (size_t)got) < 0) {
			int saved = got < 0 ? errno : EFBIG;
			close(fd);
			buf_free(&b);
			errno = saved;
			return NULL;
		}
	}
	close(fd);
	if (!b.p)
		buf_add(&b, "", 0);
	*n = b.n;
	return b.p;
}

int
file_make_dirs(const char *path)
{
	char *copy = xstrdup(path);
	int bad = 0;
	for (char *p = copy + 1; !bad; p++) {
		char c = *p;
		if (c && c != '/')
			continue;
		*p = '\0';
		bad = mkdir(copy, 0755) != 0 && errno != EEXIST;
		*p = c;
		if (!c)
			break;
	}
	struct stat st;
	if (!bad && stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
		errno = ENOTDIR;
		bad = 1;
	}
	free(copy);
	return bad ? -1 : 0;
}

static int
remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st, (void)flag, (void)ftw;
	return remove(path) != 0 && errno != ENOENT;
}

int
file_remove_tree(const char *path)
{
	int bad = nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	return bad && errno != ENOENT ? -1 : 0;
}

/* Opened in the wrong direction, so that using them fails. */
void
file_fill_standard(void)
{
	static const int flags[] = {O_WRONLY, O_RDONLY, O_RDONLY};
	for (int fd = 0; fd < (int)COUNT(flags); fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags[fd]) != fd)
			die(ST_SYSTEM, "cannot open '/dev/null':");
}

char *
file_of_installation(const char *name)
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
file_python(const char *environment)
{
	char *path = xasprintf("%s/bin/python", environment);
	if (access(path, X_OK) == 0)
		return path;
	free(path);
	return NULL;
}

char *
file_own_python(const char *variable, const char *name)
{
	const char *set = str_nonempty(getenv(variable));
	char *dir = set ? realpath(set, NULL) : NULL, *path = xasprintf("%s/bin/python", name);
	char *python = dir ? file_python(dir) : set ? NULL : file_of_installation(path);
	free(path);
	free(dir);
	return python;
}
