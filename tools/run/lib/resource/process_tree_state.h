/* process_tree_state.h: the inside of struct process_tree, for its modules and peak_rss.c. */
#pragma once

#include "resource/new_processes.h"

struct process_member {
	struct process_stat p;
	uint64_t first[COUNTERS];	/* own and reaped when it joined */
	uint64_t first_reaped_cpu;
	uint64_t known_cpu;	/* of children in the tree that it waited for */
	uint64_t credited;	/* their minor faults: the sign that it waited for them */
	uint64_t foreign[COUNTERS];	/* part of `reaped` that does not count */
	uint64_t mark_rss, mark_reaped;	/* at the last reset: RSS, and faults of children */
	int based;		/* which of PT_DELAY, PT_SWITCHES are in `first` */
	uint64_t read_ns, threads_ns;	/* when its files, and its threads', were read */
	uint64_t threads_cpu_ns, probed_cpu_ns;	/* its clock then */
	bool due, excluded;	/* due: its files must be read */
};

struct process_tree {
	pid_t root, root_session;
	pid_t adopter, not_adopted;	/* the parent of orphans (0: not this process), except */
	pid_t above[32];	/* the root's ancestors, its parent first */
	size_t n_above;
	uint64_t root_start, open_ticks;
	struct process_member *m;
	size_t n;
	struct new_processes candidates;
	uint64_t departed[COUNTERS], high[COUNTERS];
	uint64_t whole_ns;	/* when all files were read */
	uint64_t peak_rss;	/* highest sum read since the last reset */
	bool mark_lost;		/* one of them has ended since, and its mark with it */
	struct inner_root { pid_t pid; uint64_t start; } *inner;
	size_t n_inner;
};
