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

int
save_open(struct saving *s, const char *path)
{
	char tag[9];
	xrandom_hex(tag, 8);
	const char *slash = strrchr(path, '/');
	int dir = slash ? (int)(slash - path + 1) : 0;
	s->path = xstrdup(path);
	s->temp = xasprintf("%.*s.%s.tmp", dir, path, tag);
	int fd = open(s->temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
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
	bool bad = fflush(s->f) != 0 || ferror(s->f) || fsync(fileno(s->f)) != 0;
	if (bad || rename(s->temp, s->path) != 0) {
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
	int bad = nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
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

static void
dotenv_line(char *line)
{
	line = trim(line);
	if (strncmp(line, "export ", 7) == 0)
		line = trim(line + 7);
	char *eq = strchr(line, '=');
	if (!eq || strncmp(line, "JUPYTERLAB_", 11) != 0)
		return;
	*eq = '\0';
	char *key = trim(line), *value = trim(eq + 1);
	if (key[strspn(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")])
		return;	/* no name of ours: "JUPYTERLAB_URL x=1" */
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
	setenv(key, value, 0);
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
	while ((line = strsep(&rest, "\n")))
		dotenv_line(line);
	free(text);
}
