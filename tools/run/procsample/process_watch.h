/* process_watch.h: watched process trees, as `sample` records. */
#pragma once

#include "base/buf.h"
#include "resource/process_tree.h"
#include "resource/process_tree_state.h"

struct process_watches {
	struct process_watched {
		char *role;	/* as JSON */
		pid_t pid;
		struct process_tree *tree;
	} *w;
	size_t n;
};
/* Watching the same process in the same role again changes nothing.  False, and a line in error,
 * if it cannot be watched. */
bool process_watch_begin(struct process_watches *, const char *role, pid_t, char error[256]);
/* process_tree_adopt() for the tree of this process. */
void process_watch_adopt(struct process_watches *, pid_t, pid_t except);
/* Adds one sample line for each tree, and removes the trees that have ended. */
void process_watch_sample(struct process_watches *, int what, struct buf *out);
/* The sample of a process that cannot be watched: every number is null. */
void process_watch_sample_unwatched(const char *role, pid_t, const char *reason, struct buf *out);
void process_watch_end_all(struct process_watches *);
