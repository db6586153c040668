/* new_processes.c: the processes that were started since the last search.
 * The last number in /proc/loadavg is the id given last: if it has not changed, nothing is
 * searched, else only the ids in between.  An id is given before its process is visible, so
 * each is examined in two searches. */
#include "resource/new_processes.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { MAX_IDS = 4096, MAX_ENVIRON_BYTES = 4 << 20, MIN_IDS = 32768 };
static const uint64_t ALL_EVERY_NS = 5000000000u;

struct process_list {
	struct process_stat *p;
	size_t n;
};

/* The id given last; -1 if unknown. */
static long
read_last_id(void)
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
has_bit(const unsigned char *bits, const struct new_processes *b, long id)
{
	return id > 0 && id < b->ids && bits[id / 8] >> id % 8 & 1;
}

static void
set_bit(unsigned char *bits, const struct new_processes *b, long id, bool on)
{
	if (id <= 0 || id >= b->ids)
		return;
	unsigned char mask = (unsigned char)(1 << id % 8);
	bits[id / 8] = (unsigned char)(on ? bits[id / 8] | mask : bits[id / 8] & ~mask);
}

static void
add_process(struct new_processes *b, struct process_list *list, long id)
{
	if (has_bit(b->known, b, id))
		return;
	struct process_stat s;
	/* Fails at once, at its clock, if no process has the id. */
	if (!process_stat_open(&s, (pid_t)id))
		return;
	*XAPPEND(list->p, list->n) = s;
	set_bit(b->known, b, id, true);
}

static void
add_all_processes(struct new_processes *b, struct process_list *list)
{
	DIR *dir = opendir("/proc");
	for (struct dirent *e; dir && (e = readdir(dir)); ) {
		long id = strtol(e->d_name, NULL, 10);
		if (id > 0)
			add_process(b, list, id);
	}
	if (dir)
		closedir(dir);
}

/* How many ids were given after `from` up to `to`. */
static long
ids_between(const struct new_processes *b, long from, long to)
{
	return to >= from ? to - from : b->ids - from + to;
}

static long
next_id(const struct new_processes *b, long id)
{
	return id + 1 < b->ids ? id + 1 : 1;
}

/* Adds the processes that may be new. */
static void
list_candidates(struct new_processes *b, struct process_list *list)
{
	long to = read_last_id();
	uint64_t now = clock_monotonic_ns();
	if (to >= b->ids)
		to = -1;	/* pid_max has been raised since the start */
	bool all = b->last_id < 0 || to < 0 || now - b->all_ns >= ALL_EVERY_NS;
	if (!all && to == b->last_id && b->last_id == b->id_before)
		return;
	bool known = b->last_id >= 0 && b->id_before >= 0 && to >= 0;
	if (known && ids_between(b, b->id_before, to) <= MAX_IDS) {
		for (long id = b->last_id; id != to; )
			set_bit(b->known, b, id = next_id(b, id), false);
		for (long id = b->id_before; id != to; )
			add_process(b, list, id = next_id(b, id));
	} else {
		/* Too many to know which ids have been reused. */
		memset(b->known, 0, (size_t)b->ids / 8 + 1);
		all = true;
	}
	if (all) {
		add_all_processes(b, list);
		b->all_ns = now;
	}
	b->id_before = b->last_id < 0 ? to : b->last_id;
	b->last_id = to;
}

void
new_processes_find(struct new_processes *b, bool (*accept)(void *tree, struct process_stat *),
    void *tree)
{
	struct process_list list = {0};
	list_candidates(b, &list);
	/* A child may come before its parent if ids have wrapped around. */
	for (bool more = list.n > 0; more; ) {
		more = false;
		for (size_t i = 0; i < list.n; i++)
			if (list.p[i].pid && accept(tree, &list.p[i])) {
				list.p[i].pid = 0;
				more = true;
			}
	}
	for (size_t i = 0; i < list.n; i++)
		if (list.p[i].pid)
			process_stat_close(&list.p[i]);
	free(list.p);
}

void
new_processes_note_ended(struct new_processes *b, pid_t pid)
{
	set_bit(b->ended, b, pid, true);
}

/* A group or session keeps the id of its leader that has ended; a later process with that id
 * would lead its own. */
bool
new_processes_was_member(const struct new_processes *b, pid_t leader)
{
	struct timespec ts;
	clockid_t clock;
	return has_bit(b->ended, b, leader) &&
	    (clock_getcpuclockid(leader, &clock) != 0 || clock_gettime(clock, &ts) != 0);
}

static char *
read_environment(pid_t pid, size_t *n)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%ld/environ", (long)pid);
	return file_read(path, MAX_ENVIRON_BYTES, n);
}

static bool
has_string(const char *list, size_t n, const char *s)
{
	for (const char *p = list; p < list + n; p += strlen(p) + 1)
		if (strcmp(p, s) == 0)
			return true;
	return false;
}

/* Shells and wrappers change these variables. */
static bool
is_volatile(const char *s)
{
	static const char *const names[] = {"PATH=", "PWD=", "OLDPWD=", "SHLVL=", "_="};
	for (size_t i = 0; i < COUNT(names); i++)
		if (strncmp(s, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

bool
new_processes_same_environment(const struct new_processes *b, pid_t pid)
{
	size_t n;
	if (!b->environment || !b->environment_n)
		return false;
	char *env = read_environment(pid, &n);
	bool same = env && n;
	const char *end = b->environment + b->environment_n;
	for (const char *p = b->environment; same && p < end; p += strlen(p) + 1)
		same = is_volatile(p) || has_string(env, n, p);
	free(env);
	return same;
}

void
new_processes_open(struct new_processes *b, pid_t root)
{
	size_t n;
	char *text = file_read("/proc/sys/kernel/pid_max", 64, &n);
	*b = (struct new_processes){.last_id = -1, .id_before = -1};
	b->ids = text ? strtol(text, NULL, 10) : MIN_IDS;
	free(text);
	if (b->ids < MIN_IDS)
		b->ids = MIN_IDS;
	b->known = xmalloc((size_t)b->ids / 8 + 1);
	b->ended = xmalloc((size_t)b->ids / 8 + 1);
	memset(b->known, 0, (size_t)b->ids / 8 + 1);
	memset(b->ended, 0, (size_t)b->ids / 8 + 1);
	b->environment = read_environment(root, &b->environment_n);
}

void
new_processes_close(struct new_processes *b)
{
	free(b->known);
	free(b->ended);
	free(b->environment);
}
