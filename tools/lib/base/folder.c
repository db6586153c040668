/* folder.c: folders are made and removed. */
#include "base/folder.h"
#include "base/die.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

int
folder_make(const char *path)
{
	char *copy = xstrdup(path);
	int bad = 0;
	for (char *p = copy + 1; !bad; p++) {
		char c = *p;
		if (c && c != '/')
			continue;
		*p = '\0';
		bad = mkdir(copy, 0755) != 0 && errno != EEXIST;
		*p = c;
		if (!c)
			break;
	}
	struct stat st;
	if (!bad && stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
		errno = ENOTDIR;
		bad = 1;
	}
	free(copy);
	return bad ? -1 : 0;
}

static int
remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st, (void)flag, (void)ftw;
	return remove(path) != 0 && errno != ENOENT;
}

int
folder_remove(const char *path)
{
	int bad = nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	return bad && errno != ENOENT ? -1 : 0;
}
