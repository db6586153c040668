/* kin.h: every process that a held one started, wherever it went. */
#ifndef KIN_H
#define KIN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Kin of a group: its members, all their descendants, and whoever has `mark`
 * in its environment (an orphan with a session of its own still has that). */
struct kin {
	struct one {
		pid_t pid, parent, group;
		unsigned long long start;	/* with the pid: who it is */
		char name[16];
		bool ours;
	} *all;
	size_t n;	/* only kin; zombies are not counted */
};
void kin_find(struct kin *, pid_t group, const char *mark);
/* All descendants of a process, without itself. */
void kin_below(struct kin *, pid_t root);
/* SIGKILL to those of them that still live. */
void kin_kill(const struct kin *);
void kin_free(struct kin *);
pid_t parent_of(pid_t);	/* 0: there is no such process, or only its zombie */

#endif
