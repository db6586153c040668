/* portpid.c: which process of this machine listens on a port of it. */
#include "browser.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LISTENS = 0x0A, TABLE_LIMIT_BYTES = 64 << 20 };

/* The inode of the socket that listens on the port; 0: none in this table. */
static unsigned long
listening_inode(const char *table, long port)
{
	size_t n;
	unsigned long found = 0;
	char *text = read_file(table, TABLE_LIMIT_BYTES, &n), *rest = text, *line;
	while (!found && rest && (line = strsep(&rest, "\n"))) {
		unsigned int at, state;
		unsigned long inode;
		if (sscanf(line, " %*d: %*[0-9A-F]:%x %*[0-9A-F]:%*x %x %*s %*s %*s %*s %*s %lu", &at, &state, &inode) == 3 &&
		    state == LISTENS && at == (unsigned int)port)
			found = inode;
	}
	free(text);
	return found;
}

static bool
has_socket(const char *pid, const char *want)
{
	char path[300], target[64];
	snprintf(path, sizeof path, "/proc/%.20s/fd", pid);
	DIR *d = opendir(path);
	bool found = false;
	for (struct dirent *e; d && !found && (e = readdir(d)); ) {
		snprintf(path, sizeof path, "/proc/%.20s/fd/%.20s", pid, e->d_name);
		ssize_t n = readlink(path, target, sizeof target - 1);
		target[n > 0 ? n : 0] = '\0';
		found = strcmp(target, want) == 0;
	}
	if (d)
		closedir(d);
	return found;
}

pid_t
port_pid(long port)
{
	unsigned long inode = listening_inode("/proc/net/tcp", port);
	if (!inode && !(inode = listening_inode("/proc/net/tcp6", port)))
		return 0;
	char *want = xasprintf("socket:[%lu]", inode);
	DIR *d = opendir("/proc");
	pid_t found = 0;
	for (struct dirent *e; d && !found && (e = readdir(d)); )
		if (strspn(e->d_name, "0123456789") == strlen(e->d_name) && has_socket(e->d_name, want))
			found = (pid_t)strtol(e->d_name, NULL, 10);
	if (d)
		closedir(d);
	free(want);
	return found;
}
