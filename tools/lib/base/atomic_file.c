/* atomic_file.c: a file appears whole or not at all. */
#include "base/atomic_file.h"
#include "base/die.h"
#include "base/folder.h"
#include "base/nameless_file.h"
#include "base/output.h"
#include "base/random_hex.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

/* Must not be replaced: a pipe, a device such as /dev/null, the names of our own open
 * files. */
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
atomic_file_open(struct atomic_file *s, const char *path)
{
	char tag[9];
	xrandom_hex(tag, 8);
	const char *slash = strrchr(path, '/');
	int dir = slash ? (int)(slash - path + 1) : 0;
	*s = (struct atomic_file){.path = xstrdup(path), .stream = is_stream(path),
		.temp = xasprintf("%.*s.%s.tmp", dir, path, tag)};
	int fd = s->stream ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
	    : nameless_file_create(AT_FDCWD, s->temp, 0644, &s->named);
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
atomic_file_commit(struct atomic_file *s)
{
	if (!errno)
		errno = EIO;	/* an earlier write failed; its errno is lost */
	bool bad = fflush(s->f) != 0 || ferror(s->f);
	if (!bad && !s->stream)
		bad = fsync(fileno(s->f)) != 0 ||
		    nameless_file_name(AT_FDCWD, fileno(s->f), s->temp, s->path, s->named) != 0;
	if (bad) {
		atomic_file_abort(s);
		return -1;
	}
	fclose(s->f);
	free(s->path);
	free(s->temp);
	*s = (struct atomic_file){0};
	return 0;
}

void
atomic_file_abort(struct atomic_file *s)
{
	int saved = errno;
	if (s->f) {
		fclose(s->f);
		if (s->named)
			unlink(s->temp);
	}
	free(s->path);
	free(s->temp);
	*s = (struct atomic_file){0};
	errno = saved;
}

static struct atomic_file *under_way;

static void
abort_at_exit(void)
{
	if (under_way && under_way->f)
		atomic_file_abort(under_way);
}

void
xatomic_file_open(struct atomic_file *s, const char *path)
{
	struct stat st;
	char *dir = xstrdup(path), *slash = strrchr(dir, '/');
	if (slash)
		*slash = '\0';
	if (slash && *dir && folder_make(dir) != 0)
		die(ST_SYSTEM, "cannot make the folder '%s':", dir);
	free(dir);
	bool folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
	if (folder)
		errno = EISDIR;
	if (folder || atomic_file_open(s, path) != 0)
		die(ST_SYSTEM, "cannot write '%s':", path);
	static bool registered;
	if (!registered)
		atexit(abort_at_exit);
	registered = true;
	under_way = s;
}

void
xatomic_file_write(const char *path, void (*put)(FILE *, void *), void *arg)
{
	struct atomic_file s;
	sigset_t all, before;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	xatomic_file_open(&s, path);
	put(s.f, arg);
	if (atomic_file_commit(&s) != 0)
		die(ST_SYSTEM, "cannot write '%s':", path);
	under_way = NULL;
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void
write_buf(FILE *f, void *arg)
{
	const struct buf *b = arg;
	fwrite(b->p ? b->p : "", 1, b->n, f);
}

void
xatomic_file_write_buf(const char *path, const struct buf *b)
{
	struct buf copy = *b;
	xatomic_file_write(path, write_buf, &copy);
}

void
xatomic_file_put_buf(const char *path, const struct buf *b)
{
	if (path)
		xatomic_file_write_buf(path, b);
	else
		xoutput_text(b->p ? b->p : "", b->n);
}
