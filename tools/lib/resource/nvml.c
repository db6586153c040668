/* nvml.c: use, memory, power and energy of each device, and the processes on
 * it.  Declarations as in NVIDIA's nvml.h 12.9; nothing is linked. */
#include "nvml.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "nbscope.h"

enum {
	DEVICES_MAX = 64, NAME_BYTES = 96, ENTRIES = 1024, PROCESS_WINDOW_US = 1000000,
	/* nvmlReturn_t */
	NVML_SUCCESS = 0, NVML_NOT_FOUND = 6, NVML_FUNCTION_NOT_FOUND = 13,
};

typedef struct nvmlDevice_st *device_t;
struct utilization { unsigned gpu, memory; };
struct memory { unsigned long long total, free, used; };
/* Of the call without a suffix; _v2 and _v3 have two numbers more. */
struct process_v1 { unsigned pid; unsigned long long bytes; };
struct process_v2 { unsigned pid; unsigned long long bytes; unsigned gpu_instance, compute_instance; };
struct process_use { unsigned pid; unsigned long long us; unsigned sm, memory, encoder, decoder; };

struct nvml {
	void *library;
	int (*init)(void);
	const char *(*error_string)(int);
	int (*count)(unsigned *);
	int (*handle)(unsigned, device_t *);
	int (*name)(device_t, char *, unsigned);
	int (*utilization)(device_t, struct utilization *);
	int (*memory)(device_t, struct memory *);
	int (*power_mw)(device_t, unsigned *);
	int (*energy_mj)(device_t, unsigned long long *);
	int (*processes[2])(device_t, unsigned *, void *);	/* compute, graphics */
	bool short_processes[2];	/* they fill struct process_v1 */
	int (*process_use)(device_t, struct process_use *, unsigned *, unsigned long long);
	unsigned long long last_mj[DEVICES_MAX], sum_mj[DEVICES_MAX];
	bool started[DEVICES_MAX];
	/* Of either kind; some drivers of the 530 series write 32 bytes a process. */
	_Alignas(8) unsigned char entries[ENTRIES * 32];
	struct process_use uses[ENTRIES];
};

/* ISO C keeps function and object pointers apart; POSIX does not. */
static bool
find(struct nvml *n, const char *name, void *function)
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
		if (find(n, name, &n->processes[which]))
			return;
	}
	snprintf(name, sizeof name, "nvmlDeviceGet%sRunningProcesses", kind);
	n->short_processes[which] = find(n, name, &n->processes[which]);
}

static const char *
why(const struct nvml *n, int code)
{
	if (code == NVML_FUNCTION_NOT_FOUND || !n->error_string)
		return "the driver has no such call";
	const char *text = n->error_string(code);
	return text ? text : "unknown error";
}

struct nvml *
nvml_open(char reason[256])
{
	const char *path = getenv("NBSCOPE_NVML");
	struct nvml *n = xmalloc(sizeof *n);
	memset(n, 0, sizeof *n);
	n->library = dlopen(path && *path ? path : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!n->library) {
		snprintf(reason, 256, "no NVIDIA driver: %s", dlerror());
		free(n);
		return NULL;
	}
	find(n, "nvmlErrorString", &n->error_string);
	find(n, "nvmlDeviceGetName", &n->name);
	find(n, "nvmlDeviceGetUtilizationRates", &n->utilization);
	find(n, "nvmlDeviceGetMemoryInfo", &n->memory);
	find(n, "nvmlDeviceGetPowerUsage", &n->power_mw);
	find(n, "nvmlDeviceGetTotalEnergyConsumption", &n->energy_mj);
	find(n, "nvmlDeviceGetProcessUtilization", &n->process_use);
	find_processes(n, 0, "Compute");
	find_processes(n, 1, "Graphics");
	bool whole = find(n, "nvmlInit_v2", &n->init) && find(n, "nvmlDeviceGetCount_v2", &n->count) &&
	    find(n, "nvmlDeviceGetHandleByIndex_v2", &n->handle);
	int code = whole ? n->init() : NVML_FUNCTION_NOT_FOUND;
	if (code == NVML_SUCCESS)
		return n;
	snprintf(reason, 256, "NVML cannot begin: %s", why(n, code));
	dlclose(n->library);
	free(n);
	return NULL;
}

/* True when the call went well; else what it wanted is null, and why. */
static bool
went(const struct nvml *n, int code, const char *what, struct buf *reasons)
{
	if (code != NVML_SUCCESS)
		buf_addf(reasons, "%s%s: %s", reasons->n ? "; " : "", what, why(n, code));
	return code == NVML_SUCCESS;
}

#define CALL(function, ...) ((function) ? (function)(__VA_ARGS__) : NVML_FUNCTION_NOT_FOUND)

static void
put(json_t *object, const char *key, bool known, double value)
{
	json_object_set_new(object, key, known ? json_real(value) : json_null());
}

static void
put_whole(json_t *object, const char *key, bool known, unsigned long long value)
{
	json_object_set_new(object, key, known ? json_integer((json_int_t)value) : json_null());
}

static json_t *
process_of(json_t *list, unsigned pid)
{
	size_t i;
	json_t *one;
	json_array_foreach(list, i, one)
		if (json_integer_value(json_object_get(one, "pid")) == (json_int_t)pid)
			return one;
	one = json_object();
	json_object_set_new(one, "pid", json_integer((json_int_t)pid));
	json_object_set_new(one, "memory_bytes", json_null());
	json_object_set_new(one, "use_pct", json_null());
	json_array_append_new(list, one);
	return one;
}

/* A process that draws and computes stands in both lists with its whole
 * memory; on a divided device it stands in one list several times. */
static int
add_processes(struct nvml *n, device_t device, int which, json_t *list)
{
	unsigned count = ENTRIES;
	size_t size = n->short_processes[which] ? sizeof(struct process_v1) : sizeof(struct process_v2);
	int code = CALL(n->processes[which], device, &count, n->entries);
	json_t *mine = json_array();
	for (unsigned i = 0; code == NVML_SUCCESS && i < count && i < ENTRIES; i++) {
		/* Both kinds begin alike. */
		struct process_v1 p;
		memcpy(&p, n->entries + i * size, sizeof p);
		json_t *one = process_of(mine, p.pid);
		/* All ones: not told. */
		if (p.bytes != ~0ull)
			put_whole(one, "memory_bytes", true,
			    (unsigned long long)json_integer_value(json_object_get(one, "memory_bytes")) + p.bytes);
	}
	size_t i;
	json_t *one;
	json_array_foreach(mine, i, one) {
		json_t *known = process_of(list, (unsigned)json_integer_value(json_object_get(one, "pid")));
		json_t *bytes = json_object_get(one, "memory_bytes");
		if (json_integer_value(bytes) > json_integer_value(json_object_get(known, "memory_bytes")) ||
		    (json_is_integer(bytes) && !json_is_integer(json_object_get(known, "memory_bytes"))))
			json_object_set(known, "memory_bytes", bytes);
	}
	json_decref(mine);
	return code;
}

/* The newest of the last second; who has none then used nothing. */
static void
add_process_use(struct nvml *n, device_t device, json_t *list, struct buf *reasons)
{
	unsigned count = ENTRIES;
	unsigned long long since = (unsigned long long)(now_t() * 1e6) - PROCESS_WINDOW_US;
	int code = CALL(n->process_use, device, n->uses, &count, since);
	if (code == NVML_NOT_FOUND)
		count = 0;
	else if (!went(n, code, "use of each process", reasons))
		return;
	size_t i;
	json_t *one;
	json_array_foreach(list, i, one) {
		const struct process_use *newest = NULL;
		for (unsigned k = 0; k < count && k < ENTRIES; k++)
			if (n->uses[k].pid == (unsigned)json_integer_value(json_object_get(one, "pid")) &&
			    (!newest || n->uses[k].us > newest->us))
				newest = &n->uses[k];
		put(one, "use_pct", true, newest ? newest->sm : 0);
	}
}

static json_t *
processes(struct nvml *n, device_t device, struct buf *reasons)
{
	json_t *list = json_array();
	bool compute = went(n, add_processes(n, device, 0, list), "computing processes", reasons);
	bool graphics = went(n, add_processes(n, device, 1, list), "drawing processes", reasons);
	if (json_array_size(list) > 0)
		add_process_use(n, device, list, reasons);
	if (compute || graphics)
		return list;
	json_decref(list);
	return json_null();
}

static void
put_energy(struct nvml *n, unsigned index, device_t device, json_t *gpu, struct buf *reasons)
{
	unsigned long long mj = 0;
	bool known = went(n, CALL(n->energy_mj, device, &mj), "energy_j", reasons);
	if (known) {
		/* The counter begins anew with its driver. */
		if (n->started[index] && mj > n->last_mj[index])
			n->sum_mj[index] += mj - n->last_mj[index];
		n->started[index] = true;
		n->last_mj[index] = mj;
	}
	put(gpu, "energy_j", known, (double)n->sum_mj[index] / 1e3);
}

static json_t *
read_device(struct nvml *n, unsigned index)
{
	char name[NAME_BYTES] = "";
	struct utilization use = {0, 0};
	struct memory memory = {0, 0, 0};
	struct buf reasons = {.limit = 4096};
	unsigned mw = 0;
	device_t device = NULL;
	json_t *gpu = json_object();
	json_object_set_new(gpu, "index", json_integer((json_int_t)index));
	bool there = went(n, n->handle(index, &device), "device", &reasons), known;
	known = there && went(n, CALL(n->name, device, name, NAME_BYTES), "name", &reasons);
	name[NAME_BYTES - 1] = '\0';
	json_object_set_new(gpu, "name", known ? json_string(name) : json_null());
	known = there && went(n, CALL(n->utilization, device, &use), "use_pct", &reasons);
	put(gpu, "use_pct", known, use.gpu);
	put(gpu, "memory_use_pct", known, use.memory);
	known = there && went(n, CALL(n->memory, device, &memory), "memory_bytes", &reasons);
	put_whole(gpu, "memory_bytes", known, memory.used);
	put_whole(gpu, "memory_total_bytes", known, memory.total);
	known = there && went(n, CALL(n->power_mw, device, &mw), "power_w", &reasons);
	put(gpu, "power_w", known, mw / 1e3);
	if (there)
		put_energy(n, index, device, gpu, &reasons);
	else
		json_object_set_new(gpu, "energy_j", json_null());
	json_object_set_new(gpu, "processes", there ? processes(n, device, &reasons) : json_null());
	json_object_set_new(gpu, "reason", reasons.n ? json_string(reasons.p) : json_null());
	buf_free(&reasons);
	return gpu;
}

json_t *
nvml_read(struct nvml *n, char reason[256])
{
	unsigned count = 0;
	int code = n->count(&count);
	if (code != NVML_SUCCESS || count == 0) {
		snprintf(reason, 256, "NVML tells no device%s%s", code ? ": " : "", code ? why(n, code) : "");
		return NULL;
	}
	json_t *gpus = json_array();
	for (unsigned i = 0; i < count && i < DEVICES_MAX; i++)
		json_array_append_new(gpus, read_device(n, i));
	return gpus;
}
