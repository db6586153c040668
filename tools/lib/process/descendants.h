/* descendants.h: every process that another one started, wherever it went. */
#ifndef DESCENDANTS_H
#define DESCENDANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct descendants {
	struct descendant {
		pid_t pid, parent, group;
		unsigned long long start;	/* with the pid: which process it is */
		char name[16];
		bool included;
	} *all;
	size_t n;	/* zombies are not counted */
};
/* The members of a process group, the processes with `mark` in their environment (an orphan
 * in a session of its own still has it), and all descendants of both. */
void descendants_of_group(struct descendants *, pid_t group, const char *mark);
/* All descendants of a process, without itself. */
void descendants_of(struct descendants *, pid_t root);
const struct descendant *descendants_find(const struct descendants *, pid_t);	/* or NULL */
/* SIGKILL to those that still live. */
void descendants_kill(const struct descendants *);
void descendants_free(struct descendants *);
pid_t descendants_parent(pid_t);	/* 0: there is no such process, or only its zombie */

#endif
