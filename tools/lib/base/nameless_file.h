/* nameless_file.h: a new file that gets its name when it is whole. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Opens a new file without a name in the folder of `temp` (relative to `at`, a folder or
 * AT_FDCWD); where the file system has no such files, one that is called `temp`, and
 * *named is true (O_EXCL, O_NOFOLLOW).  A descriptor, or -1 and errno. */
int nameless_file_create(int at, const char *temp, mode_t, bool *named);
/* Gives it the name `path`, replacing what had it.  0, or -1 and errno: then the file has
 * no name. */
int nameless_file_name(int at, int fd, const char *temp, const char *path, bool named);
