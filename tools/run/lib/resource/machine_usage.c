/* machine_usage.c: the machine's processors, load, pressure and memory; energy.c and gpu.c
 * contribute the rest. */
#include "resource/machine_usage.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/num.h"
#include "json/json_value.h"
#include "resource/energy.h"
#include "resource/processor_usage.h"
#include "resource/procfile.h"

#include <stdio.h>
#include <unistd.h>

/* ---- the processors' time ---- */

struct cpu_time {
	enum { CPU_TIME_CPUACCT, CPU_TIME_CGROUP2, CPU_TIME_PROC_STAT } source;
	struct procfile file;
	long ticks_per_s;
};

#define CGROUP "/sys/fs/cgroup/"

/* false: see file.error */
static bool
cpu_time_read(struct cpu_time *c, uint64_t *ns)
{
	char text[PROCFILE_BYTES], *end;
	uint64_t user_us, system_us;
	if (!procfile_read(&c->file, text))
		return false;
	switch (c->source) {
	case CPU_TIME_CPUACCT:
		*ns = strtoull(text, &end, 10);
		return end != text;
	case CPU_TIME_CGROUP2:
		/* usage_usec would include steal. */
		if (!procfile_number(text, "user_usec ", &user_us) ||
		    !procfile_number(text, "system_usec ", &system_us))
			return false;
		*ns = (user_us + system_us) * 1000;
		return true;
	case CPU_TIME_PROC_STAT:
		break;
	}
	if (strncmp(text, "cpu ", 4) != 0 || !processor_busy_ticks(text + 4, ns))
		return false;
	*ns *= 1000000000u / (uint64_t)c->ticks_per_s;
	return true;
}

static bool
file_exists(const char *path)
{
	char *full = procfile_path(path);
	bool exists = access(full, F_OK) == 0;
	free(full);
	return exists;
}

/* A control group counts only its own work, so it must be the machine's root group: only that
 * one has a release_agent (version 1), or lacks cgroup.type (version 2).  Version 1 counts in
 * ns, version 2 in timer ticks (shown as us), and /proc/stat in steps of 10 ms. */
static void
cpu_time_open(struct cpu_time *c)
{
	static const struct {
		const char *file, *mark;
		bool root_has_mark;
		int source;
	} groups[] = {
		{CGROUP "cpuacct/cpuacct.usage", CGROUP "cpuacct/release_agent", true,
			CPU_TIME_CPUACCT},
		{CGROUP "cpu,cpuacct/cpuacct.usage", CGROUP "cpu,cpuacct/release_agent", true,
			CPU_TIME_CPUACCT},
		{CGROUP "cpu.stat", CGROUP "cgroup.type", false, CPU_TIME_CGROUP2},
		{CGROUP "unified/cpu.stat", CGROUP "unified/cgroup.type", false, CPU_TIME_CGROUP2},
	};
	uint64_t ns;
	*c = (struct cpu_time){.ticks_per_s = sysconf(_SC_CLK_TCK)};
	for (size_t i = 0; i < COUNT(groups); i++) {
		if (file_exists(groups[i].mark) != groups[i].root_has_mark)
			continue;
		c->source = groups[i].source;
		c->file = procfile_open(groups[i].file);
		if (cpu_time_read(c, &ns))
			return;
		procfile_close(&c->file);
	}
	c->source = CPU_TIME_PROC_STAT;
	c->file = procfile_open("/proc/stat");
}

enum { REASON_BYTES = 256 };
enum pressure { PRESSURE_CPU, PRESSURE_IO, PRESSURE_MEMORY, PRESSURES };

struct machine_usage {
	uint64_t start_ns, start_busy_ns, last_busy_ns;
	struct cpu_time cpu_time;
	bool start_known;	/* start_busy_ns is */
	struct procfile load, memory, pressure[PRESSURES];
	double pressure_start_s[PRESSURES];
	long processors;
	char reason[REASON_BYTES], pressure_reason[REASON_BYTES];
	struct energy *energy;
	struct gpu *gpu;
};

static const char *const pressure_names[PRESSURES] = {
	[PRESSURE_CPU] = "cpu", [PRESSURE_IO] = "io", [PRESSURE_MEMORY] = "memory",
};

/* The "some" line, in seconds since boot. */
static bool
read_pressure(struct procfile *f, double *seconds)
{
	char text[PROCFILE_BYTES];
	uint64_t us;
	if (!procfile_read(f, text) || strncmp(text, "some ", 5) != 0)
		return false;
	const char *total = strstr(text, "total=");
	if (!total || !procfile_number(total, "total=", &us))
		return false;
	*seconds = (double)us / 1e6;
	return true;
}

struct machine_usage *
machine_usage_open(void)
{
	struct machine_usage *m = xmalloc(sizeof *m);
	/* The processors are counted once, because glibc opens a file on each call. */
	*m = (struct machine_usage){.processors = sysconf(_SC_NPROCESSORS_ONLN)};
	m->energy = xenergy_open(m->processors);
	m->gpu = gpu_open();
	m->load = procfile_open("/proc/loadavg");
	m->memory = procfile_open("/proc/meminfo");
	for (int i = 0; i < PRESSURES; i++) {
		char path[64];
		snprintf(path, sizeof path, "/proc/pressure/%s", pressure_names[i]);
		m->pressure[i] = procfile_open(path);
		if (!read_pressure(&m->pressure[i], &m->pressure_start_s[i]))
			m->pressure_start_s[i] = 0;
	}
	cpu_time_open(&m->cpu_time);
	m->start_known = cpu_time_read(&m->cpu_time, &m->start_busy_ns);
	m->last_busy_ns = m->start_busy_ns;
	m->start_ns = clock_monotonic_ns();
	energy_start(m->energy);
	return m;
}

static void
set_reason(char reason[REASON_BYTES], const struct procfile *f)
{
	if (!*reason)
		snprintf(reason, REASON_BYTES, "cannot read '%s': %s", f->path,
		    f->error ? strerror(f->error) : "it lacks the expected number");
}

static json_t *
pressure_s(struct machine_usage *m, enum pressure which)
{
	double seconds;
	if (read_pressure(&m->pressure[which], &seconds))
		return json_real(num_round(seconds - m->pressure_start_s[which], 6));
	set_reason(m->pressure_reason, &m->pressure[which]);
	return json_null();
}

static json_t *
load_1min(struct machine_usage *m)
{
	char text[PROCFILE_BYTES], *end;
	if (procfile_read(&m->load, text)) {
		double x = strtod(text, &end);
		if (end != text && x >= 0)
			return json_real(x);
	}
	set_reason(m->reason, &m->load);
	return json_null();
}

static json_t *
memory_available_bytes(struct machine_usage *m)
{
	char text[PROCFILE_BYTES];
	uint64_t kib;
	if (procfile_read(&m->memory, text) && procfile_number(text, "MemAvailable:", &kib))
		return json_integer((json_int_t)(kib * 1024));
	set_reason(m->reason, &m->memory);
	return json_null();
}

/* Cumulative since the start; NaN if unknown.  The kernel's sums may decrease by a tick; this
 * one never does. */
static double
busy_s(struct machine_usage *m)
{
	uint64_t ns;
	if (!m->start_known || !cpu_time_read(&m->cpu_time, &ns)) {
		set_reason(m->reason, &m->cpu_time.file);
		return NAN;
	}
	if (ns > m->last_busy_ns)
		m->last_busy_ns = ns;
	return (double)(m->last_busy_ns - m->start_busy_ns) / 1e9;
}

void
machine_usage_fill(struct machine_usage *m, json_t *record)
{
	*m->reason = *m->pressure_reason = '\0';
	double busy = busy_s(m), elapsed_s = (double)(clock_monotonic_ns() - m->start_ns) / 1e9;
	json_object_set_new(record, "elapsed_s", json_real(num_round(elapsed_s, 9)));
	json_object_set_new(record, "processors", json_integer(m->processors));
	json_object_set_new(record, "cpu_busy_s", json_value_real(num_round(busy, 9)));
	json_object_set_new(record, "load_1min", load_1min(m));
	json_object_set_new(record, "memory_available_bytes", memory_available_bytes(m));
	json_object_set_new(record, "reason", json_value_text(m->reason));
	json_object_set_new(record, "cpu_pressure_s", pressure_s(m, PRESSURE_CPU));
	json_object_set_new(record, "io_pressure_s", pressure_s(m, PRESSURE_IO));
	json_object_set_new(record, "memory_pressure_s", pressure_s(m, PRESSURE_MEMORY));
	json_object_set_new(record, "pressure_reason", json_value_text(m->pressure_reason));
	energy_fill(m->energy, record, busy, elapsed_s);
	gpu_fill(m->gpu, record);
}

struct gpu *
machine_usage_gpu(struct machine_usage *m)
{
	return m->gpu;
}

void
machine_usage_close(struct machine_usage *m)
{
	if (!m)
		return;
	procfile_close(&m->cpu_time.file);
	procfile_close(&m->load);
	procfile_close(&m->memory);
	for (int i = 0; i < PRESSURES; i++)
		procfile_close(&m->pressure[i]);
	energy_close(m->energy);
	gpu_close(m->gpu);
	free(m);
}
