/* local_folder.c: a run's folder on the server, if it is on this machine. */
#include "jupyter/local_folder.h"
#include "base/die.h"
#include "base/file.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 1024, MAX_ARGS_BYTES = 1 << 20 };

/* Whether the folder that a process sees at `seen` is the one at `path`: in a container the same
 * path may be another one. */
static bool
is_same(const char *seen, const char *path)
{
	struct stat its, here;
	return stat(seen, &its) == 0 && lstat(path, &here) == 0 && S_ISDIR(here.st_mode) &&
	    its.st_dev == here.st_dev && its.st_ino == here.st_ino;
}

static bool
is_users(const char *proc)
{
	struct stat st;
	return stat(proc, &st) == 0 && st.st_uid == geteuid();
}

/* Reads the working folder of a process; false: it cannot be read. */
static bool
read_link(const char *cwd, char path[PATH_BYTES])
{
	ssize_t n = readlink(cwd, path, PATH_BYTES - 1);
	path[n > 0 ? n : 0] = '\0';
	return n > 0;
}

char *
local_folder_of_kernel(const char *name, pid_t kernel)
{
	char *cwd = xasprintf("/proc/%ld/cwd", (long)kernel), path[PATH_BYTES];
	const char *last = read_link(cwd, path) ? strrchr(path, '/') : NULL;
	bool found = last && strcmp(last + 1, name) == 0 && is_same(cwd, path);
	free(cwd);
	return found ? xstrdup(path) : NULL;
}

/* The folder in `dir`, which a process sees at `seen_dir`. */
static char *
folder_in(const char *seen_dir, const char *dir, const char *name)
{
	char *seen = xasprintf("%s/%s", seen_dir, name), *path = xasprintf("%s/%s", dir, name);
	bool found = is_same(seen, path);
	free(seen);
	if (found)
		return path;
	free(path);
	return NULL;
}

/* Searches the process's working folder and those in its arguments, as in
 * --ServerApp.root_dir=/x. */
static char *
folder_of_process(const char *pid, const char *name)
{
	char *proc = xasprintf("/proc/%s", pid), *cwd = xasprintf("%s/cwd", proc);
	char *cmdline = xasprintf("%s/cmdline", proc), dir[PATH_BYTES], *path = NULL;
	bool users = is_users(proc);
	if (users && read_link(cwd, dir))
		path = folder_in(cwd, dir, name);
	size_t n = 0;
	char *args = users && !path ? file_read(cmdline, MAX_ARGS_BYTES, &n) : NULL;
	for (char *arg = args; arg && !path && arg < args + n; arg += strlen(arg) + 1) {
		const char *given = strstr(arg, "dir=/");
		if (!given)
			continue;
		char *seen_dir = xasprintf("%s/root%s", proc, given + 4);
		path = folder_in(seen_dir, given + 4, name);
		free(seen_dir);
	}
	free(args);
	free(cmdline);
	free(cwd);
	free(proc);
	return path;
}

char *
local_folder_of_server(const char *name)
{
	DIR *d = opendir("/proc");
	char *path = NULL;
	for (struct dirent *e; d && !path && (e = readdir(d)); )
		if (strspn(e->d_name, "0123456789") == strlen(e->d_name))
			path = folder_of_process(e->d_name, name);
	if (d)
		closedir(d);
	return path;
}
