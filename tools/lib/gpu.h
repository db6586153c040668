/* gpu.h: NVIDIA's GPUs, asked through NVML by a child process. */
#ifndef GPU_H
#define GPU_H

#include <jansson.h>
#include <stdint.h>

struct gpu;
struct gpu *gpu_open(void);
/* Sets gpus, gpu_t and gpu_reason: the last answer of the child, and `gpu_t`
 * the moment of its reading.  Never waits. */
void gpu_fill(struct gpu *, json_t *record);
uint64_t gpu_cpu_ns(const struct gpu *);	/* CPU time of the child so far */
void gpu_close(struct gpu *);

#endif
