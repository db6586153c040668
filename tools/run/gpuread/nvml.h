/* nvml.h: NVIDIA's management library, opened at run time. */
#ifndef NVML_H
#define NVML_H

#include <jansson.h>

struct nvml;
/* Opens and initializes the library that NBSCOPE_NVML names, or libnvidia-ml.so.1.  NULL and a
 * line in reason[256] on failure.  May hang with the driver. */
struct nvml *nvml_open(char reason[256]);
/* All devices, an array; NULL and a reason if there is none.  energy_j counts from the first
 * reading. */
json_t *nvml_read(struct nvml *, char reason[256]);

#endif
