/* machine.c: the memory there is. */
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROC_LIMIT_BYTES = 1 << 20 };

/* The kibibytes of one line of /proc/meminfo, as bytes. */
static double
meminfo(const char *text, const char *key)
{
	const char *line = strstr(text, key);
	return line ? strtod(line + strlen(key), NULL) * 1024 : (double)NAN;
}

/* A limit in one file; infinite where there is none ("max", or a huge one). */
static double
read_limit(const char *dir, const char *path, int n, const char *file)
{
	char *name = xasprintf("%s%.*s/%s", dir, n, path, file);
	size_t len;
	char *text = read_file(name, PROC_LIMIT_BYTES, &len), *end;
	free(name);
	double bytes = text ? strtod(text, &end) : 0;
	bool known = text && end != text && *end == '\n';
	free(text);
	return known ? bytes : INFINITY;
}

/* The least that a control group and those around it allow.  A container may
 * see only its own group, as the root, so each is tried. */
static double
group_limit(const char *dir, const char *path, const char *file)
{
	double least = INFINITY;
	for (int n = (int)strlen(path); n >= 0; n--)
		if (n == 0 || path[n] == '/' || path[n] == '\0')
			least = fmin(least, read_limit(dir, path, n, file));
	return least;
}

/* Lines "id:controllers:path"; version 2 has no controllers there. */
static double
control_groups(void)
{
	size_t n;
	char *text = read_file("/proc/self/cgroup", PROC_LIMIT_BYTES, &n), *rest = text, *line;
	double least = INFINITY;
	while (text && (line = strsep(&rest, "\n"))) {
		strsep(&line, ":");
		char *list = strsep(&line, ":"), *word;
		if (!line || !list)
			continue;
		if (!*list)
			least = fmin(least, group_limit("/sys/fs/cgroup", line, "memory.max"));
		while ((word = strsep(&list, ",")))
			if (strcmp(word, "memory") == 0)
				least = fmin(least, group_limit("/sys/fs/cgroup/memory", line, "memory.limit_in_bytes"));
	}
	free(text);
	return least;
}

void
xread_machine(struct machine *m)
{
	size_t n;
	char *text = read_file("/proc/meminfo", PROC_LIMIT_BYTES, &n);
	double total = text ? meminfo(text, "MemTotal:") : (double)NAN, limit = control_groups();
	if (!(total > 0))
		die(ST_SYSTEM, "cannot tell this machine's memory from /proc/meminfo (--machine-memory says it)");
	m->memory_bytes = fmin(total, limit);
	m->available_bytes = fmin(meminfo(text, "MemAvailable:"), m->memory_bytes);
	m->limited_by = limit < total ? "cgroup" : "machine";
	free(text);
}
