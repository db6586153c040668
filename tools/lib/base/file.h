/* file.h: a whole file. */
#pragma once

#include <stddef.h>

/* The whole file ("-": stdin), with a NUL at its end that *n does not count.  NULL and
 * errno if it cannot be read or is larger than `limit` (EFBIG). */
char *file_read(const char *path, size_t limit, size_t *n);
