/* disk_use.h: the space that files occupy. */
#ifndef DISK_USE_H
#define DISK_USE_H

#include <dirent.h>
#include <stddef.h>

/* NULL if the folder does not exist. */
DIR *xdisk_open_folder(const char *dir);

struct disk_use {
	size_t n;		/* files, or folders */
	double mean_bytes;	/* on disk; NaN if n is 0 */
};
/* Sums the files in `dir` whose names end in `ending`; NULL: its folders with their files. */
struct disk_use disk_use_of(const char *dir, const char *ending);
double xdisk_file_bytes(const char *path);

#endif
