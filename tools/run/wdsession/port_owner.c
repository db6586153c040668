/* port_owner.c: which process of this machine listens on a port. */
#include "port_owner.h"
#include "base/die.h"
#include "base/file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LISTEN_STATE = 0x0A, MAX_TABLE_BYTES = 64 << 20 };

/* The inode of the socket that listens on the port; 0: none in this table. */
static unsigned long
find_inode(const char *table, long port)
{
	size_t n;
	unsigned long found = 0, inode;
	unsigned int at, state;
	char *text = file_read(table, MAX_TABLE_BYTES, &n), *rest = text, *line;
	while (!found && rest && (line = strsep(&rest, "\n")))
		if (sscanf(line, " %*d: %*[0-9A-F]:%x %*[0-9A-F]:%*x %x %*s %*s %*s %*s %*s %lu",
		    &at, &state, &inode) == 3 && state == LISTEN_STATE && at == (unsigned)port)
			found = inode;
	free(text);
	return found;
}

static bool
has_socket(const char *pid, const char *socket)
{
	char path[300], target[64];
	snprintf(path, sizeof path, "/proc/%.20s/fd", pid);
	DIR *d = opendir(path);
	bool found = false;
	for (struct dirent *e; d && !found && (e = readdir(d)); ) {
		snprintf(path, sizeof path, "/proc/%.20s/fd/%.20s", pid, e->d_name);
		ssize_t n = readlink(path, target, sizeof target - 1);
		target[n > 0 ? n : 0] = '\0';
		found = strcmp(target, socket) == 0;
	}
	if (d)
		closedir(d);
	return found;
}

pid_t
port_owner_pid(long port)
{
	unsigned long inode = find_inode("/proc/net/tcp", port);
	if (!inode && !(inode = find_inode("/proc/net/tcp6", port)))
		return 0;
	char *socket = xasprintf("socket:[%lu]", inode);
	DIR *d = opendir("/proc");
	long found = 0;
	for (struct dirent *e; d && !found && (e = readdir(d)); )
		if (!e->d_name[strspn(e->d_name, "0123456789")] && has_socket(e->d_name, socket))
			found = strtol(e->d_name, NULL, 10);
	if (d)
		closedir(d);
	free(socket);
	return (pid_t)found;
}
