/* gpuread: what NVIDIA's GPUs and the processes on them use, now: a line for each line of input.
 * A program of its own, because a driver that hangs can be neither waited for nor killed. */
#include "base/buf.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "json/json_value.h"
#include "json/lines.h"
#include "resource/nvml_library.h"

#include <dlfcn.h>
#include <jansson.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum {
	MAX_DEVICES = 64, NAME_BYTES = 96, MAX_ENTRIES = 1024, PROCESS_WINDOW_US = 1000000,
	/* nvmlReturn_t */
	NVML_SUCCESS = 0, NVML_NOT_FOUND = 6, NVML_FUNCTION_NOT_FOUND = 13,
};

typedef struct nvmlDevice_st *device_t;
struct nvml_utilization { unsigned gpu, memory; };
struct nvml_memory { unsigned long long total, free, used; };
/* Its `used` is without what the driver reserves, as in nvidia-smi's. */
struct nvml_memory_v2 { unsigned version; unsigned long long total, reserved, free, used; };
/* Filled by the call without a suffix; _v2 and _v3 fill nvml_process_v2. */
struct nvml_process_v1 { unsigned pid; unsigned long long bytes; };
struct nvml_process_v2 {
	unsigned pid;
	unsigned long long bytes;
	unsigned gpu_instance, compute_instance;
};
struct nvml_process_use {
	unsigned pid;
	unsigned long long us;
	unsigned sm, memory, encoder, decoder;
};

struct nvml {
	void *library;
	int (*init)(void);
	const char *(*error_string)(int);
	int (*count)(unsigned *);
	int (*handle)(unsigned, device_t *);
	int (*name)(device_t, char *, unsigned);
	int (*utilization)(device_t, struct nvml_utilization *);
	int (*memory)(device_t, struct nvml_memory *);
	int (*memory_v2)(device_t, struct nvml_memory_v2 *);
	int (*power_mw)(device_t, unsigned *);
	int (*energy_mj)(device_t, unsigned long long *);
	int (*processes[2])(device_t, unsigned *, void *);	/* compute, graphics */
	bool short_entries[2];	/* they fill struct nvml_process_v1 */
	int (*process_use)(device_t, struct nvml_process_use *, unsigned *, unsigned long long);
	unsigned long long last_mj[MAX_DEVICES], sum_mj[MAX_DEVICES];
	bool started[MAX_DEVICES];
	/* Some drivers of the 530 series write 32 bytes per process. */
	_Alignas(8) unsigned char entries[MAX_ENTRIES * 32];
	struct nvml_process_use uses[MAX_ENTRIES];
};

/* memcpy, because ISO C does not convert between function and object pointers. */
static bool
find_call(struct nvml *n, const char *name, void *function)
{
	void *symbol = dlsym(n->library, name);
	memcpy(function, &symbol, sizeof symbol);
	return symbol != NULL;
}

static void
find_processes(struct nvml *n, int which, const char *kind)
{
	char name[64];
	for (int version = 3; version >= 2; version--) {
		snprintf(name, sizeof name, "nvmlDeviceGet%sRunningProcesses_v%d", kind, version);
		if (find_call(n, name, &n->processes[which]))
			return;
	}
	snprintf(name, sizeof name, "nvmlDeviceGet%sRunningProcesses", kind);
	n->short_entries[which] = find_call(n, name, &n->processes[which]);
}

static const char *
error_text(const struct nvml *n, int code)
{
	if (code == NVML_FUNCTION_NOT_FOUND || !n->error_string)
		return "the driver has no such call";
	const char *text = n->error_string(code);
	return text ? text : "unknown error";
}

/* Opens and initializes the library that NBSCOPE_NVML names, or libnvidia-ml.so.1.  NULL and a
 * line in reason[256] on failure.  May hang with the driver. */
static struct nvml *
nvml_open(char reason[256])
{
	struct nvml *n = xmalloc(sizeof *n);
	memset(n, 0, sizeof *n);
	n->library = nvml_library_open(reason);
	if (!n->library) {
		free(n);
		return NULL;
	}
	find_call(n, "nvmlErrorString", &n->error_string);
	find_call(n, "nvmlDeviceGetName", &n->name);
	find_call(n, "nvmlDeviceGetUtilizationRates", &n->utilization);
	find_call(n, "nvmlDeviceGetMemoryInfo", &n->memory);
	find_call(n, "nvmlDeviceGetMemoryInfo_v2", &n->memory_v2);
	find_call(n, "nvmlDeviceGetPowerUsage", &n->power_mw);
	find_call(n, "nvmlDeviceGetTotalEnergyConsumption", &n->energy_mj);
	find_call(n, "nvmlDeviceGetProcessUtilization", &n->process_use);
	find_processes(n, 0, "Compute");
	find_processes(n, 1, "Graphics");
	bool whole = find_call(n, "nvmlInit_v2", &n->init) &&
	    find_call(n, "nvmlDeviceGetCount_v2", &n->count) &&
	    find_call(n, "nvmlDeviceGetHandleByIndex_v2", &n->handle);
	int code = whole ? n->init() : NVML_FUNCTION_NOT_FOUND;
	if (code == NVML_SUCCESS)
		return n;
	snprintf(reason, 256, "cannot initialize NVML: %s", error_text(n, code));
	dlclose(n->library);
	free(n);
	return NULL;
}

/* Whether the call succeeded; if not, adds to the reasons why `subject` is null. */
static bool
succeeded(const struct nvml *n, int code, const char *subject, struct buf *reasons)
{
	if (code != NVML_SUCCESS)
		buf_addf(reasons, "%s%s: %s", reasons->n ? "; " : "", subject, error_text(n, code));
	return code == NVML_SUCCESS;
}

#define CALL(function, ...) ((function) ? (function)(__VA_ARGS__) : NVML_FUNCTION_NOT_FOUND)

static void
set_real(json_t *object, const char *key, bool known, double value)
{
	json_object_set_new(object, key, known ? json_real(value) : json_null());
}

static void
set_integer(json_t *object, const char *key, bool known, unsigned long long value)
{
	json_object_set_new(object, key, known ? json_integer((json_int_t)value) : json_null());
}

/* The process in the list, added to it if need be. */
static json_t *
list_process(json_t *list, json_int_t pid)
{
	size_t i;
	json_t *process;
	json_array_foreach(list, i, process)
		if (json_integer_value(json_object_get(process, "pid")) == pid)
			return process;
	process = json_pack("{s:I, s:n, s:n}", "pid", pid, "memory_bytes", "utilization_pct");
	json_array_append_new(list, process);
	return process;
}

/* A process that does both graphics and computing is in both lists with its whole memory; on a
 * divided device it is in one list several times. */
static int
add_processes(struct nvml *n, device_t device, int which, json_t *list)
{
	unsigned count = MAX_ENTRIES;
	size_t size = n->short_entries[which] ?
	    sizeof(struct nvml_process_v1) : sizeof(struct nvml_process_v2);
	int code = CALL(n->processes[which], device, &count, n->entries);
	json_t *these = json_array(), *process;
	for (unsigned k = 0; code == NVML_SUCCESS && k < count && k < MAX_ENTRIES; k++) {
		/* Both versions begin alike. */
		struct nvml_process_v1 p;
		memcpy(&p, n->entries + k * size, sizeof p);
		process = list_process(these, p.pid);
		json_int_t sum = json_integer_value(json_object_get(process, "memory_bytes"));
		if (p.bytes != ~0ull)	/* known */
			json_object_set_new(process, "memory_bytes",
			    json_integer(sum + (json_int_t)p.bytes));
	}
	size_t i;
	json_array_foreach(these, i, process) {
		json_int_t pid = json_integer_value(json_object_get(process, "pid"));
		json_t *bytes = json_object_get(process, "memory_bytes");
		json_t *listed = list_process(list, pid);
		json_t *had = json_object_get(listed, "memory_bytes");
		if (json_integer_value(bytes) > json_integer_value(had) ||
		    (json_is_integer(bytes) && !json_is_integer(had)))
			json_object_set(listed, "memory_bytes", bytes);
	}
	json_decref(these);
	return code;
}

/* The driver's newest sample of the last second; a process without one used nothing. */
static void
set_process_utilization(struct nvml *n, device_t device, json_t *list, struct buf *reasons)
{
	unsigned count = MAX_ENTRIES;
	unsigned long long since = (unsigned long long)(clock_unix_s() * 1e6) - PROCESS_WINDOW_US;
	int code = CALL(n->process_use, device, n->uses, &count, since);
	if (code == NVML_NOT_FOUND)
		count = 0;
	else if (!succeeded(n, code, "utilization of each process", reasons))
		return;
	size_t i;
	json_t *process;
	json_array_foreach(list, i, process) {
		const struct nvml_process_use *newest = NULL;
		json_int_t pid = json_integer_value(json_object_get(process, "pid"));
		for (unsigned k = 0; k < count && k < MAX_ENTRIES; k++) {
			const struct nvml_process_use *use = &n->uses[k];
			if (use->pid == (unsigned)pid && (!newest || use->us > newest->us))
				newest = use;
		}
		set_real(process, "utilization_pct", true, newest ? newest->sm : 0);
	}
}

static json_t *
read_processes(struct nvml *n, device_t device, struct buf *reasons)
{
	json_t *list = json_array();
	int code = add_processes(n, device, 0, list);
	bool compute = succeeded(n, code, "compute processes", reasons);
	code = add_processes(n, device, 1, list);
	bool graphics = succeeded(n, code, "graphics processes", reasons);
	if (json_array_size(list) > 0)
		set_process_utilization(n, device, list, reasons);
	if (compute || graphics)
		return list;
	json_decref(list);
	return json_null();
}

static void
set_energy(struct nvml *n, unsigned index, device_t device, json_t *gpu, struct buf *reasons)
{
	unsigned long long mj = 0;
	bool known = succeeded(n, CALL(n->energy_mj, device, &mj), "energy_j", reasons);
	if (known) {
		/* The counter restarts with its driver. */
		if (n->started[index] && mj > n->last_mj[index])
			n->sum_mj[index] += mj - n->last_mj[index];
		n->started[index] = true;
		n->last_mj[index] = mj;
	}
	set_real(gpu, "energy_j", known, (double)n->sum_mj[index] / 1e3);
}

static int
read_memory(const struct nvml *n, device_t device, struct nvml_memory *memory)
{
	struct nvml_memory_v2 v2 = {.version = sizeof v2 | 2 << 24};
	if (CALL(n->memory_v2, device, &v2) != NVML_SUCCESS)
		return CALL(n->memory, device, memory);
	*memory = (struct nvml_memory){v2.total, v2.free, v2.used};
	return NVML_SUCCESS;
}

static json_t *
read_device(struct nvml *n, unsigned index)
{
	char name[NAME_BYTES] = "";
	struct nvml_utilization use = {0, 0};
	struct nvml_memory memory = {0, 0, 0};
	struct buf reasons = {.limit = 4096};
	unsigned mw = 0;
	device_t device = NULL;
	json_t *gpu = json_object();
	json_object_set_new(gpu, "index", json_integer((json_int_t)index));
	bool present = succeeded(n, n->handle(index, &device), "device", &reasons), known;
	known = present && succeeded(n, CALL(n->name, device, name, NAME_BYTES), "name", &reasons);
	name[NAME_BYTES - 1] = '\0';
	json_object_set_new(gpu, "name", known ? json_string(name) : json_null());
	known = present &&
	    succeeded(n, CALL(n->utilization, device, &use), "utilization_pct", &reasons);
	set_real(gpu, "utilization_pct", known, use.gpu);
	set_real(gpu, "memory_utilization_pct", known, use.memory);
	known = present && succeeded(n, read_memory(n, device, &memory), "memory_bytes", &reasons);
	set_integer(gpu, "memory_bytes", known, memory.used);
	set_integer(gpu, "memory_total_bytes", known, memory.total);
	known = present && succeeded(n, CALL(n->power_mw, device, &mw), "power_w", &reasons);
	set_real(gpu, "power_w", known, mw / 1e3);
	if (present)
		set_energy(n, index, device, gpu, &reasons);
	else
		json_object_set_new(gpu, "energy_j", json_null());
	json_t *processes = present ? read_processes(n, device, &reasons) : json_null();
	json_object_set_new(gpu, "processes", processes);
	json_object_set_new(gpu, "reason", json_value_text(reasons.p));
	buf_free(&reasons);
	return gpu;
}

/* All devices, an array; NULL and a reason if there is none.  energy_j counts from the first
 * reading. */
static json_t *
nvml_read(struct nvml *n, char reason[256])
{
	unsigned count = 0;
	int code = n->count(&count);
	if (code != NVML_SUCCESS || count == 0) {
		snprintf(reason, 256, "NVML reports no device%s%s", code ? ": " : "",
		    code ? error_text(n, code) : "");
		return NULL;
	}
	json_t *gpus = json_array();
	for (unsigned i = 0; i < count && i < MAX_DEVICES; i++)
		json_array_append_new(gpus, read_device(n, i));
	return gpus;
}

static const struct opt opts[] = {{0}};
static const struct opt_usage usage = {"gpuread", "",
	"Reads NVIDIA's GPUs: writes a reading for each line of the standard input.", opts};

static double
own_cpu_s(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Takes `gpus`.  `last`: no reading will follow. */
static void
xwrite_reading(json_t *gpus, const char *reason, bool last)
{
	json_t *r = json_pack("{s:s, s:o, s:o?, s:o, s:b, s:f}", "type", "gpu_reading",
	    "t", json_value_time(clock_unix_s()), "gpus", gpus,
	    "reason", json_value_text(gpus ? NULL : reason), "last", last, "cpu_s", own_cpu_s());
	xlines_write(r);
	xoutput_flush();
	json_decref(r);
}

int
main(int argc, char **argv)
{
	char reason[256] = "", byte;
	if (opt_parse(argc, argv, &usage) < argc)
		opt_die(&usage, "unexpected operand '%s'", argv[argc - 1]);
	struct nvml *n = nvml_open(reason);
	if (!n)
		xwrite_reading(NULL, reason, true);
	while (n && read(STDIN_FILENO, &byte, 1) == 1)
		if (byte == '\n')
			xwrite_reading(nvml_read(n, reason), reason, false);
	xoutput_close();
	return ST_OK;
}
