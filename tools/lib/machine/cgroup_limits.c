/* cgroup_limits.c: what control groups allow a process. */
#include "machine/cgroup_limits.h"
#include "base/die.h"
#include "base/file.h"

#include <stdio.h>

#define MOUNTED "/sys/fs/cgroup"
#define UNIFIED MOUNTED "/unified"	/* version 2 next to version 1 */
#define NO_LIMIT 0x1p60	/* version 1 writes a huge number instead of "max" */

enum { MAX_PROC_BYTES = 1 << 20 };

/* A file of one group; NULL: there is none.  The caller's. */
static char *
group_file(const char *dir, const char *path, int n, const char *file)
{
	size_t len;
	char *name = xasprintf("%s%.*s/%s", dir, n, path, file);
	char *text = file_read(name, MAX_PROC_BYTES, &len);
	free(name);
	return text;
}

/* The first number of a file; infinite if there is none ("max", or a huge number). */
static double
first_number(const char *text)
{
	char *end = NULL;
	double value = text ? strtod(text, &end) : (double)INFINITY;
	bool known = text && end != text && (*end == '\n' || *end == ' ') && value >= 0 &&
	    value < NO_LIMIT;
	return known ? value : (double)INFINITY;
}

static double
one_number(const char *dir, const char *path, int n, const char *file)
{
	char *text = group_file(dir, path, n, file);
	double value = first_number(text);
	free(text);
	return value;
}

/* "QUOTA PERIOD" in one file of version 2, or "max PERIOD". */
static double
quota(const char *dir, const char *path, int n, const char *file)
{
	char *text = group_file(dir, path, n, file);
	const char *space = text ? strchr(text, ' ') : NULL;
	double share = first_number(text) / (space ? first_number(space + 1) : (double)NAN);
	free(text);
	return isnan(share) ? (double)INFINITY : share;
}

/* Version 1 has the two numbers in two files. */
static double
quota_of_two(const char *dir, const char *path, int n, const char *file)
{
	(void)file;
	double share = one_number(dir, path, n, "cpu.cfs_quota_us") /
	    one_number(dir, path, n, "cpu.cfs_period_us");
	return isnan(share) ? (double)INFINITY : share;
}

typedef double (*read_limit)(const char *dir, const char *path, int n, const char *file);

/* The smallest limit of a group and those that contain it.  A container may see only its own group,
 * as the root, so each is tried. */
static void
tighten(double *least, read_limit read, const char *dir, const char *path, const char *file)
{
	for (int n = (int)strlen(path); n >= 0; n--)
		if (n == 0 || path[n] == '/' || path[n] == '\0')
			*least = fmin(*least, read(dir, path, n, file));
}

/* The list of the innermost group that has one. */
static void
find_cpus(struct cgroup_limits *l, const char *dir, const char *path, const char *file)
{
	for (int n = (int)strlen(path); n >= 0 && !l->cpu_list; n--) {
		char *text = n == 0 || path[n] == '/' || path[n] == '\0' ?
		    group_file(dir, path, n, file) : NULL;
		size_t length = text ? strcspn(text, "\n") : 0;
		if (length)
			l->cpu_list = xasprintf("%.*s", (int)length, text);
		free(text);
	}
}

static void
read_unified(struct cgroup_limits *l, const char *dir, const char *path)
{
	tighten(&l->memory_bytes, one_number, dir, path, "memory.max");
	tighten(&l->tasks, one_number, dir, path, "pids.max");
	tighten(&l->cpus, quota, dir, path, "cpu.max");
	find_cpus(l, dir, path, "cpuset.cpus.effective");
}

static void
read_controller(struct cgroup_limits *l, const char *controller, const char *path)
{
	if (strcmp(controller, "memory") == 0)
		tighten(&l->memory_bytes, one_number, MOUNTED "/memory", path,
		    "memory.limit_in_bytes");
	else if (strcmp(controller, "pids") == 0)
		tighten(&l->tasks, one_number, MOUNTED "/pids", path, "pids.max");
	else if (strcmp(controller, "cpu") == 0)
		tighten(&l->cpus, quota_of_two, MOUNTED "/cpu", path, NULL);
	else if (strcmp(controller, "cpuset") == 0)
		find_cpus(l, MOUNTED "/cpuset", path, "cpuset.effective_cpus");
}

static void
note_path(struct cgroup_limits *l, const char *path, bool certain)
{
	if (l->path && !certain)
		return;
	free(l->path);
	l->path = xstrdup(path);
}

/* Lines "id:controllers:path"; in version 2, controllers is empty. */
void
cgroup_limits_read(struct cgroup_limits *l, pid_t pid)
{
	size_t n;
	char own[] = "self", number[24], *word;
	snprintf(number, sizeof number, "%ld", (long)pid);
	char *name = xasprintf("/proc/%s/cgroup", pid ? number : own);
	char *text = file_read(name, MAX_PROC_BYTES, &n), *rest = text, *path;
	*l = (struct cgroup_limits){.memory_bytes = INFINITY, .cpus = INFINITY, .tasks = INFINITY};
	while (text && (path = strsep(&rest, "\n"))) {
		strsep(&path, ":");
		char *list = strsep(&path, ":");
		if (!path || !list)
			continue;
		bool is_unified = !*list;
		if (is_unified) {
			note_path(l, path, false);
			read_unified(l, MOUNTED, path);
			read_unified(l, UNIFIED, path);
		}
		while (!is_unified && (word = strsep(&list, ","))) {
			if (strcmp(word, "memory") == 0)
				note_path(l, path, true);
			read_controller(l, word, path);
		}
	}
	free(name);
	free(text);
}

void
cgroup_limits_free(struct cgroup_limits *l)
{
	free(l->path);
	free(l->cpu_list);
}
