/* energy.c: the joules of a watch: RAPL's counters, or the model of codecarbon
 * 3.3.2 with its sums taken from CPU seconds, so that short watches are right. */
#include "energy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nbscope.h"
#include "rapl.h"

enum { REASON_BYTES = 512, MEMINFO_BYTES = 1 << 20 };
#define MODEL "codecarbon 3.3.2"
#define JOULES_PER_KWH 3.6e6
#define WATTS_PER_PROCESSOR 4.0	/* codecarbon's, for a processor that it does not know */
#define STILL_S 1.0	/* a RAPL counter moves every millisecond */

struct energy {
	struct rapl *rapl;	/* NULL: estimated */
	double processor_watts, memory_watts;
	char reason[REASON_BYTES];	/* of an estimate */
};

char *
machine_path(const char *path)
{
	const char *root = getenv("NBSCOPE_SYSROOT");
	return xasprintf("%s%s", root ? root : "", path);
}

/* NaN where the setting is none. */
static double
xsetting(const char *name, double lo, double hi)
{
	const char *text = getenv(name);
	return text && *text ? xreal(text, lo, hi, name) : (double)NAN;
}

void
xenergy_settings(struct energy_settings *s)
{
	s->pue = xsetting("PUE", 1, 10);
	if (isnan(s->pue))
		s->pue = 1;
	s->carbon_g_per_kwh = xsetting("CARBON_INTENSITY", 0, 5000);
	s->carbon_reason = isnan(s->carbon_g_per_kwh) ? "CARBON_INTENSITY (g of CO2e a kWh) is not set" : NULL;
}

static double
xcpu_watts(void)
{
	return xsetting("CPU_WATTS", 0.1, 100000);
}

static double
xmemory_watts(void)
{
	return xsetting("MEMORY_WATTS", 0, 100000);
}

void
xenergy_check(void)
{
	struct energy_settings unused;
	xenergy_settings(&unused);
	xcpu_watts();
	xmemory_watts();
}

double
energy_share_j(double machine_j, double busy_s, double tree_s)
{
	/* The tree is a part of what was busy: where it is more, the machine's
	 * clock, which may count in ticks, was the coarser of the two. */
	double all_s = fmax(busy_s, tree_s);
	if (isnan(machine_j) || isnan(busy_s) || isnan(tree_s) || !(all_s > 0) || tree_s < 0 || machine_j < 0)
		return NAN;
	return machine_j * (tree_s / all_s);
}

double
energy_co2e_g(double joules, const struct energy_settings *s)
{
	return joules / JOULES_PER_KWH * s->pue * s->carbon_g_per_kwh;
}

/* codecarbon guesses how many modules there are from the whole size; a module
 * takes 5 W (1.5 W beside an ARM processor), less the more of them there are. */
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

static double
memory_watts(double gib)
{
#if defined(__arm__) || defined(__aarch64__)
	double each = 1.5, least = 3;
#else
	double each = 5, least = 10;
#endif
	double n = module_count(gib);
	double full = fmin(n, 4) + 0.9 * fmin(fmax(n - 4, 0), 4) + 0.8 * fmin(fmax(n - 8, 0), 8) + 0.7 * fmax(n - 16, 0);
	return fmax(least, each * full);
}

/* NaN where it cannot be told. */
static double
memory_gib(void)
{
	char *path = machine_path("/proc/meminfo");
	size_t n;
	char *text = read_file(path, MEMINFO_BYTES, &n), *line = text ? strstr(text, "MemTotal:") : NULL;
	double kib = line ? strtod(line + strlen("MemTotal:"), NULL) : 0;
	free(text);
	free(path);
	return kib > 0 ? kib / 1024 / 1024 : (double)NAN;
}

/* Chooses the two powers, and says in the reason where they come from. */
static void
xestimate(struct energy *e, long processors)
{
	double cpu_watts = xcpu_watts(), design = rapl_design_watts(), gib = memory_gib();
	const char *from = "CPU_WATTS", *memory_from = "MEMORY_WATTS";
	e->processor_watts = cpu_watts / (double)processors;
	if (isnan(cpu_watts)) {
		e->processor_watts = isnan(design) ? WATTS_PER_PROCESSOR : design / (double)processors;
		from = isnan(design) ? MODEL : "its design power";
	}
	e->memory_watts = xmemory_watts();
	if (isnan(e->memory_watts)) {
		e->memory_watts = memory_watts(gib);
		memory_from = MODEL;
	}
	size_t n = strlen(e->reason);
	snprintf(e->reason + n, sizeof e->reason - n, "; processor by %s, memory by %s", from, memory_from);
}

struct energy *
xenergy_open(long processors)
{
	struct energy *e = xmalloc(sizeof *e);
	*e = (struct energy){.rapl = NULL};
	xenergy_check();
	e->rapl = rapl_open(e->reason, REASON_BYTES / 2);
	xestimate(e, processors > 0 ? processors : 1);
	return e;
}

void
energy_start(struct energy *e)
{
	if (e->rapl)
		rapl_start(e->rapl);
}

static void
put(json_t *record, double joules, const char *method, const char *reason)
{
	bool known = isfinite(joules);
	json_object_set_new(record, "energy_j", known ? json_real(round_to(joules, 6)) : json_null());
	json_object_set_new(record, "energy_method", known ? json_string(method) : json_null());
	json_object_set_new(record, "energy_reason", reason ? json_string(reason) : json_null());
}

static void
fill_rapl(struct energy *e, json_t *record, double elapsed_s)
{
	char reason[REASON_BYTES];
	double joules = rapl_joules(e->rapl, reason, sizeof reason);
	bool still = joules <= 0 && elapsed_s > STILL_S;
	if (still)
		snprintf(reason, sizeof reason, "the counters of RAPL (%s) do not move", rapl_domains(e->rapl));
	bool known = !isnan(joules) && !still;
	put(record, known ? joules : (double)NAN, "rapl", known ? NULL : reason);
	json_object_set_new(record, "energy_domains", json_string(rapl_domains(e->rapl)));
}

void
energy_fill(struct energy *e, json_t *record, double busy_s, double elapsed_s)
{
	if (e->rapl) {
		fill_rapl(e, record, elapsed_s);
		return;
	}
	double joules = e->processor_watts * busy_s + e->memory_watts * elapsed_s;
	put(record, joules, "estimate", isnan(joules) ? "no RAPL, and no CPU seconds or memory size to estimate from" : e->reason);
	json_object_set_new(record, "energy_processor_w", json_real(e->processor_watts));
	json_object_set_new(record, "energy_memory_w", isnan(e->memory_watts) ? json_null() : json_real(e->memory_watts));
}

void
energy_close(struct energy *e)
{
	if (e)
		rapl_close(e->rapl);
	free(e);
}
