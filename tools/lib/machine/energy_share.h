/* energy_share.h: a process tree's share of the machine's joules, and their carbon.
 * Computed from records; the method and its limits are in nbscope-energy(7). */
#pragma once

struct energy_share_settings {
	double pue;	/* PUE, from 1 to 10; 1 where it is not set */
	double carbon_g_per_kwh;	/* CARBON_INTENSITY, from 0 to 5000; NaN: not set */
	const char *carbon_reason;	/* why it is NaN; NULL: it is set */
};
/* Reads the environment. Dies with ST_USAGE if a setting is not a number in its range. */
void xenergy_share_settings(struct energy_share_settings *);
/* The number in an environment variable; NaN if it is unset or empty. Dies, too, if it is not in
 * its range. */
double xenergy_share_setting(const char *name, double lo, double hi);

/* The joules of a process tree: machine_j x tree_s / busy_s.  machine_j and busy_s are what the
 * machine used and how long its processors were busy between two moments, tree_s is the tree's
 * CPU time between the same moments.  So idle power is attributed to the processes that work, and
 * all shares sum to the whole.  NaN if nothing was busy or an argument is NaN. */
double energy_share_j(double machine_j, double busy_s, double tree_s);
/* Grams of CO2 equivalent: joules x PUE x intensity; NaN where unknown. */
double energy_share_co2e_g(double joules, const struct energy_share_settings *);
