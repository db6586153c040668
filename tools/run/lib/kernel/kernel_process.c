/* kernel_process.c: a kernel's process on this machine. */
#include "kernel/kernel_process.h"
#include "base/die.h"
#include "base/file.h"
#include "process/process_entry.h"

#include <dirent.h>
#include <stdio.h>

static bool
has_argument(const char *pid, const char *file)
{
	char path[64];
	size_t n;
	snprintf(path, sizeof path, "/proc/%.20s/cmdline", pid);
	char *args = file_read(path, 1 << 20, &n);
	bool found = args && memmem(args, n, file, strlen(file));
	free(args);
	return found;
}

static bool
is_ancestor(pid_t ancestor, pid_t pid)
{
	while (pid > 1 && pid != ancestor)
		pid = process_entry_parent(pid);
	return pid == ancestor;
}

/* A wrapper, such as the command of KERNEL_PREFIX, has the file among its arguments too: the
 * kernel is the innermost process. */
pid_t
kernel_process_find(const char *kernel_id)
{
	char *file = xasprintf("kernel-%s.json", kernel_id);
	DIR *d = opendir("/proc");
	pid_t found = 0;
	for (struct dirent *e; d && (e = readdir(d)); ) {
		const char *name = e->d_name;
		if (strspn(name, "0123456789") != strlen(name) || !has_argument(name, file))
			continue;
		pid_t pid = (pid_t)strtol(name, NULL, 10);
		if (!found || !is_ancestor(pid, found))
			found = pid;
	}
	if (d)
		closedir(d);
	free(file);
	return found;
}

pid_t
kernel_process_server(const char *kernel_id, pid_t kernel)
{
	char *file = xasprintf("kernel-%s.json", kernel_id), number[24];
	pid_t pid = kernel;
	do {
		pid = process_entry_parent(pid);
		snprintf(number, sizeof number, "%ld", (long)pid);
	} while (pid > 1 && has_argument(number, file));
	free(file);
	return pid;
}
