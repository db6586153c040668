/* browser_caches.c: what a Chromium has saved of the pages that it showed. */
#include "browser_caches.h"
#include "base/die.h"
#include "base/folder.h"
#include "server/local_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

/* Paths in the profile's folder. */
static const char *const parts[] = {"Default/Cache", "Default/Code Cache"};

static int64_t copy_tree(const char *from, const char *to);

static int64_t
copy_entry(const char *from, const char *to)
{
	struct stat st;
	if (lstat(from, &st) != 0)
		return -1;
	if (S_ISDIR(st.st_mode))
		return copy_tree(from, to);
	if (!S_ISREG(st.st_mode))
		return 0;
	bool copied = local_file_clone(from, to, &st) == 0 || local_file_copy(from, to, &st) == 0;
	return copied ? (int64_t)st.st_size : -1;
}

/* Bytes; -1 and errno. */
static int64_t
copy_tree(const char *from, const char *to)
{
	int64_t bytes = 0;
	DIR *dir = folder_make(to) == 0 ? opendir(from) : NULL;
	if (!dir)
		return -1;
	for (struct dirent *e; bytes >= 0 && (errno = 0, e = readdir(dir)); ) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		char *source = xasprintf("%s/%s", from, e->d_name);
		char *copy = xasprintf("%s/%s", to, e->d_name);
		int64_t more = copy_entry(source, copy);
		bytes = more < 0 ? -1 : bytes + more;
		free(source);
		free(copy);
	}
	int saved = errno;
	closedir(dir);
	errno = saved;
	return saved ? -1 : bytes;
}

int64_t
browser_caches_copy(const char *from, const char *to)
{
	int64_t bytes = 0;
	for (size_t i = 0; i < COUNT(parts) && bytes >= 0; i++) {
		char *source = xasprintf("%s/%s", from, parts[i]);
		char *copy = xasprintf("%s/%s", to, parts[i]);
		int64_t more = copy_tree(source, copy);
		bytes = more < 0 ? -1 : bytes + more;
		free(source);
		free(copy);
	}
	return bytes;
}

int
browser_caches_save(const char *profile, const char *folder)
{
	char *unfinished = xasprintf("%s.new", folder);
	folder_remove(unfinished);
	bool saved = browser_caches_copy(profile, unfinished) > 0 &&
	    rename(unfinished, folder) == 0;
	int reason = errno;
	if (!saved)
		folder_remove(unfinished);
	free(unfinished);
	errno = reason;
	return saved ? 0 : -1;
}
