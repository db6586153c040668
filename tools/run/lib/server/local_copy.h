/* local_copy.h: a copy of a file on this machine. */
#ifndef LOCAL_COPY_H
#define LOCAL_COPY_H

#include <sys/stat.h>

/* Both create `to`, which its owner may write.  0, or -1 and errno: then there is no such file. */

/* A copy that shares the disk space of the original until either is changed.  Fails where the file
 * system has none. */
int local_copy_clone(const char *from, const char *to, const struct stat *);
/* A copy of all bytes; holes stay holes. */
int local_copy_bytes(const char *from, const char *to, const struct stat *);

#endif
