/* table_memory.c: arrays with a value for each row. */
#include "table/table_memory.h"
#include "base/die.h"
#include "base/str.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LARGE_BYTES = 4 << 20 };

/* What is before an array. */
struct memory_head {
	_Alignas(64) size_t bytes;	/* with the head */
	int fd;		/* of its file; -1: it has none */
};

static struct memory_head *
head_of(void *p)
{
	return (struct memory_head *)p - 1;
}

static int
open_file(void)
{
	const char *folder = getenv("TMPDIR");
	return open(str_nonempty(folder) ? folder : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

/* Reserves the bytes on the disk, so that none can be missing later; `old` is the mapping of the
 * file so far, or NULL.  NULL: there is no room. */
static struct memory_head *
map_file(int fd, struct memory_head *old, size_t bytes)
{
	if (fd < 0 || fallocate(fd, 0, 0, (off_t)bytes) != 0)
		return NULL;
	void *p = old ? mremap(old, old->bytes, bytes, MREMAP_MAYMOVE) :
	    mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return p == MAP_FAILED ? NULL : p;
}

static void
free_head(struct memory_head *h)
{
	if (h && h->fd >= 0) {
		close(h->fd);
		munmap(h, h->bytes);
	} else {
		free(h);
	}
}

/* A new array in a file of its own, or without one. */
static struct memory_head *
new_head(size_t bytes)
{
	int fd = bytes >= LARGE_BYTES ? open_file() : -1;
	struct memory_head *h = map_file(fd, NULL, bytes);
	if (!h && fd >= 0)
		close(fd);
	fd = h ? fd : -1;
	h = h ? h : xmalloc(bytes);
	*h = (struct memory_head){bytes, fd};
	return h;
}

void *
table_memory_resize(void *p, size_t bytes)
{
	struct memory_head *old = p ? head_of(p) : NULL, *new = NULL;
	bytes += sizeof *new;
	if (old && old->fd >= 0)
		new = map_file(old->fd, old, bytes);
	else if (old && bytes < LARGE_BYTES)
		new = xrealloc(old, bytes);
	if (!new) {
		new = new_head(bytes);
		if (old)
			memcpy(new + 1, old + 1, (old->bytes < bytes ? old->bytes : bytes) -
			    sizeof *old);
		free_head(old);
	}
	new->bytes = bytes;
	return new + 1;
}

void
table_memory_release(void *p)
{
	if (p && head_of(p)->fd >= 0)
		madvise(head_of(p), head_of(p)->bytes, MADV_DONTNEED);
}

void
table_memory_free(void *p)
{
	if (p)
		free_head(head_of(p));
}
