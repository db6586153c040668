/* descendants.h: every process that another one started, wherever it went. */
#pragma once

#include "process/process_entry.h"

#include <stddef.h>

struct descendants {
	struct process_entry *all;
	size_t n;	/* zombies are not counted */
};
/* The members of a process group, the processes with `mark` in their environment (an orphan
 * in a session of its own still has it), and all descendants of both. */
void descendants_of_group(struct descendants *, pid_t group, const char *mark);
/* All descendants of a process, without itself. */
void descendants_of(struct descendants *, pid_t root);
/* NULL: there is none. */
const struct process_entry *descendants_find(const struct descendants *, pid_t);
/* SIGKILL to those that still live. */
void descendants_kill(const struct descendants *);
void descendants_free(struct descendants *);
