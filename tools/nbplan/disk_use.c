/* disk.c: what files take, and what is free. */
#include "plan.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

enum { BLOCK_BYTES = 512 };

DIR *
xopen_folder(const char *dir)
{
	DIR *d = opendir(dir);
	if (!d && errno != ENOENT)
		die(ST_SYSTEM, "cannot open the folder '%s':", dir);
	return d;
}

static double
disk_bytes(const struct stat *st)
{
	return fmax((double)st->st_size, (double)st->st_blocks * BLOCK_BYTES);
}

static double
measure_inside(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	double bytes = 0;
	struct stat st;
	for (struct dirent *f; d && (f = readdir(d)); )
		if (fstatat(fd, f->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
			bytes += disk_bytes(&st);
	if (d)
		closedir(d);
	return bytes;
}

struct folder
measure_folder(const char *dir, const char *ending)
{
	struct folder found = {0};
	double bytes = 0;
	struct stat st;
	DIR *d = dir ? xopen_folder(dir) : NULL;
	for (struct dirent *f; d && (f = readdir(d)); ) {
		size_t n = strlen(f->d_name), m = ending ? strlen(ending) : 0;
		if (f->d_name[0] == '.' || n < m || (ending && strcmp(f->d_name + n - m, ending) != 0) ||
		    fstatat(dirfd(d), f->d_name, &st, 0) != 0 || (ending ? !S_ISREG(st.st_mode) : !S_ISDIR(st.st_mode)))
			continue;
		found.n++;
		bytes += disk_bytes(&st) + (ending ? 0 : measure_inside(dirfd(d), f->d_name));
	}
	if (d)
		closedir(d);
	found.mean_bytes = found.n ? bytes / (double)found.n : (double)NAN;
	return found;
}

double
file_bytes(const char *path)
{
	struct stat st;
	if (stat(path, &st) != 0)
		die(ST_SYSTEM, "cannot open '%s':", path);
	return disk_bytes(&st);
}

double
free_bytes(const char *dir)
{
	char *path = xstrdup(dir && *dir ? dir : ".");
	struct statvfs fs;
	int bad;
	/* What is not there yet will be made where the folder above it is. */
	while ((bad = statvfs(path, &fs)) != 0 && errno == ENOENT && strcmp(path, ".") != 0) {
		char *slash = strrchr(path, '/');
		if (slash)
			slash[slash == path ? 1 : 0] = '\0';
		else
			path[0] = '.', path[1] = '\0';
	}
	free(path);
	return bad ? (double)NAN : (double)fs.f_bavail * (double)fs.f_frsize;
}
