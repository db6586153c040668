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
#include <sys/wait.h>

enum { MAX_ENVIRON_BYTES = 8 << 20 };

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
	DIR *dir = opendir("/proc");
	for (struct dirent *e; dir && (e = readdir(dir)); ) {
		pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);
		struct process_entry entry;
		if (pid > 1 && process_entry_read(pid, &entry))
			*XAPPEND(d.all, d.n) = entry;
	}
	if (dir)
		closedir(dir);
	return d;
}

const struct process_entry *
descendants_find(const struct descendants *d, pid_t pid)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->all[i].pid == pid)
			return &d->all[i];
	return NULL;
}

/* Marks all descendants of those that are marked, and drops all others. */
static void
select_marked(struct descendants *d)
{
	for (bool more = true; more; ) {
		more = false;
		for (size_t i = 0; i < d->n; i++) {
			const struct process_entry *parent = descendants_find(d, d->all[i].parent);
			if (!d->all[i].marked && parent && parent->marked)
				more = d->all[i].marked = true;
		}
	}
	size_t n = 0;
	for (size_t i = 0; i < d->n; i++)
		if (d->all[i].marked)
			d->all[n++] = d->all[i];
	d->n = n;
}

void
descendants_of_group(struct descendants *d, pid_t group, const char *mark)
{
	*d = list_processes();
	for (size_t i = 0; i < d->n; i++)
		d->all[i].marked = d->all[i].group == group || has_mark(d->all[i].pid, mark);
	select_marked(d);
}

void
descendants_of(struct descendants *d, pid_t root)
{
	*d = list_processes();
	for (size_t i = 0; i < d->n; i++)
		d->all[i].marked = d->all[i].parent == root;
	select_marked(d);
}

void
descendants_kill(const struct descendants *d)
{
	for (size_t i = 0; i < d->n; i++) {
		struct process_entry now;
		if (process_entry_read(d->all[i].pid, &now) && now.start == d->all[i].start)
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
