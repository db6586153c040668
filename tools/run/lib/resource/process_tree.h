/* process_tree.h: what a process and all its descendants have used since a moment.
 *
 * Sums never decrease.  A process that ends keeps its part.  One that starts and ends between
 * two readings is counted through its parent, to which the kernel adds its CPU time (in ticks of
 * 10 ms), faults and I/O when the parent waits for it.  Context switches and run-queue wait are
 * not passed on: of those the last reading counts. */
#pragma once

#include "resource/process_stat.h"

struct process_usage {
	/* cumulative since process_tree_open() */
	union {
		uint64_t sum[COUNTERS];
		struct {	/* the same in the order of enum counter */
			/* a running thread's last tick (4 ms at 250 Hz) may be missing */
			uint64_t cpu_ns;
			uint64_t minor_faults, major_faults;
			uint64_t read_bytes, write_bytes;	/* storage */
			uint64_t syscall_read_bytes, syscall_write_bytes;
			uint64_t read_calls, write_calls;
			uint64_t delay_ns;	/* run-queue wait; last PT_DELAY reading */
			uint64_t switches;	/* how often threads got a core; likewise */
			/* last PT_SWITCHES reading */
			uint64_t switches_voluntary, switches_involuntary;
		};
	};
	/* now */
	uint64_t rss_bytes;	/* sum: shared pages count once for each process */
	/* The part of it that is neither file nor shared memory: most of the rest is shared by a
	 * browser's processes. */
	uint64_t anon_bytes;
	uint64_t pss_bytes;	/* last PT_PSS reading */
	size_t processes, threads;	/* without zombies */
	bool ended;		/* none of its processes lives */
	unsigned unknown;	/* PT_NO_ bits */
	char reason[128];	/* for the first bit in `unknown`; "" if none */
};

struct process_tree;
/* NULL and a line in error if there is no such process, or it is hidden. */
struct process_tree *process_tree_open(pid_t root, char error[256]);
void process_tree_read(struct process_tree *, int what, struct process_usage *);
/* Excludes the processes of `inner`, a tree within this one: they belong to the inner tree only. */
void process_tree_exclude(struct process_tree *, const struct process_tree *inner);
/* Makes the caller the parent of all orphans below it except its own child `except`.  It waits
 * for them once they were read, so nothing of them is lost. */
void process_tree_adopt(struct process_tree *, pid_t except);
void process_tree_close(struct process_tree *);
