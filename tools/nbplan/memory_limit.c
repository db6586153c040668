/* memory_limit.c: the memory that a notebook can use on this machine. */
#include "memory_limit.h"
#include "base/die.h"
#include "base/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PROC_BYTES = 1 << 20 };

/* The kibibytes of one line of /proc/meminfo, in bytes. */
static double
meminfo_bytes(const char *text, const char *key)
{
	const char *line = strstr(text, key);
	return line ? strtod(line + strlen(key), NULL) * 1024 : (double)NAN;
}

/* A limit in one file; infinite if there is none ("max", or a huge number). */
static double
read_limit(const char *dir, const char *path, int n, const char *file)
{
	size_t len;
	char *name = xasprintf("%s%.*s/%s", dir, n, path, file);
	char *text = file_read(name, MAX_PROC_BYTES, &len), *end;
	double bytes = text ? strtod(text, &end) : 0;
	bool known = text && end != text && *end == '\n';
	free(name);
	free(text);
	return known ? bytes : INFINITY;
}

/* The smallest limit of a control group and those that contain it.  A container may see only its
 * own group, as the root, so each is tried. */
static double
group_limit(const char *dir, const char *path, const char *file)
{
	double least = INFINITY;
	for (int n = (int)strlen(path); n >= 0; n--)
		if (n == 0 || path[n] == '/' || path[n] == '\0')
			least = fmin(least, read_limit(dir, path, n, file));
	return least;
}

/* Lines "id:controllers:path"; in version 2, controllers is empty. */
static double
cgroup_limit(void)
{
	size_t n;
	char *text = file_read("/proc/self/cgroup", MAX_PROC_BYTES, &n), *rest = text, *path, *word;
	double least = INFINITY;
	while (text && (path = strsep(&rest, "\n"))) {
		strsep(&path, ":");
		char *list = strsep(&path, ":");
		if (!path || !list)
			continue;
		if (!*list)
			least = fmin(least, group_limit("/sys/fs/cgroup", path, "memory.max"));
		while ((word = strsep(&list, ",")))
			if (strcmp(word, "memory") == 0)
				least = fmin(least, group_limit("/sys/fs/cgroup/memory", path,
				    "memory.limit_in_bytes"));
	}
	free(text);
	return least;
}

void
xmemory_limit_read(struct memory_limit *m)
{
	size_t n;
	char *text = file_read("/proc/meminfo", MAX_PROC_BYTES, &n);
	double total = text ? meminfo_bytes(text, "MemTotal:") : 0, limit = cgroup_limit();
	if (!(total > 0))
		die(ST_SYSTEM, "cannot read this machine's memory from /proc/meminfo "
		    "(use --machine-memory)");
	m->bytes = fmin(total, limit);
	m->available_bytes = fmin(meminfo_bytes(text, "MemAvailable:"), m->bytes);
	m->set_by = limit < total ? "cgroup" : "machine";
	free(text);
}
