/* disk_use.c: the space that files occupy, and what is free. */
#include "disk_use.h"
#include "base/die.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

enum { BLOCK_BYTES = 512 };

/* NULL if the folder does not exist. */
static DIR *
xopen_folder(const char *dir)
{
	DIR *d = opendir(dir);
	if (!d && errno != ENOENT)
		die(ST_SYSTEM, "cannot open the folder '%s':", dir);
	return d;
}

static double
stat_bytes(const struct stat *st)
{
	return fmax((double)st->st_size, (double)st->st_blocks * BLOCK_BYTES);
}

static double
inner_bytes(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	double bytes = 0;
	struct stat st;
	for (struct dirent *f; d && (f = readdir(d)); )
		if (fstatat(fd, f->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
			bytes += stat_bytes(&st);
	if (d)
		closedir(d);
	return bytes;
}

struct disk_use
disk_use_of(const char *dir, const char *ending)
{
	struct disk_use use = {.mean_bytes = (double)NAN};
	double bytes = 0;
	struct stat st;
	DIR *d = dir ? xopen_folder(dir) : NULL;
	for (struct dirent *f; d && (f = readdir(d)); ) {
		if (f->d_name[0] == '.' || fstatat(dirfd(d), f->d_name, &st, 0) != 0)
			continue;
		bool counts = ending ? S_ISREG(st.st_mode) && str_ends_with(f->d_name, ending) :
		    S_ISDIR(st.st_mode);
		if (!counts)
			continue;
		use.n++;
		bytes += stat_bytes(&st) + (ending ? 0 : inner_bytes(dirfd(d), f->d_name));
	}
	if (d)
		closedir(d);
	if (use.n)
		use.mean_bytes = bytes / (double)use.n;
	return use;
}

double
xdisk_file_bytes(const char *path)
{
	struct stat st;
	if (stat(path, &st) != 0)
		die(ST_SYSTEM, "cannot open '%s':", path);
	return stat_bytes(&st);
}

double
disk_free_bytes(const char *dir)
{
	char *path = xstrdup(dir && *dir ? dir : ".");
	struct statvfs fs;
	int bad;
	/* A folder that does not exist yet will be created in the one above it. */
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
