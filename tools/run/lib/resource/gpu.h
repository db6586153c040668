/* gpu.h: the GPUs, asked by a child process: a driver that hangs can be neither waited for nor
 * killed. */
#pragma once

#include <jansson.h>
#include <stdint.h>
#include <sys/types.h>

struct gpu;
/* Waits at most 50 ms for the first answer. */
struct gpu *gpu_open(void);
/* Gives `root` and its descendants this role (a constant) from now on; the nearest one counts. */
void gpu_set_role(struct gpu *, pid_t root, const char *role);
void gpu_forget_roles(struct gpu *);
/* Sets gpus, gpu_t (the moment of that reading; the driver is asked at most five times a
 * second) and gpu_reason from the last answer.  Never waits. */
void gpu_fill(struct gpu *, json_t *record);
/* The child (0: none) and its CPU time so far, which is part of the cost of sampling but not of
 * getrusage(RUSAGE_SELF). */
pid_t gpu_child(const struct gpu *);
uint64_t gpu_cpu_ns(const struct gpu *);
void gpu_close(struct gpu *);	/* NULL is fine */
