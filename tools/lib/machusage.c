/* machusage.c: the machine's processors, load, pressure and memory.  The files
 * stay open and are read again from their start. */
#include "machusage.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "energy.h"
#include "gpu.h"
#include "nbscope.h"

enum { READ_BYTES = 1024, REASON_BYTES = 256 };

struct source {
	int fd;		/* -1: see error */
	int error;	/* errno of the failed open or read; 0: none */
	char *path;
};

/* The busy seconds of all processors, the finest that there is first. */
enum busy { BUSY_CPUACCT, BUSY_CPU_STAT, BUSY_STAT };
enum pressure { CPU, IO, MEMORY, PRESSURES };

struct machusage {
	uint64_t start_ns, busy_ns, last_busy_ns;
	enum busy how;
	struct source busy, load, memory, pressure[PRESSURES];
	double pressure_start_s[PRESSURES];
	long ticks, processors;
	char reason[REASON_BYTES], pressure_reason[REASON_BYTES];
	struct energy *energy;
	struct gpu *gpu;
};

static const char *const pressure_name[PRESSURES] = {"cpu", "io", "memory"};

static struct source
source_open(const char *path)
{
	struct source s = {.path = machine_path(path)};
	s.fd = open(s.path, O_RDONLY | O_CLOEXEC);
	s.error = s.fd < 0 ? errno : 0;
	return s;
}

static void
source_close(struct source *s)
{
	if (s->fd >= 0)
		close(s->fd);
	free(s->path);
}

/* The file's first READ_BYTES, NUL-ended. */
static bool
source_read(struct source *s, char text[READ_BYTES])
{
	if (s->fd < 0)
		return false;
	ssize_t n = pread(s->fd, text, READ_BYTES - 1, 0);
	s->error = n < 0 ? errno : n == 0 ? ENODATA : 0;
	if (n <= 0)
		return false;
	text[n] = '\0';
	return true;
}

/* The number behind `key` at a line's start. */
static bool
number_of(const char *text, const char *key, uint64_t *value)
{
	size_t n = strlen(key);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, n) != 0)
			continue;
		char *end;
		*value = strtoull(line + n, &end, 10);
		return end != line + n;
	}
	return false;
}

/* Steal is another guest's work and iowait nobody's: neither is busy. guest and
 * guest_nice are in user and nice already. */
static bool
stat_ns(const char *text, long ticks, uint64_t *ns)
{
	unsigned long long user, nice, system, irq, softirq;
	if (sscanf(text, "cpu %llu %llu %llu %*u %*u %llu %llu", &user, &nice, &system, &irq, &softirq) != 5)
		return false;
	*ns = (user + nice + system + irq + softirq) * (1000000000u / (uint64_t)ticks);
	return true;
}

static bool
busy_ns(struct machusage *m, uint64_t *ns)
{
	char text[READ_BYTES], *end;
	uint64_t user, system;
	if (!source_read(&m->busy, text))
		return false;
	switch (m->how) {
	case BUSY_CPUACCT:
		*ns = strtoull(text, &end, 10);
		return end != text;
	case BUSY_CPU_STAT:
		/* usage_usec has steal in it. */
		if (!number_of(text, "user_usec ", &user) || !number_of(text, "system_usec ", &system))
			return false;
		*ns = (user + system) * 1000;
		return true;
	case BUSY_STAT:
		break;
	}
	return stat_ns(text, m->ticks, ns);
}

static bool
there_is(const char *path)
{
	char *full = machine_path(path);
	bool there = access(full, F_OK) == 0;
	free(full);
	return there;
}

/* A control group counts only its own work, so the one that is taken must be
 * the machine's root: only that has no cgroup.type (version 2), only that has a
 * release_agent (version 1).  Its counters are in ns (version 1) and in timer
 * ticks told in us (version 2); those of /proc/stat are in 10 ms. */
static void
busy_open(struct machusage *m)
{
	static const char *const roots[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
	static const char *const accounts[] = {"/sys/fs/cgroup/cpuacct", "/sys/fs/cgroup/cpu,cpuacct"};
	char path[96], mark[96];
	for (size_t i = 0; i < COUNT(accounts); i++) {
		snprintf(path, sizeof path, "%s/cpuacct.usage", accounts[i]);
		snprintf(mark, sizeof mark, "%s/release_agent", accounts[i]);
		m->how = BUSY_CPUACCT;
		if (!there_is(mark) || !there_is(path))
			continue;
		m->busy = source_open(path);
		if (busy_ns(m, &m->busy_ns))
			return;
		source_close(&m->busy);
	}
	for (size_t i = 0; i < COUNT(roots); i++) {
		snprintf(path, sizeof path, "%s/cpu.stat", roots[i]);
		snprintf(mark, sizeof mark, "%s/cgroup.type", roots[i]);
		m->how = BUSY_CPU_STAT;
		if (there_is(mark) || !there_is(path))
			continue;
		m->busy = source_open(path);
		if (busy_ns(m, &m->busy_ns))
			return;
		source_close(&m->busy);
	}
	m->how = BUSY_STAT;
	m->busy = source_open("/proc/stat");
	if (!busy_ns(m, &m->busy_ns))
		m->busy_ns = 0;
}

/* Seconds of the line "some" since boot. */
static bool
pressure_s(struct source *s, double *seconds)
{
	char text[READ_BYTES];
	uint64_t us;
	if (!source_read(s, text) || strncmp(text, "some ", 5) != 0)
		return false;
	const char *total = strstr(text, "total=");
	if (!total || !number_of(total, "total=", &us))
		return false;
	*seconds = (double)us / 1e6;
	return true;
}

struct machusage *
machusage_open(void)
{
	struct machusage *m = xmalloc(sizeof *m);
	*m = (struct machusage){
		.ticks = sysconf(_SC_CLK_TCK),
		/* Once: glibc opens a file each time that it is asked. */
		.processors = sysconf(_SC_NPROCESSORS_ONLN),
	};
	m->energy = xenergy_open(m->processors);
	m->gpu = gpu_open();
	m->load = source_open("/proc/loadavg");
	m->memory = source_open("/proc/meminfo");
	for (int i = 0; i < PRESSURES; i++) {
		char path[64];
		snprintf(path, sizeof path, "/proc/pressure/%s", pressure_name[i]);
		m->pressure[i] = source_open(path);
		if (!pressure_s(&m->pressure[i], &m->pressure_start_s[i]))
			m->pressure_start_s[i] = 0;
	}
	busy_open(m);
	m->last_busy_ns = m->busy_ns;
	m->start_ns = now_ns();
	energy_start(m->energy);
	return m;
}

static void
say_why(char reason[REASON_BYTES], const struct source *s)
{
	if (!*reason)
		snprintf(reason, REASON_BYTES, "cannot read '%s': %s", s->path,
		    s->error ? strerror(s->error) : "it has not the number that is looked for");
}

static json_t *
pressure(struct machusage *m, enum pressure which)
{
	double seconds;
	if (pressure_s(&m->pressure[which], &seconds))
		return json_real(round_to(seconds - m->pressure_start_s[which], 6));
	say_why(m->pressure_reason, &m->pressure[which]);
	return json_null();
}

static json_t *
load(struct machusage *m)
{
	char text[READ_BYTES], *end;
	if (source_read(&m->load, text)) {
		double x = strtod(text, &end);
		if (end != text && x >= 0)
			return json_real(x);
	}
	say_why(m->reason, &m->load);
	return json_null();
}

static json_t *
memory_available(struct machusage *m)
{
	char text[READ_BYTES];
	uint64_t kib;
	if (source_read(&m->memory, text) && number_of(text, "MemAvailable:", &kib))
		return json_integer((json_int_t)(kib * 1024));
	say_why(m->reason, &m->memory);
	return json_null();
}

/* Cumulative since the watch began; NaN where it cannot be told.  The kernel's
 * own sums may step back by a tick: ours do not. */
static double
busy_s(struct machusage *m)
{
	uint64_t ns;
	if (!busy_ns(m, &ns)) {
		say_why(m->reason, &m->busy);
		return NAN;
	}
	if (ns > m->last_busy_ns)
		m->last_busy_ns = ns;
	return (double)(m->last_busy_ns - m->busy_ns) / 1e9;
}

static json_t *
text_or_null(const char *text)
{
	return *text ? json_string(text) : json_null();
}

void
machusage_fill(struct machusage *m, json_t *record)
{
	*m->reason = *m->pressure_reason = '\0';
	double busy = busy_s(m), elapsed = (double)(now_ns() - m->start_ns) / 1e9;
	json_object_set_new(record, "elapsed_s", json_real(round_to(elapsed, 9)));
	json_object_set_new(record, "processors", json_integer(m->processors));
	json_object_set_new(record, "cpu_busy_s", isnan(busy) ? json_null() : json_real(round_to(busy, 9)));
	json_object_set_new(record, "load_1min", load(m));
	json_object_set_new(record, "memory_available_bytes", memory_available(m));
	json_object_set_new(record, "reason", text_or_null(m->reason));
	json_object_set_new(record, "cpu_pressure_s", pressure(m, CPU));
	json_object_set_new(record, "io_pressure_s", pressure(m, IO));
	json_object_set_new(record, "memory_pressure_s", pressure(m, MEMORY));
	json_object_set_new(record, "pressure_reason", text_or_null(m->pressure_reason));
	energy_fill(m->energy, record, busy, elapsed);
	gpu_fill(m->gpu, record);
}

uint64_t
machusage_child_cpu_ns(const struct machusage *m)
{
	return gpu_cpu_ns(m->gpu);
}

void
machusage_close(struct machusage *m)
{
	if (!m)
		return;
	source_close(&m->busy);
	source_close(&m->load);
	source_close(&m->memory);
	for (int i = 0; i < PRESSURES; i++)
		source_close(&m->pressure[i]);
	energy_close(m->energy);
	gpu_close(m->gpu);
	free(m);
}
