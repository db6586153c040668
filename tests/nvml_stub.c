/* nvml_stub.c: a library with NVML's calls for tests of what is reported when they
 * go wrong; NVML_STUB says how.  It proves nothing about a real driver. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUCCESS = 0, NOT_SUPPORTED = 3, NOT_FOUND = 6, DRIVER_NOT_LOADED = 9, GPU_IS_LOST = 15 };

static int
is(const char *mode)
{
	const char *wanted = getenv("NVML_STUB");
	return wanted && strcmp(wanted, mode) == 0;
}

static unsigned
pid(void)
{
	const char *text = getenv("NVML_STUB_PID");
	return text ? (unsigned)strtoul(text, NULL, 10) : 1;
}

const char *
nvmlErrorString(int code)
{
	return code == NOT_SUPPORTED ? "Not Supported" : code == DRIVER_NOT_LOADED ? "Driver Not Loaded" :
	    code == GPU_IS_LOST ? "GPU is lost" : "Unknown Error";
}

int
nvmlInit_v2(void)
{
	const char *path = getenv("NVML_STUB_PIDFILE");
	FILE *f = path ? fopen(path, "w") : NULL;
	if (f) {
		fprintf(f, "%d\n", (int)getpid());
		fclose(f);
	}
	while (is("hang"))
		pause();
	return is("no driver") ? DRIVER_NOT_LOADED : SUCCESS;
}

int
nvmlDeviceGetCount_v2(unsigned *count)
{
	*count = is("no device") ? 0 : 2;
	return SUCCESS;
}

int
nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
	*device = (void *)(uintptr_t)(index + 1);
	return index == 1 && is("lost") ? GPU_IS_LOST : SUCCESS;
}

int
nvmlDeviceGetName(void *device, char *name, unsigned size)
{
	if (is("dies"))
		abort();
	strncpy(name, device == (void *)1 ? "First" : "Second", size);
	return SUCCESS;
}

int
nvmlDeviceGetUtilizationRates(void *device, unsigned *use)
{
	use[0] = device == (void *)1 ? 37 : 0;
	use[1] = 5;
	return is("unsupported") ? NOT_SUPPORTED : SUCCESS;
}

int
nvmlDeviceGetMemoryInfo(void *device, unsigned long long *memory)
{
	(void)device;
	memory[0] = 16ull << 30;
	memory[1] = 12ull << 30;
	memory[2] = 4ull << 30;
	return SUCCESS;
}

#ifndef OLD_DRIVER
struct memory_v2 { unsigned version; unsigned long long total, reserved, free, used; };
/* As an H200's driver was seen to do: what it reserves is not used. */
int
nvmlDeviceGetMemoryInfo_v2(void *device, struct memory_v2 *memory)
{
	(void)device;
	if (memory->version != (sizeof *memory | 2 << 24))
		return NOT_SUPPORTED;
	memory->total = 16ull << 30;
	memory->reserved = 1ull << 30;
	memory->free = 12ull << 30;
	memory->used = 3ull << 30;
	return SUCCESS;
}
#endif

int
nvmlDeviceGetPowerUsage(void *device, unsigned *mw)
{
	(void)device;
	*mw = 61500;
	return is("unsupported") ? NOT_SUPPORTED : SUCCESS;
}

#ifndef OLD_DRIVER
int
nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *mj)
{
	static unsigned long long now[3] = {0, 1000000, 5000000};
	*mj = now[(uintptr_t)device];
	now[(uintptr_t)device] += 1500;
	return SUCCESS;
}
#endif

struct process {
	unsigned pid;
	unsigned long long bytes;
#ifndef OLD_DRIVER
	unsigned gpu_instance, compute_instance;
#endif
};

static int
list(unsigned *count, struct process *out, const struct process *in, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		out[i] = in[i];
	*count = n;
	return SUCCESS;
}

/* One process twice, as on a divided device, and one whose memory is not reported. */
#ifdef OLD_DRIVER
#define COMPUTE nvmlDeviceGetComputeRunningProcesses
#define GRAPHICS nvmlDeviceGetGraphicsRunningProcesses
#else
#define COMPUTE nvmlDeviceGetComputeRunningProcesses_v3
#define GRAPHICS nvmlDeviceGetGraphicsRunningProcesses_v3
#endif

int
COMPUTE(void *device, unsigned *count, struct process *out)
{
	struct process all[3] = {{.pid = pid(), .bytes = 1000}, {.pid = pid(), .bytes = 500}, {.pid = 4000001, .bytes = ~0ull}};
	return list(count, out, all, device == (void *)1 ? 3 : 0);
}

int
GRAPHICS(void *device, unsigned *count, struct process *out)
{
	struct process all[2] = {{.pid = pid(), .bytes = 1200}, {.pid = 4000002, .bytes = 70}};
	return list(count, out, all, device == (void *)1 ? 2 : 0);
}

struct use { unsigned pid; unsigned long long us; unsigned sm, memory, encoder, decoder; };

int
nvmlDeviceGetProcessUtilization(void *device, struct use *out, unsigned *count, unsigned long long since)
{
	(void)device;
	if (is("idle"))
		return NOT_FOUND;
	if (*count < 2)
		return 7;
	out[0] = (struct use){.pid = pid(), .us = since + 1, .sm = 11};
	out[1] = (struct use){.pid = pid(), .us = since + 2, .sm = 22};
	*count = 2;
	return SUCCESS;
}
