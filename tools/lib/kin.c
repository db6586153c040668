/* kin.c: every process that a held one started, wherever it went.
 *
 * A Jupyter kernel leads a session of its own, so ending its server's group
 * does not reach it; and once the server is dead, the kernel's parent tells
 * nothing either.  Its environment still does.
 */
#include "nbscope.h"
#include "kin.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { ENVIRON_LIMIT_BYTES = 8 << 20 };

/* False when there is no such process any more, or only its zombie. */
static bool
look(pid_t pid, struct one *o)
{
	char path[64], state = 'Z', *text, *after;
	size_t n;
	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	if (!(text = read_file(path, 1 << 16, &n)))
		return false;
	/* The name may hold anything, ')' too. */
	after = strrchr(text, ')');
	*o = (struct one){.pid = pid};
	int got = !after ? 0 : sscanf(after + 1,
	    " %c %d %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
	    &state, &o->parent, &o->group, &o->start);
	const char *before = strchr(text, '(');
	if (after && before && before < after)
		snprintf(o->name, sizeof o->name, "%.*s", (int)(after - before - 1), before + 1);
	free(text);
	return got == 4 && state != 'Z' && state != 'X';
}

pid_t
parent_of(pid_t pid)
{
	struct one o;
	return look(pid, &o) ? o.parent : 0;
}

static bool
has_mark(pid_t pid, const char *mark)
{
	char path[64];
	size_t n;
	snprintf(path, sizeof path, "/proc/%ld/environ", (long)pid);
	char *text = read_file(path, ENVIRON_LIMIT_BYTES, &n);
	bool has = text && memmem(text, n, mark, strlen(mark));
	free(text);
	return has;
}

static void
list_all(struct kin *k)
{
	size_t cap = 0;
	DIR *dir = opendir("/proc");
	for (struct dirent *e; dir && (e = readdir(dir)); ) {
		pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);
		if (k->n == cap)
			k->all = xrealloc(k->all, (cap = cap ? cap * 2 : 256) * sizeof *k->all);
		if (pid > 1 && look(pid, &k->all[k->n]))
			k->n++;
	}
	if (dir)
		closedir(dir);
}

static bool
child_of_ours(const struct kin *k, const struct one *o)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->all[i].pid == o->parent)
			return k->all[i].ours;
	return false;
}

/* With all descendants of those that are marked; the others are dropped. */
static void
keep_ours(struct kin *k)
{
	for (bool more = true; more; ) {
		more = false;
		for (size_t i = 0; i < k->n; i++)
			if (!k->all[i].ours && child_of_ours(k, &k->all[i]))
				more = k->all[i].ours = true;
	}
	size_t kept = 0;
	for (size_t i = 0; i < k->n; i++)
		if (k->all[i].ours)
			k->all[kept++] = k->all[i];
	k->n = kept;
}

void
kin_find(struct kin *k, pid_t group, const char *mark)
{
	*k = (struct kin){0};
	list_all(k);
	for (size_t i = 0; i < k->n; i++)
		k->all[i].ours = k->all[i].group == group || has_mark(k->all[i].pid, mark);
	keep_ours(k);
}

void
kin_below(struct kin *k, pid_t root)
{
	*k = (struct kin){0};
	list_all(k);
	for (size_t i = 0; i < k->n; i++)
		k->all[i].ours = k->all[i].parent == root;
	keep_ours(k);
}

void
kin_kill(const struct kin *k)
{
	for (size_t i = 0; i < k->n; i++) {
		struct one now;
		if (look(k->all[i].pid, &now) && now.start == k->all[i].start)
			kill(now.pid, SIGKILL);
		/* An orphan came to us and waits to be reaped. */
		waitpid(k->all[i].pid, NULL, WNOHANG);
	}
}

void
kin_free(struct kin *k)
{
	free(k->all);
	*k = (struct kin){0};
}
