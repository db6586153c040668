/* pin.c: a kernel on chosen processors. */
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "cellusage.h"

/* "0-3,6" into a set; false: not of that form, or beyond what a set holds. */
static bool
listed(const char *text, cpu_set_t *set)
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

/* The last n of those that we may use: the first ones serve most interrupts. */
static bool
counted(long n, cpu_set_t *set)
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
processor_set(const char *text, cpu_set_t *set)
{
	CPU_ZERO(set);
	bool number = *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 7;
	return number ? counted(strtol(text, NULL, 10), set) : listed(text, set);
}

int
pin_check(const char *processors, char error[256])
{
	cpu_set_t set;
	if (processor_set(processors, &set))
		return 0;
	snprintf(error, 256, "'%.80s' is neither a number of processors that there are nor a list of some, as 0-3,6", processors);
	return -1;
}

/* All threads: numerical libraries have started theirs by now. */
int
pin_process(pid_t pid, const char *processors, char error[256])
{
	cpu_set_t set;
	if (pin_check(processors, error) != 0)
		return -1;
	processor_set(processors, &set);
	char path[64];
	snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
	DIR *d = opendir(path);
	int bad = d ? 0 : errno;
	for (struct dirent *e; d && (e = readdir(d)); )
		if (e->d_name[0] != '.' && sched_setaffinity((pid_t)strtol(e->d_name, NULL, 10), sizeof set, &set) != 0 && errno != ESRCH)
			bad = errno;
	if (d)
		closedir(d);
	if (bad)
		snprintf(error, 256, "cannot pin the kernel to processors '%.80s': %s", processors, strerror(bad));
	return bad ? -1 : 0;
}
