/* page_cache.c: what the system keeps of a file in memory. */
#include "server/page_cache.h"
#include "base/die.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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
page_cache_drop(const char *path)
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
