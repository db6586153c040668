/* local_file.h: a file on this machine: copies of it, and what the system keeps of it in memory. */
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

/* Both create `to`, which its owner may write.  0, or -1 and errno: then there is no such file. */

/* A copy that shares the disk space of the original until either is changed.  Fails where the file
 * system has none. */
int local_file_clone(const char *from, const char *to, const struct stat *);
/* A copy of all bytes; holes stay holes. */
int local_file_copy(const char *from, const char *to, const struct stat *);

/* Writes what is not on disk yet, and requests that nothing of the file stays in memory.  How many
 * bytes of it still are there; -1: it cannot be known. */
off_t local_file_drop_cache(const char *path);
