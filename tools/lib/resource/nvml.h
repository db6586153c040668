/* nvml.h: NVIDIA's management library, opened at run time. */
#ifndef NVML_H
#define NVML_H

#include <jansson.h>

struct nvml;
/* The library that NBSCOPE_NVML names, or libnvidia-ml.so.1, opened and begun.
 * NULL and a line in reason[256] otherwise.  May hang with its driver. */
struct nvml *nvml_open(char reason[256]);
/* Reads all devices: an array, and NULL with a reason where there is none.
 * energy_j counts from the first reading. */
json_t *nvml_read(struct nvml *, char reason[256]);

#endif
