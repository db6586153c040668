/* notebook_folder.c: the folder of the notebooks. */
#include "notebook_folder.h"
#include "base/die.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/nameless_file.h"
#include "base/random_hex.h"
#include "json/json_parse.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char suffix[] = ".ipynb";
static const char *dir;
static int dir_fd = -1;
static char temp[64];

void
xnotebook_folder_open(const char *path)
{
	char hex[17];
	dir = path;
	if (folder_make(dir) == 0)
		dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir_fd < 0)
		die(ST_SYSTEM, "cannot open '%s':", dir);
	xrandom_hex(hex, 16);
	snprintf(temp, sizeof temp, ".nbpatch-%s.tmp", hex);
}

_Noreturn static void
die_writing(const char *file)
{
	int saved = errno;
	unlinkat(dir_fd, temp, 0);
	errno = saved;
	die(ST_SYSTEM, "cannot write '%s/%s':", dir, file);
}

/* NULL if it cannot be read or is a link. */
static char *
read_regular_file(const char *file, size_t *n)
{
	struct stat st;
	char *path = xasprintf("%s/%s", dir, file), *text = NULL;
	if (fstatat(dir_fd, file, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
		text = file_read(path, 0, n);
	free(path);
	return text;
}

/* The file is not synced to the disk: content is compared each time, so what is lost when the
 * machine crashes is written again. */
static void
replace_file(const char *file, const struct buf *content)
{
	bool named;
	sigset_t all, before;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);	/* the file may have a name */
	int fd = nameless_file_create(dir_fd, temp, 0666, &named);
	if (fd < 0)
		die_writing(file);
	for (size_t at = 0; at < content->n;) {
		ssize_t n = write(fd, content->p + at, content->n - at);
		if (n < 0 && errno != EINTR)
			die_writing(file);
		at += n > 0 ? (size_t)n : 0;
	}
	/* A network file system may report only now that the disk is full. */
	if ((named && close(fd) != 0) || nameless_file_name(dir_fd, fd, temp, file, named) != 0)
		die_writing(file);
	if (!named)
		close(fd);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

bool
xnotebook_folder_write(const char *name, const struct buf *content)
{
	size_t n;
	char *file = xasprintf("%s%s", name, suffix), *text = read_regular_file(file, &n);
	bool differs = !text || n != content->n || memcmp(text, content->p, n) != 0;
	if (differs)
		replace_file(file, content);
	free(text);
	free(file);
	return differs;
}

/* Whether nbpatch made a file for one of the use cases: its metadata must say so, with its name. */
static bool
is_ours(const json_t *usecases, const char *file, size_t stem)
{
	size_t n;
	char *text = read_regular_file(file, &n), *error = NULL;
	json_t *root = text ? json_parse_text(text, n, file, &error) : NULL;
	json_t *made = json_object_get(json_object_get(root, "metadata"), "nbscope");
	const char *usecase = json_string_value(json_object_get(made, "usecase"));
	const char *name = json_string_value(json_object_get(made, "name"));
	bool ours = usecase && name && json_object_get(usecases, usecase) &&
	    strlen(name) == stem && strncmp(name, file, stem) == 0;
	json_decref(root);
	free(text);
	free(error);
	return ours;
}

size_t
xnotebook_folder_prune(const json_t *usecases, const json_t *names)
{
	size_t removed = 0;
	DIR *d = fdopendir(dup(dir_fd));
	if (!d)
		die(ST_SYSTEM, "cannot read '%s':", dir);
	for (struct dirent *e; (e = readdir(d));) {
		size_t n = strlen(e->d_name), stem = n - strlen(suffix);
		if (n <= strlen(suffix) || strcmp(e->d_name + stem, suffix) != 0 ||
		    json_object_getn(names, e->d_name, stem) || !is_ours(usecases, e->d_name, stem))
			continue;
		if (unlinkat(dir_fd, e->d_name, 0) != 0)
			die(ST_SYSTEM, "cannot remove '%s/%s':", dir, e->d_name);
		removed++;
	}
	closedir(d);
	return removed;
}
