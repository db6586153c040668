/* procfile.c: small files of the system that stay open and are read again and again. */
#include "resource/procfile.h"
#include "base/die.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

char *
procfile_path(const char *path)
{
	const char *root = getenv("NBSCOPE_SYSROOT");
	return xasprintf("%s%s", root ? root : "", path);
}

struct procfile
procfile_open(const char *path)
{
	struct procfile f = {.path = procfile_path(path)};
	f.fd = open(f.path, O_RDONLY | O_CLOEXEC);
	f.error = f.fd < 0 ? errno : 0;
	return f;
}

bool
procfile_read(struct procfile *f, char text[PROCFILE_BYTES])
{
	if (f->fd < 0)
		return false;
	ssize_t n = pread(f->fd, text, PROCFILE_BYTES - 1, 0);
	f->error = n < 0 ? errno : n == 0 ? ENODATA : 0;
	if (n <= 0)
		return false;
	text[n] = '\0';
	return true;
}

bool
procfile_number(const char *text, const char *key, uint64_t *value)
{
	size_t n = strlen(key);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, n) != 0)
			continue;
		char *end;
		*value = strtoull(line + n, &end, 10);
		return end != line + n;
	}
	return false;
}

void
procfile_close(struct procfile *f)
{
	if (f->fd >= 0)
		close(f->fd);
	free(f->path);
}
