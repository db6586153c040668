/* machusage.c: the machine's processors, load, pressure and memory; energy and
 * GPUs have files of their own. */
#include "machusage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "busy.h"
#include "energy.h"
#include "gpu.h"
#include "nbscope.h"

enum { REASON_BYTES = 256 };
enum pressure { CPU, IO, MEMORY, PRESSURES };

struct machusage {
	uint64_t start_ns, busy_ns, last_busy_ns;
	struct busy busy;
	bool busy_known;	/* busy_ns is */
	struct reread load, memory, pressure[PRESSURES];
	double pressure_start_s[PRESSURES];
	long processors;
	char reason[REASON_BYTES], pressure_reason[REASON_BYTES];
	struct energy *energy;
	struct gpu *gpu;
};

static const char *const pressure_name[PRESSURES] = {"cpu", "io", "memory"};

/* Seconds of the line "some" since boot. */
static bool
pressure_s(struct reread *s, double *seconds)
{
	char text[READ_BYTES];
	uint64_t us;
	if (!reread(s, text) || strncmp(text, "some ", 5) != 0)
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
		/* Once: glibc opens a file each time that it is asked. */
		.processors = sysconf(_SC_NPROCESSORS_ONLN),
	};
	m->energy = xenergy_open(m->processors);
	m->gpu = gpu_open();
	m->load = reread_open("/proc/loadavg");
	m->memory = reread_open("/proc/meminfo");
	for (int i = 0; i < PRESSURES; i++) {
		char path[64];
		snprintf(path, sizeof path, "/proc/pressure/%s", pressure_name[i]);
		m->pressure[i] = reread_open(path);
		if (!pressure_s(&m->pressure[i], &m->pressure_start_s[i]))
			m->pressure_start_s[i] = 0;
	}
	busy_open(&m->busy);
	m->busy_known = busy_read(&m->busy, &m->busy_ns);
	m->last_busy_ns = m->busy_ns;
	m->start_ns = now_ns();
	energy_start(m->energy);
	return m;
}

static void
say_why(char reason[REASON_BYTES], const struct reread *s)
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
	if (reread(&m->load, text)) {
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
	if (reread(&m->memory, text) && number_of(text, "MemAvailable:", &kib))
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
	if (!m->busy_known || !busy_read(&m->busy, &ns)) {
		say_why(m->reason, &m->busy.file);
		return NAN;
	}
	if (ns > m->last_busy_ns)
		m->last_busy_ns = ns;
	return (double)(m->last_busy_ns - m->busy_ns) / 1e9;
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
	json_object_set_new(record, "reason", json_text_or_null(m->reason));
	json_object_set_new(record, "cpu_pressure_s", pressure(m, CPU));
	json_object_set_new(record, "io_pressure_s", pressure(m, IO));
	json_object_set_new(record, "memory_pressure_s", pressure(m, MEMORY));
	json_object_set_new(record, "pressure_reason", json_text_or_null(m->pressure_reason));
	energy_fill(m->energy, record, busy, elapsed);
	gpu_fill(m->gpu, record);
}

void
machusage_watch(struct machusage *m, pid_t root, const char *role)
{
	gpu_watch(m->gpu, root, role);
}

void
machusage_watch_none(struct machusage *m)
{
	gpu_watch_none(m->gpu);
}

pid_t
machusage_child(const struct machusage *m)
{
	return gpu_child(m->gpu);
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
	busy_close(&m->busy);
	reread_close(&m->load);
	reread_close(&m->memory);
	for (int i = 0; i < PRESSURES; i++)
		reread_close(&m->pressure[i]);
	energy_close(m->energy);
	gpu_close(m->gpu);
	free(m);
}
