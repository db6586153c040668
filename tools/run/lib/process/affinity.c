/* affinity.c: pinning a process to processors. */
#include "process/affinity.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "0-3,6"; false if it has another form or exceeds what a set can hold. */
static bool
parse_list(const char *text, cpu_set_t *set)
{
	for (const char *p = text; ; p++) {
		char *end;
		if (*p < '0' || *p > '9')
			return false;
		unsigned long from = strtoul(p, &end, 10), to = from;
		if (*end == '-') {
			p = end + 1;
			if (*p < '0' || *p > '9')
				return false;
			to = strtoul(p, &end, 10);
		}
		if (to < from || to >= CPU_SETSIZE)
			return false;
		for (unsigned long i = from; i <= to; i++)
			CPU_SET(i, set);
		if (!*end)
			return true;
		if (*end != ',')
			return false;
		p = end;
	}
}

/* The last n of those that this process may use: the first ones handle most interrupts. */
static bool
choose_last(long n, cpu_set_t *set)
{
	cpu_set_t ours;
	if (n < 1 || sched_getaffinity(0, sizeof ours, &ours) != 0 || n > CPU_COUNT(&ours))
		return false;
	for (size_t i = CPU_SETSIZE; n > 0 && i-- > 0; )
		if (CPU_ISSET(i, &ours)) {
			CPU_SET(i, set);
			n--;
		}
	return true;
}

static bool
parse_processors(const char *text, cpu_set_t *set)
{
	CPU_ZERO(set);
	bool number = *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 7;
	return number ? choose_last(strtol(text, NULL, 10), set) : parse_list(text, set);
}

int
affinity_check(const char *processors, char error[256])
{
	cpu_set_t set;
	if (parse_processors(processors, &set))
		return 0;
	snprintf(error, 256, "'%.80s' is neither a number of available processors nor a list such "
	    "as 0-3,6", processors);
	return -1;
}

/* All threads, because numerical libraries have already started theirs. */
int
affinity_set(pid_t pid, const char *processors, char error[256])
{
	cpu_set_t set;
	if (affinity_check(processors, error) != 0)
		return -1;
	parse_processors(processors, &set);
	char path[64];
	snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
	DIR *d = opendir(path);
	int bad = d ? 0 : errno;
	for (struct dirent *e; d && (e = readdir(d)); ) {
		pid_t tid = (pid_t)strtol(e->d_name, NULL, 10);
		if (tid > 0 && sched_setaffinity(tid, sizeof set, &set) != 0 && errno != ESRCH)
			bad = errno;
	}
	if (d)
		closedir(d);
	if (bad)
		snprintf(error, 256, "cannot pin the kernel to processors '%.80s': %s", processors,
		    strerror(bad));
	return bad ? -1 : 0;
}
