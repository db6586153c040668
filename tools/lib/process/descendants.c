/* descendants.c: every process that another one started, wherever it went.
 * A Jupyter kernel leads a session of its own, so that ending its server's group does not
 * reach it; and once the server is dead, the kernel's parent does not identify it either.
 * Its environment still does. */
#include "process/descendants.h"
#include "base/die.h"
#include "base/file.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { MAX_ENVIRON_BYTES = 8 << 20 };

/* False if there is no such process any more, or only its zombie. */
static bool
read_process(pid_t pid, struct descendant *d)
{
	char path[64], state = 'Z', *text, *after;
	size_t n;
	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	if (!(text = file_read(path, 1 << 16, &n)))
		return false;
	/* The name may contain anything, including ')'. */
	after = strrchr(text, ')');
	*d = (struct descendant){.pid = pid};
	int got = !after ? 0 : sscanf(after + 1, " %c %d %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s"
	    " %*s %*s %*s %*s %*s %*s %llu", &state, &d->parent, &d->group, &d->start);
	const char *before = strchr(text, '(');
	if (after && before && before < after)
		snprintf(d->name, sizeof d->name, "%.*s", (int)(after - before - 1), before + 1);
	free(text);
	return got == 4 && state != 'Z' && state != 'X';
}

pid_t
descendants_parent(pid_t pid)
{
	struct descendant d;
	return read_process(pid, &d) ? d.parent : 0;
}

static bool
has_mark(pid_t pid, const char *mark)
{
	char path[64];
	size_t n;
	snprintf(path, sizeof path, "/proc/%ld/environ", (long)pid);
	char *text = file_read(path, MAX_ENVIRON_BYTES, &n);
	bool has = text && memmem(text, n, mark, strlen(mark));
	free(text);
	return has;
}

static struct descendants
list_processes(void)
{
	struct descendants d = {0};
	size_t cap = 0;
	DIR *dir = opendir("/proc");
	for (struct dirent *e; dir && (e = readdir(dir)); ) {
		pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);
		d.all = xgrow(d.all, d.n, &cap, sizeof *d.all);
		if (pid > 1 && read_process(pid, &d.all[d.n]))
			d.n++;
	}
	if (dir)
		closedir(dir);
	return d;
}

const struct descendant *
descendants_find(const struct descendants *d, pid_t pid)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->all[i].pid == pid)
			return &d->all[i];
	return NULL;
}

/* Includes all descendants of those that are included, and drops all others. */
static void
select_included(struct descendants *d)
{
	for (bool more = true; more; ) {
		more = false;
		for (size_t i = 0; i < d->n; i++) {
			const struct descendant *parent = descendants_find(d, d->all[i].parent);
			if (!d->all[i].included && parent && parent->included)
				more = d->all[i].included = true;
		}
	}
	size_t n = 0;
	for (size_t i = 0; i < d->n; i++)
		if (d->all[i].included)
			d->all[n++] = d->all[i];
	d->n = n;
}

void
descendants_of_group(struct descendants *d, pid_t group, const char *mark)
{
	*d = list_processes();
	for (size_t i = 0; i < d->n; i++)
		d->all[i].included = d->all[i].group == group || has_mark(d->all[i].pid, mark);
	select_included(d);
}

void
descendants_of(struct descendants *d, pid_t root)
{
	*d = list_processes();
	for (size_t i = 0; i < d->n; i++)
		d->all[i].included = d->all[i].parent == root;
	select_included(d);
}

void
descendants_kill(const struct descendants *d)
{
	for (size_t i = 0; i < d->n; i++) {
		struct descendant now;
		if (read_process(d->all[i].pid, &now) && now.start == d->all[i].start)
			kill(now.pid, SIGKILL);
		/* An orphan may have become a child of this process. */
		waitpid(d->all[i].pid, NULL, WNOHANG);
	}
}

void
descendants_free(struct descendants *d)
{
	free(d->all);
	*d = (struct descendants){0};
}
