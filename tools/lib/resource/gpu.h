/* gpu.h: the GPUs, asked by a child process: a driver that hangs cannot be
 * waited for, and cannot be killed. */
#ifndef GPU_H
#define GPU_H

#include <jansson.h>
#include <stdint.h>
#include <sys/types.h>

struct gpu;
/* Waits at most 50 ms for the first answer. */
struct gpu *gpu_open(void);
/* Processes below `root` are of this role (a constant) from here on. */
void gpu_watch(struct gpu *, pid_t root, const char *role);
void gpu_watch_none(struct gpu *);	/* any more */
/* Sets gpus, gpu_t (the moment of that reading: at most five a second are
 * asked for) and gpu_reason from the last answer.  Never waits. */
void gpu_fill(struct gpu *, json_t *record);
pid_t gpu_child(const struct gpu *);	/* 0: none */
uint64_t gpu_cpu_ns(const struct gpu *);	/* CPU time of the child so far */
void gpu_close(struct gpu *);

#endif
