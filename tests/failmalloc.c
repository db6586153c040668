/* failmalloc: preloaded, it lets the Nth allocation of a program fail, its forked
 * children's counted with its own.  FAIL_AT=N, counted from main's first on; FAIL_IN:
 * the program's short name; FAIL_TOLD: a file that is made when it has failed.  From
 * there on all is as ever: a program that goes on shows what it makes of it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_long *left;	/* until the one that fails; NULL: none does */
static const char *told;

__attribute__((constructor)) static void
start(void)
{
	const char *at = getenv("FAIL_AT"), *in = getenv("FAIL_IN");
	told = getenv("FAIL_TOLD");
	if (!at || (in && strcmp(in, program_invocation_short_name) != 0))
		return;
	void *shared = mmap(NULL, sizeof *left, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		abort();
	left = shared;
	*left = strtol(at, NULL, 10);
}

static bool
fails(void)
{
	if (!left || *left <= 0 || atomic_fetch_sub(left, 1) != 1)
		return false;
	int fd = told ? open(told, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
	if (fd >= 0)
		close(fd);
	errno = ENOMEM;
	return true;
}

void *
malloc(size_t n)
{
	return fails() ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	return fails() ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	return n && fails() ? NULL : __libc_realloc(p, n);
}

void *
reallocarray(void *p, size_t n, size_t size)
{
	if (size && n > (size_t)-1 / size) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(p, n * size);
}

void *
aligned_alloc(size_t align, size_t n)
{
	return fails() ? NULL : __libc_memalign(align, n);
}

int
posix_memalign(void **p, size_t align, size_t n)
{
	*p = fails() ? NULL : __libc_memalign(align, n);
	return *p ? 0 : ENOMEM;
}
