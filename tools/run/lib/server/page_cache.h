/* page_cache.h: what the system keeps of a file in memory. */
#ifndef PAGE_CACHE_H
#define PAGE_CACHE_H

#include <sys/types.h>

/* Writes what is not on disk yet, and requests that nothing of the file stays in memory.  How many
 * bytes of it still are there; -1: it cannot be known. */
off_t page_cache_drop(const char *path);

#endif
