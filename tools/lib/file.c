/* file.c: a file appears whole or not at all. */
#include "nbscope.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *
read_file(const char *path, size_t limit, size_t *n)
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

/* The folder of a path, as openat wants it. */
static char *
folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? xasprintf("%.*s", slash == path ? 1 : (int)(slash - path), path) : xstrdup(".");
}

/* What has no name yet is gone with its process, even one that is killed.  Not
 * every file system can do so. */
int
nameless_open(int at, const char *temp, mode_t mode, bool *named)
{
	char *folder = folder_of(temp);
	int fd = access("/proc/self/fd", X_OK) != 0 ? -1 : openat(at, folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
	free(folder);
	*named = fd < 0;
	return fd >= 0 ? fd : openat(at, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

int
nameless_put(int at, int fd, const char *temp, const char *path, bool named)
{
	char self[64];
	snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
	/* A link replaces nothing, so only a new file needs no second name. */
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

/* What nothing may take the place of: a pipe, a device such as /dev/null, and
 * the names of our own open files. */
static bool
is_stream(const char *path)
{
	static const char *const own[] = {"/dev/std", "/dev/fd/", "/proc/"};
	struct stat st;
	bool named = false;
	for (size_t i = 0; i < COUNT(own); i++)
		named = named || strncmp(path, own[i], strlen(own[i])) == 0;
	return stat(path, &st) == 0 && !S_ISDIR(st.st_mode) && (named || !S_ISREG(st.st_mode));
}

int
save_open(struct saving *s, const char *path)
{
	char tag[9];
	xrandom_hex(tag, 8);
	const char *slash = strrchr(path, '/');
	int dir = slash ? (int)(slash - path + 1) : 0;
	*s = (struct saving){.path = xstrdup(path), .temp = xasprintf("%.*s.%s.tmp", dir, path, tag), .stream = is_stream(path)};
	int fd = s->stream ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : nameless_open(AT_FDCWD, s->temp, 0644, &s->named);
	s->f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!s->f) {
		int saved = errno;
		if (fd >= 0) {
			close(fd);
			unlink(s->temp);
		}
		free(s->path);
		free(s->temp);
		s->path = s->temp = NULL;
		errno = saved;
		return -1;
	}
	return 0;
}

int
save_commit(struct saving *s)
{
	if (!errno)
		errno = EIO;	/* an earlier write failed, and its reason is gone */
	bool bad = fflush(s->f) != 0 || ferror(s->f) || (!s->stream && fsync(fileno(s->f)) != 0);
	if (bad || (!s->stream && nameless_put(AT_FDCWD, fileno(s->f), s->temp, s->path, s->named) != 0)) {
		save_abort(s);
		return -1;
	}
	fclose(s->f);
	free(s->path);
	free(s->temp);
	*s = (struct saving){0};
	return 0;
}

void
save_abort(struct saving *s)
{
	int saved = errno;
	if (s->f) {
		fclose(s->f);
		if (s->named)
			unlink(s->temp);
	}
	free(s->path);
	free(s->temp);
	*s = (struct saving){0};
	errno = saved;
}

int
make_dirs(const char *path)
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
remove_tree(const char *path)
{
	int bad = nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	return bad && errno != ENOENT ? -1 : 0;
}

static char *
trim(char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	size_t n = strlen(s);
	while (n && strchr(" \t\r", s[n - 1]))
		s[--n] = '\0';
	return s;
}

/* Whether it set what others shall not know. */
static bool
dotenv_line(char *line)
{
	line = trim(line);
	if (strncmp(line, "export ", 7) == 0)
		line = trim(line + 7);
	char *eq = strchr(line, '=');
	if (!eq || strncmp(line, "JUPYTERLAB_", 11) != 0)
		return false;
	*eq = '\0';
	char *key = trim(line), *value = trim(eq + 1);
	if (key[strspn(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")])
		return false;	/* no name of ours: "JUPYTERLAB_URL x=1" */
	if (*value == '"' || *value == '\'') {
		char *end = strchr(value + 1, *value);
		if (end)
			*end = '\0';
		value++;
	} else {
		char *hash = strstr(value, " #");
		if (hash)
			*hash = '\0';
		value = trim(value);
	}
	if (getenv(key))
		return false;
	xsetenv(key, value);
	return strstr(key, "TOKEN") || strstr(key, "PASSWORD");
}

/* Whether the file is ours or root's, and no other can write it: else somebody
 * may have chosen the server that gets our token. */
static bool
is_trusted(const char *path, mode_t *mode)
{
	struct stat st;
	bool known = stat(path, &st) == 0;
	*mode = known ? st.st_mode : 0;
	return !known || ((st.st_uid == geteuid() || st.st_uid == 0) && !(st.st_mode & S_IWOTH));
}

void
xload_dotenv(const char *path)
{
	size_t n;
	char *text = read_file(path, 1 << 20, &n), *rest = text, *line;
	if (!text) {
		if (errno != ENOENT && errno != ENOTDIR)
			die(ST_SYSTEM, "cannot read '%s':", path);
		return;
	}
	mode_t mode;
	bool secret = false;
	if (!is_trusted(path, &mode))
		die(ST_SYSTEM, "cannot use '%s': another user can write it", path);
	while ((line = strsep(&rest, "\n")))
		secret = dotenv_line(line) || secret;
	explicit_bzero(text, n);
	free(text);
	if (secret && (mode & (S_IRGRP | S_IROTH)))
		warn("other users can read the token or the password in '%s': chmod 600 %s", path, path);
}
