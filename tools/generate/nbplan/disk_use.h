/* disk_use.h: the space that files occupy, and what is free. */
#ifndef DISK_USE_H
#define DISK_USE_H

#include <stddef.h>

struct disk_use {
	size_t n;		/* files, or folders */
	double mean_bytes;	/* on disk; NaN if n is 0 */
};
/* Sums the files in `dir` whose names end in `ending`; NULL: its folders with their files. */
struct disk_use disk_use_of(const char *dir, const char *ending);
double xdisk_file_bytes(const char *path);
/* Bytes that this user can still write where `dir` is, or will be created; NULL or "": the
 * current folder.  NaN if the file system does not report it. */
double disk_free_bytes(const char *dir);

#endif
