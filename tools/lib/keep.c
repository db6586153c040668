/* keep.c: files that programs are told to write, in folders that may not exist. */
#include "keep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct saving *under_way;

static void
drop(void)
{
	if (under_way && under_way->f)
		save_abort(under_way);
}

void
xkeep_open(struct saving *s, const char *path)
{
	struct stat st;
	char *dir = xstrdup(path), *slash = strrchr(dir, '/');
	if (slash)
		*slash = '\0';
	if (slash && *dir && make_dirs(dir) != 0)
		die(ST_SYSTEM, "cannot make the folder '%s':", dir);
	free(dir);
	bool folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
	if (folder)
		errno = EISDIR;
	if (folder || save_open(s, path) != 0)
		die(ST_SYSTEM, "cannot write '%s':", path);
	static bool registered;
	if (!registered)
		atexit(drop);
	registered = true;
	under_way = s;
}

void
xkeep(const char *path, void (*put)(FILE *, void *), void *arg)
{
	struct saving s;
	sigset_t all, before;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	xkeep_open(&s, path);
	put(s.f, arg);
	if (save_commit(&s) != 0)
		die(ST_SYSTEM, "cannot write '%s':", path);
	under_way = NULL;
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void
put_buf(FILE *f, void *arg)
{
	const struct buf *b = arg;
	fwrite(b->p ? b->p : "", 1, b->n, f);
}

void
xkeep_buf(const char *path, const struct buf *b)
{
	struct buf copy = *b;
	xkeep(path, put_buf, &copy);
}

void
xput_buf(const char *path, const struct buf *b)
{
	if (path)
		xkeep_buf(path, b);
	else
		xput_text(b->p ? b->p : "", b->n);
}

bool
xkeep_base64(const char *path, const char *text)
{
	struct buf b = {0};
	if (!(b.p = (char *)base64_decode(text, &b.n)))
		return false;
	xkeep_buf(path, &b);
	free(b.p);
	return true;
}
