/* new_processes.h: the processes that were started since the last search. */
#pragma once

#include "resource/process_stat.h"

struct new_processes {
	long last_id, id_before;	/* the newest id at the last search, and the one before */
	uint64_t all_ns;	/* when all of /proc was searched */
	long ids;		/* how many there can be */
	unsigned char *known;	/* a bit per id: examined already */
	unsigned char *ended;	/* a bit per id: was in the tree and has ended */
	char *environment;	/* the root's */
	size_t environment_n;
};
void new_processes_open(struct new_processes *, pid_t root);
void new_processes_close(struct new_processes *);
/* Calls `accept` for each process that may be new, repeatedly until it accepts none.  The
 * tree closes what it accepted. */
void new_processes_find(struct new_processes *, bool (*accept)(void *tree, struct process_stat *),
    void *tree);
void new_processes_note_ended(struct new_processes *, pid_t);
/* Whether this leader of a group or session was in the tree, and no later process has its id. */
bool new_processes_was_member(const struct new_processes *, pid_t leader);
/* Whether its environment contains everything in the root's. */
bool new_processes_same_environment(const struct new_processes *, pid_t);
