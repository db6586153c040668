/* nvml_library.c: the file of NVIDIA's management library. */
#include "resource/nvml_library.h"
#include "base/str.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void *
nvml_library_open(char reason[256])
{
	const char *path = str_nonempty(getenv("NBSCOPE_NVML"));
	void *library = dlopen(path ? path : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!library)
		snprintf(reason, 256, "no NVIDIA driver: %s", dlerror());
	return library;
}
