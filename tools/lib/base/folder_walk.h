/* folder_walk.h: everything below a folder. */
#pragma once

#include <sys/stat.h>

/* Calls visit() for everything below the folder, in the order of names and following links, with
 * its path, that below the folder, and its stat, NULL where it cannot be read (errno). Leaves out
 * Python's caches. A path that is no folder is visited itself, by its name.
 * Returns what is not 0 from visit(), at once; else 0. */
int folder_walk(const char *path, int (*visit)(void *arg, const char *path, const char *below,
    const struct stat *), void *arg);
