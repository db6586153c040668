/* machusage.h: what the whole machine does: processors, load, pressure, memory,
 * energy, GPUs.  It costs some tens of microseconds a reading.
 *
 * A GPU is asked by a child process (a driver that hangs must not hang its
 * caller), so wait for your own children by their pids, and expect a SIGCHLD.
 */
#ifndef MACHUSAGE_H
#define MACHUSAGE_H

#include <jansson.h>
#include <stdint.h>
#include <sys/types.h>

struct machusage;

/* The watch begins: every cumulative counter is 0 now.  Never NULL; what cannot
 * be read is null in the records, with its reason.  Dies with ST_USAGE when a
 * setting (CPU_WATTS, MEMORY_WATTS) is not a number in its range. */
struct machusage *machusage_open(void);
/* Reads all, and sets the members of a sample of role "machine" in `record`
 * except type, t and role. */
void machusage_fill(struct machusage *, json_t *record);
/* The processes that a GPU tells get the role (a constant string) of the
 * nearest `root` above them. */
void machusage_watch(struct machusage *, pid_t root, const char *role);
void machusage_watch_none(struct machusage *);	/* any more */
pid_t machusage_child(const struct machusage *);	/* that asks the GPU; 0: none */
/* CPU time so far of the child that asks the GPU: a part of the watching's own
 * cost that getrusage(RUSAGE_SELF) does not have. */
uint64_t machusage_child_cpu_ns(const struct machusage *);
void machusage_close(struct machusage *);	/* NULL is fine */

#endif
