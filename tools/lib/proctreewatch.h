/* proctreewatch.h: watched process trees as `sample` records. */
#ifndef PROCTREEWATCH_H
#define PROCTREEWATCH_H

#include "nbscope.h"
#include "proctree.h"

struct watches {
	struct watched {
		char *role;	/* as JSON */
		pid_t pid;
		struct proctree *tree;
	} *w;
	size_t n, cap;
};
/* Begins to watch a process; a second watch of the same one in the same role is
 * none.  False, and a line in error, when it cannot be watched. */
bool watch_begin(struct watches *, const char *role, pid_t, char error[256]);
/* proctree_adopt() for the tree of this process. */
void watch_adopt(struct watches *, pid_t, pid_t but);
/* Adds a sample of each to `out`, a line each, and drops those that ended. */
void watch_sample(struct watches *, int what, struct buf *out);
/* The record for a process that cannot be watched: everything null, and why. */
void watch_nothing(const char *role, pid_t, const char *reason, struct buf *out);
void watch_end_all(struct watches *);

#endif
