/* local_copy.c: a copy of a file on this machine. */
#include "server/local_copy.h"
#include "net/http.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A signal is noticed between two parts. */
enum { CHUNK_BYTES = 1 << 16, PART_BYTES = 64 << 20 };

static int
copy_chunk(int in, int out, off_t *at, size_t n)
{
	char chunk[CHUNK_BYTES];
	ssize_t got = pread(in, chunk, n < sizeof chunk ? n : sizeof chunk, *at);
	if (got == 0)
		errno = EIO;	/* it has become shorter */
	if (got <= 0 || pwrite(out, chunk, (size_t)got, *at) != got)
		return -1;
	*at += got;
	return 0;
}

/* Inside the system where it can do that. */
static int
copy_range(int in, int out, off_t at, off_t end)
{
	bool inside = true;
	while (at < end) {
		size_t left = end - at < PART_BYTES ? (size_t)(end - at) : PART_BYTES;
		off_t to = at;
		if (http_stop) {
			errno = EINTR;
			return -1;
		}
		if (inside && copy_file_range(in, &at, out, &to, left, 0) > 0)
			continue;
		inside = false;
		if (copy_chunk(in, out, &at, left) != 0)
			return -1;
	}
	return 0;
}

static int
copy_data(int in, int out, off_t size)
{
	off_t data = lseek(in, 0, SEEK_DATA), hole;
	if (data < 0 && errno != ENXIO)
		return copy_range(in, out, 0, size);
	for (; data >= 0 && data < size; data = lseek(in, hole, SEEK_DATA)) {
		hole = lseek(in, data, SEEK_HOLE);
		if (hole < 0)
			return -1;
		if (copy_range(in, out, data, hole) != 0)
			return -1;
	}
	return ftruncate(out, size);
}

static int
clone_data(int in, int out, off_t size)
{
	(void)size;
	return ioctl(out, FICLONE, in);
}

static int
make_copy(const char *from, const char *to, const struct stat *st, int (*fill)(int, int, off_t))
{
	int in = open(from, O_RDONLY | O_CLOEXEC), bad = -1;
	if (in < 0)
		return -1;
	mode_t mode = (st->st_mode & 0777) | S_IWUSR;
	int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (out >= 0)
		bad = fill(in, out, st->st_size);
	int saved = errno;
	if (out >= 0 && bad)
		unlink(to);
	if (out >= 0)
		close(out);
	close(in);
	errno = saved;
	return bad ? -1 : 0;
}

int
local_copy_clone(const char *from, const char *to, const struct stat *st)
{
	return make_copy(from, to, st, clone_data);
}

int
local_copy_bytes(const char *from, const char *to, const struct stat *st)
{
	return make_copy(from, to, st, copy_data);
}
