/* machine_usage.h: what the whole machine does: processors, load, pressure, memory, energy,
 * GPUs.  A reading costs some tens of microseconds.
 *
 * A child process asks the GPU driver, because a driver that hangs must not hang its caller.
 * Callers must wait for their own children by pid, and expect a SIGCHLD. */
#pragma once

#include "resource/gpu.h"

struct machine_usage;

/* Every cumulative counter is 0 now.  Never NULL; what cannot be read is null in the records,
 * with its reason.  Dies with ST_USAGE if CPU_WATTS or MEMORY_WATTS is not a number in its
 * range. */
struct machine_usage *machine_usage_open(void);
/* Reads everything and sets the members of a sample of role "machine" except type, t, role and
 * those of processor_usage.h. */
void machine_usage_fill(struct machine_usage *, json_t *record);
struct gpu *machine_usage_gpu(struct machine_usage *);
void machine_usage_close(struct machine_usage *);	/* NULL is fine */
