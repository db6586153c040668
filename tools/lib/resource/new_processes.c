/* proctreeborn.c: which processes were born since the last look.
 *
 * The last number of /proc/loadavg is the id given last: nothing is looked at
 * while it stands, and else only the ids in between.  An id is given before its
 * process can be seen, so each is looked at in two turns.
 */
#include "nbscope.h"
#include "proctreeone.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PROBED = 4096, ENVIRON_LIMIT_BYTES = 4 << 20, DEFAULT_IDS = 32768 };
static const uint64_t ALL_EVERY_NS = 5000000000u;

struct found {
	struct one *p;
	size_t n, cap;
};

/* The id given last; -1 where it is not told. */
static long
last_given(void)
{
	static int fd = -2;
	char text[128];
	if (fd == -2)
		fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : pread(fd, text, sizeof text - 1, 0);
	if (n <= 0)
		return -1;
	text[n] = '\0';
	const char *p = strrchr(text, ' ');
	return p ? strtol(p, NULL, 10) : -1;
}

static bool
bit(const unsigned char *bits, const struct born *b, long id)
{
	return id > 0 && id < b->ids && bits[id / 8] >> id % 8 & 1;
}

static void
set_bit(unsigned char *bits, const struct born *b, long id, bool on)
{
	if (id <= 0 || id >= b->ids)
		return;
	unsigned char mask = (unsigned char)(1 << id % 8);
	bits[id / 8] = (unsigned char)(on ? bits[id / 8] | mask : bits[id / 8] & ~mask);
}

static void
probe(struct born *b, struct found *f, long id)
{
	if (bit(b->other, b, id))
		return;
	if (f->n == f->cap)
		f->p = xrealloc(f->p, (f->cap = f->cap ? f->cap * 2 : 16) * sizeof *f->p);
	/* Fails at once, by its clock, where the id is a thread's or nobody's. */
	if (!one_open(&f->p[f->n], (pid_t)id))
		return;
	f->n++;
	set_bit(b->other, b, id, true);
}

static void
probe_all(struct born *b, struct found *f)
{
	DIR *dir = opendir("/proc");
	for (struct dirent *e; dir && (e = readdir(dir)); ) {
		long id = strtol(e->d_name, NULL, 10);
		if (id > 0)
			probe(b, f, id);
	}
	if (dir)
		closedir(dir);
}

/* How many ids were given after `from` up to `to`. */
static long
given(const struct born *b, long from, long to)
{
	return to >= from ? to - from : b->ids - from + to;
}

static long
after(const struct born *b, long id)
{
	return id + 1 < b->ids ? id + 1 : 1;
}

/* Gathers who may be new. */
static void
gather(struct born *b, struct found *f)
{
	long to = last_given();
	uint64_t now = now_ns();
	if (to >= b->ids)
		to = -1;	/* more ids are given than when we began */
	bool all = b->from < 0 || to < 0 || now - b->all_ns >= ALL_EVERY_NS;
	if (!all && to == b->from && b->from == b->before)
		return;
	if (b->from >= 0 && b->before >= 0 && to >= 0 && given(b, b->before, to) <= MOST_PROBED) {
		for (long id = b->from; id != to; )
			set_bit(b->other, b, id = after(b, id), false);
		for (long id = b->before; id != to; )
			probe(b, f, id = after(b, id));
	} else {
		/* Too many to know whose ids were given again. */
		memset(b->other, 0, (size_t)b->ids / 8 + 1);
		all = true;
	}
	if (all) {
		probe_all(b, f);
		b->all_ns = now;
	}
	b->before = b->from < 0 ? to : b->from;
	b->from = to;
}

void
born_look(struct born *b, bool (*take)(void *tree, struct one *), void *tree)
{
	struct found f = {0};
	gather(b, &f);
	/* A child may stand before its parent where ids began again. */
	for (bool more = f.n > 0; more; ) {
		more = false;
		for (size_t i = 0; i < f.n; i++)
			if (f.p[i].pid && take(tree, &f.p[i])) {
				f.p[i].pid = 0;
				more = true;
			}
	}
	for (size_t i = 0; i < f.n; i++) {
		if (f.p[i].pid)
			one_close(&f.p[i]);
	}
	free(f.p);
}

void
born_gone(struct born *b, pid_t pid)
{
	set_bit(b->past, b, pid, true);
}

/* A group or session keeps the number of its leader who is gone; a later process
 * of that number would lead its own. */
bool
born_was_ours(const struct born *b, pid_t leader)
{
	struct timespec ts;
	clockid_t clock;
	return bit(b->past, b, leader) && (clock_getcpuclockid(leader, &clock) != 0 || clock_gettime(clock, &ts) != 0);
}

static char *
environment(pid_t pid, size_t *n)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%ld/environ", (long)pid);
	return read_file(path, ENVIRON_LIMIT_BYTES, n);
}

static bool
has_string(const char *list, size_t n, const char *s)
{
	for (const char *p = list; p < list + n; p += strlen(p) + 1)
		if (strcmp(p, s) == 0)
			return true;
	return false;
}

/* Shells and wrappers change these. */
static bool
changes_by_itself(const char *s)
{
	static const char *const names[] = {"PATH=", "PWD=", "OLDPWD=", "SHLVL=", "_="};
	for (size_t i = 0; i < COUNT(names); i++)
		if (strncmp(s, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

bool
born_same_environment(const struct born *b, pid_t pid)
{
	size_t n;
	if (!b->environment || !b->environment_n)
		return false;
	char *env = environment(pid, &n);
	bool same = env && n;
	for (const char *p = b->environment; same && p < b->environment + b->environment_n; p += strlen(p) + 1)
		same = changes_by_itself(p) || has_string(env, n, p);
	free(env);
	return same;
}

void
born_open(struct born *b, pid_t root)
{
	size_t n;
	char *text = read_file("/proc/sys/kernel/pid_max", 64, &n);
	*b = (struct born){.from = -1, .before = -1, .ids = text ? strtol(text, NULL, 10) : DEFAULT_IDS};
	free(text);
	if (b->ids < DEFAULT_IDS)
		b->ids = DEFAULT_IDS;
	b->other = xmalloc((size_t)b->ids / 8 + 1);
	b->past = xmalloc((size_t)b->ids / 8 + 1);
	memset(b->other, 0, (size_t)b->ids / 8 + 1);
	memset(b->past, 0, (size_t)b->ids / 8 + 1);
	b->environment = environment(root, &b->environment_n);
}

void
born_close(struct born *b)
{
	free(b->other);
	free(b->past);
	free(b->environment);
}
