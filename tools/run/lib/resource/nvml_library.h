/* nvml_library.h: the file of NVIDIA's management library. */
#pragma once

/* Opens, for dlsym(3), the library that NBSCOPE_NVML names, or libnvidia-ml.so.1.  NULL and a line
 * in reason[256] if there is none. */
void *nvml_library_open(char reason[256]);
