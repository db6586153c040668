/* local_file.c: a file on this machine: copies of it, and what the system keeps of it in memory. */
#include "server/local_file.h"
#include "base/die.h"
#include "net/http.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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
		if (inside && syscall(SYS_copy_file_range, in, &at, out, &to, left, 0) > 0)
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
local_file_clone(const char *from, const char *to, const struct stat *st)
{
	return make_copy(from, to, st, clone_data);
}

int
local_file_copy(const char *from, const char *to, const struct stat *st)
{
	return make_copy(from, to, st, copy_data);
}

enum { WINDOW_BYTES = 1 << 30 };

/* Linux reports every page of another user's file as if it were in memory. */
static bool
may_know(int fd, const struct stat *st)
{
	char *path = xasprintf("/proc/self/fd/%d", fd);
	bool may = st->st_uid == geteuid() || faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
	free(path);
	return may;
}

static off_t
resident_bytes(int fd, off_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *in_memory = xmalloc((size_t)WINDOW_BYTES / page);
	off_t resident = 0;
	for (off_t at = 0; at < size && resident >= 0; at += WINDOW_BYTES) {
		size_t n = size - at < WINDOW_BYTES ? (size_t)(size - at) : WINDOW_BYTES;
		void *map = mmap(NULL, n, PROT_READ, MAP_SHARED, fd, at);
		if (map == MAP_FAILED || mincore(map, n, in_memory) != 0) {
			resident = -1;
		} else {
			for (size_t i = 0; i < (n + page - 1) / page; i++)
				resident += in_memory[i] & 1 ? (off_t)page : 0;
		}
		if (map != MAP_FAILED)
			munmap(map, n);
	}
	free(in_memory);
	return resident > size ? size : resident;
}

off_t
local_file_drop_cache(const char *path)
{
	struct stat st;
	off_t resident = -1;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	fdatasync(fd);
	int refused = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	if (fstat(fd, &st) == 0 && !refused && may_know(fd, &st))
		resident = st.st_size ? resident_bytes(fd, st.st_size) : 0;
	close(fd);
	return resident;
}
