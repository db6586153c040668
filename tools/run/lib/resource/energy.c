/* energy.c: the machine's joules: RAPL's counters, or the model of codecarbon 3.3.2 applied to
 * CPU seconds instead of sampled loads, so that short measurements are right. */
#include "resource/energy.h"
#include "base/die.h"
#include "base/file.h"
#include "base/num.h"
#include "json/json_value.h"
#include "machine/energy_share.h"
#include "resource/procfile.h"
#include "resource/rapl.h"

#include <stdio.h>

enum { REASON_BYTES = 512, MEMINFO_BYTES = 1 << 20 };
#define MODEL "codecarbon 3.3.2"
#define WATTS_PER_PROCESSOR 4.0	/* codecarbon's value for a processor that it does not know */
#define STUCK_S 1.0	/* a RAPL counter changes every millisecond */

struct energy {
	struct rapl *rapl;	/* NULL: estimated */
	double processor_watts, memory_watts;
	char reason[REASON_BYTES];	/* of an estimate */
};

static double
xcpu_watts(void)
{
	return xenergy_share_setting("CPU_WATTS", 0.1, 100000);
}

static double
xmemory_watts(void)
{
	return xenergy_share_setting("MEMORY_WATTS", 0, 100000);
}

void
xenergy_check(void)
{
	struct energy_share_settings unused;
	xenergy_share_settings(&unused);
	xcpu_watts();
	xmemory_watts();
}

/* codecarbon guesses the number of memory modules from their total size. */
static double
module_count(double gib)
{
	if (gib <= 2)
		return 1;
	if (gib <= 16)
		return 2;
	if (gib <= 64)
		return 4;
	if (gib <= 128)
		return 8;
	double module = 128;
	while (module > gib / 8)
		module /= 2;
	return fmin(ceil(gib / module), 32);
}

/* 5 W per module (1.5 W with an ARM processor), and less per module the more there are. */
static double
model_memory_watts(double gib)
{
#if defined(__arm__) || defined(__aarch64__)
	double each = 1.5, least = 3;
#else
	double each = 5, least = 10;
#endif
	double n = module_count(gib), full = fmin(n, 4) + 0.9 * fmin(fmax(n - 4, 0), 4) +
	    0.8 * fmin(fmax(n - 8, 0), 8) + 0.7 * fmax(n - 16, 0);
	return fmax(least, each * full);
}

/* NaN if unknown. */
static double
memory_gib(void)
{
	char *path = procfile_path("/proc/meminfo");
	size_t n;
	char *text = file_read(path, MEMINFO_BYTES, &n);
	char *line = text ? strstr(text, "MemTotal:") : NULL;
	double kib = line ? strtod(line + strlen("MemTotal:"), NULL) : 0;
	free(text);
	free(path);
	return kib > 0 ? kib / 1024 / 1024 : (double)NAN;
}

/* Chooses the two powers and adds to the reason where they come from. */
static void
xset_powers(struct energy *e, long processors)
{
	double cpu_watts = xcpu_watts(), design = rapl_design_watts(), gib = memory_gib();
	const char *cpu_by = "CPU_WATTS", *memory_by = "MEMORY_WATTS";
	if (isnan(cpu_watts)) {
		cpu_watts = isnan(design) ? WATTS_PER_PROCESSOR * (double)processors : design;
		cpu_by = isnan(design) ? MODEL : "its design power";
	}
	e->processor_watts = cpu_watts / (double)processors;
	e->memory_watts = xmemory_watts();
	if (isnan(e->memory_watts)) {
		e->memory_watts = model_memory_watts(gib);
		memory_by = MODEL;
	}
	size_t n = strlen(e->reason);
	snprintf(e->reason + n, sizeof e->reason - n, "; processor by %s, memory by %s", cpu_by,
	    memory_by);
}

struct energy *
xenergy_open(long processors)
{
	struct energy *e = xmalloc(sizeof *e);
	*e = (struct energy){.rapl = NULL};
	xenergy_check();
	e->rapl = rapl_open(e->reason, REASON_BYTES / 2);
	xset_powers(e, processors > 0 ? processors : 1);
	return e;
}

void
energy_start(struct energy *e)
{
	if (e->rapl)
		rapl_start(e->rapl);
}

static void
set_energy(json_t *record, double joules, const char *method, const char *reason)
{
	json_object_set_new(record, "energy_j", json_value_real(num_round(joules, 6)));
	json_object_set_new(record, "energy_method",
	    json_value_text(isfinite(joules) ? method : NULL));
	json_object_set_new(record, "energy_reason", json_value_text(reason));
}

static void
fill_counted(struct energy *e, json_t *record, double elapsed_s)
{
	char reason[REASON_BYTES] = "";
	double joules = rapl_joules(e->rapl, reason, sizeof reason);
	if (joules <= 0 && elapsed_s > STUCK_S) {
		snprintf(reason, sizeof reason, "the counters of RAPL (%s) do not move",
		    rapl_domains(e->rapl));
		joules = NAN;
	}
	set_energy(record, joules, "rapl", isnan(joules) ? reason : NULL);
	json_object_set_new(record, "energy_domains", json_string(rapl_domains(e->rapl)));
}

void
energy_fill(struct energy *e, json_t *record, double busy_s, double elapsed_s)
{
	if (e->rapl) {
		fill_counted(e, record, elapsed_s);
		return;
	}
	double joules = e->processor_watts * busy_s + e->memory_watts * elapsed_s;
	set_energy(record, joules, "estimate", !isnan(joules) ? e->reason :
	    "no RAPL, and no CPU seconds or memory size to estimate from");
	json_object_set_new(record, "energy_processor_w", json_real(e->processor_watts));
	json_object_set_new(record, "energy_memory_w", json_value_real(e->memory_watts));
}

void
energy_close(struct energy *e)
{
	if (e)
		rapl_close(e->rapl);
	free(e);
}
