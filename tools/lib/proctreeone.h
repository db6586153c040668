/* proctreeone.h: one process's numbers, for proctree*.c only. */
#ifndef PROCTREEONE_H
#define PROCTREEONE_H

#include "proctree.h"

#include <time.h>

/* With PT_DELAY: threads that have been idle for a while are mostly left out. */
enum { PT_RESTING = 1 << 16 };

/* What is counted.  The first ones go to the parent when it waits for the child. */
enum counter {
	C_CPU, C_MINOR, C_MAJOR, C_READ, C_WRITE, C_SYSREAD, C_SYSWRITE, C_READCALLS, C_WRITECALLS,
	C_DELAY, C_SWITCHES, C_VOLUNTARY, C_INVOLUNTARY, COUNTERS,
	C_INHERITED = C_DELAY	/* how many of them do */
};

struct thread {
	pid_t tid;
	int fd;			/* its schedstat, or -1 */
	bool seen, is_new;
	unsigned idle;	/* readings since it last got a core */
	uint64_t delay_ns, switches, voluntary, involuntary;
};

struct one {
	pid_t pid, parent, group, session;
	uint64_t start_ticks;	/* with the pid: who it is */
	clockid_t clock;
	uint64_t clock_ns;	/* when its files were last read */
	int stat_fd, statm_fd, io_fd;
	struct thread *threads;
	size_t n_threads, cap_threads, num_threads;	/* known; room; as the kernel says */
	uint64_t own[COUNTERS];		/* its threads, ended ones too; I/O: also of children waited for */
	uint64_t reaped[COUNTERS];	/* of children waited for */
	uint64_t rss_bytes, anon_bytes, pss_bytes;
	bool zombie, gone;
	bool owns;	/* memory that is not its parent's */
	unsigned unknown;
	char reason[128];
};

/* False when there is no such process, or it cannot be looked at. */
bool one_open(struct one *, pid_t);
void one_close(struct one *);
/* Its CPU clock; false when it is gone. */
bool one_clock(struct one *, uint64_t *ns);
/* Its files, and those of its threads; sets `gone` when it is. */
void one_read(struct one *, int what);
/* 0, or -1 and errno. */
int one_reset_mark(const struct one *);
int one_mark(const struct one *, uint64_t *bytes);

/* ---- proctreeborn.c: who was born since the last look ------------------------- */

struct born {
	long from, before;	/* ids up to these were given at the last look, and at the one before it */
	uint64_t all_ns;	/* when all of /proc was looked at */
	long ids;		/* how many there can be */
	unsigned char *other;	/* a bit for each id: looked at already */
	unsigned char *past;	/* a bit for each id: was one of ours, and is gone */
	char *environment;	/* the root's */
	size_t environment_n;
};
void born_open(struct born *, pid_t root);
void born_close(struct born *);
/* Calls `take` for each process that may be new, again until nothing more is
 * taken; what is taken is the callee's to close. */
void born_look(struct born *, bool (*take)(void *tree, struct one *), void *tree);
void born_gone(struct born *, pid_t);
bool born_was_ours(const struct born *, pid_t);
/* Whether its environment has all that the root's has. */
bool born_same_environment(const struct born *, pid_t);

/* ---- proctree.c, proctreepeak.c -------------------------------------------------- */

struct member {
	struct one p;
	uint64_t first[COUNTERS];	/* own and reaped when it joined */
	uint64_t first_reaped_cpu;
	uint64_t known_cpu;	/* of children that it waited for and that we saw */
	uint64_t credited;	/* their minor faults: how we know that it did */
	uint64_t foreign[COUNTERS];	/* in `reaped`, and not to be counted */
	uint64_t mark_rss, mark_reaped;	/* RSS, and faults of children, at the last reset of the mark */
	int based;		/* which of PT_DELAY, PT_SWITCHES are in `first` */
	uint64_t looked_ns, threads_ns;	/* when its files, and its threads', were read */
	uint64_t threads_cpu_ns, probed_cpu_ns;	/* its clock then */
	bool look, excluded;
};
struct proctree {
	pid_t root, root_session;
	pid_t adopter, not_adopted;	/* who adopts its orphans, 0: not we; another child of ours */
	pid_t above[32];	/* the root's ancestors, its parent first */
	size_t n_above;
	uint64_t root_start, open_ticks;
	struct member *m;
	size_t n, cap;
	struct born born;
	uint64_t departed[COUNTERS], high[COUNTERS];
	uint64_t whole_ns;	/* when all files were read */
	uint64_t peak_rss;	/* highest sum read since the last reset */
	bool mark_lost;		/* one of them ended since, and its mark with it */
	struct { pid_t pid; uint64_t start; } *inner;
	size_t n_inner;
};

#endif
