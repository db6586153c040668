/* process_entry.c: what the system's list of processes says about one of them. */
#include "process/process_entry.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
process_entry_read(pid_t pid, struct process_entry *e)
{
	char path[64], state = 'Z', *text, *after;
	size_t n;
	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	if (!(text = file_read(path, 1 << 16, &n)))
		return false;
	/* The name may contain anything, including ')'. */
	after = strrchr(text, ')');
	*e = (struct process_entry){.pid = pid};
	int got = !after ? 0 : sscanf(after + 1, " %c %d %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s"
	    " %*s %*s %*s %*s %*s %*s %llu", &state, &e->parent, &e->group, &e->start);
	const char *before = strchr(text, '(');
	if (after && before && before < after)
		snprintf(e->name, sizeof e->name, "%.*s", (int)(after - before - 1), before + 1);
	free(text);
	return got == 4 && state != 'Z' && state != 'X';
}

pid_t
process_entry_parent(pid_t pid)
{
	struct process_entry e;
	return process_entry_read(pid, &e) ? e.parent : 0;
}
