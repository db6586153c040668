/* file.c: a whole file. */
#include "base/file.h"
#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
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
