/* machine_usage.h: what the whole machine does: processors, load, pressure, memory, energy,
 * GPUs.  A reading costs some tens of microseconds.
 *
 * A child process asks the GPU driver, because a driver that hangs must not hang its caller.
 * Callers must wait for their own children by pid, and expect a SIGCHLD. */
#pragma once

#include <jansson.h>
#include <stdint.h>
#include <sys/types.h>

struct machine_usage;

/* Every cumulative counter is 0 now.  Never NULL; what cannot be read is null in the records,
 * with its reason.  Dies with ST_USAGE if CPU_WATTS or MEMORY_WATTS is not a number in its
 * range. */
struct machine_usage *machine_usage_open(void);
/* Reads everything and sets the members of a sample of role "machine" except type, t and role. */
void machine_usage_fill(struct machine_usage *, json_t *record);
/* A process on a GPU gets the role (a constant string) of its nearest ancestor `root`. */
void machine_usage_set_role(struct machine_usage *, pid_t root, const char *role);
void machine_usage_forget_roles(struct machine_usage *);
/* The child that asks the GPU driver (0: none) and its CPU time so far, which is part of the
 * cost of sampling but not of getrusage(RUSAGE_SELF). */
pid_t machine_usage_gpu_child(const struct machine_usage *);
uint64_t machine_usage_gpu_child_cpu_ns(const struct machine_usage *);
void machine_usage_close(struct machine_usage *);	/* NULL is fine */
