/* process_entry.h: what the system's list of processes says about one of them. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct process_entry {
	pid_t pid, parent, group;
	unsigned long long start;	/* with the pid: which process it is */
	char name[16];
	bool marked;	/* by the caller */
};
/* False if there is no such process any more, or only its zombie. */
bool process_entry_read(pid_t, struct process_entry *);
pid_t process_entry_parent(pid_t);	/* 0: there is no such process, or only its zombie */
