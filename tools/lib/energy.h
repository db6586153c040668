/* energy.h: joules of the machine, and of a process tree's share in them.
 * How each number is got, its model and its limits: nbscope-energy(7). */
#ifndef ENERGY_H
#define ENERGY_H

#include <jansson.h>

/* ---- from records alone --------------------------------------------------- */

struct energy_settings {
	double pue;		/* PUE, from 1 to 10; 1 where it is not set */
	double carbon_g_per_kwh;	/* CARBON_INTENSITY, from 0 to 5000; NaN: not set */
	const char *carbon_reason;	/* why it is NaN; NULL: it is set */
};
/* From the environment; an empty setting is none.  Dies with ST_USAGE on one
 * that is not a number in its range. */
void xenergy_settings(struct energy_settings *);
/* For who will measure later: dies now where a setting is bad, of the model's
 * two (CPU_WATTS, MEMORY_WATTS) too. */
void xenergy_check(void);

/* The joules of a process tree: the machine's, divided by CPU time.
 * machine_j, busy_s: what the machine used and how long its processors were
 * busy between two moments; tree_s: the tree's CPU time between the same two.
 * Idle power is borne by those who work (the shares of all sum to the whole).
 * NaN where nothing was busy, or one of them is unknown (NaN). */
double energy_share_j(double machine_j, double busy_s, double tree_s);
/* Grams of CO2 equivalent: joules x PUE x intensity; NaN where unknown. */
double energy_co2e_g(double joules, const struct energy_settings *);

/* ---- a watch --------------------------------------------------------------- */

struct energy;
/* Dies with ST_USAGE on a bad CPU_WATTS or MEMORY_WATTS. */
struct energy *xenergy_open(long processors);
void energy_start(struct energy *);	/* 0 J now */
/* Sets energy_j, energy_method, energy_reason and what they come from. busy_s
 * (NaN: unknown) and elapsed_s are since the start. */
void energy_fill(struct energy *, json_t *record, double busy_s, double elapsed_s);
void energy_close(struct energy *);

/* `path` below NBSCOPE_SYSROOT (a host's root seen from a container, or a
 * test's), or itself. */
char *machine_path(const char *path);

#endif
