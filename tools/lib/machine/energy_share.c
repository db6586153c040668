/* energy_share.c: a process tree's share of the machine's joules, and their carbon. */
#include "machine/energy_share.h"
#include "base/opt.h"

#define JOULES_PER_KWH 3.6e6

double
xenergy_share_setting(const char *name, double lo, double hi)
{
	const char *text = getenv(name);
	return text && *text ? xopt_real(text, lo, hi, name) : (double)NAN;
}

void
xenergy_share_settings(struct energy_share_settings *s)
{
	s->pue = xenergy_share_setting("PUE", 1, 10);
	if (isnan(s->pue))
		s->pue = 1;
	s->carbon_g_per_kwh = xenergy_share_setting("CARBON_INTENSITY", 0, 5000);
	s->carbon_reason = isnan(s->carbon_g_per_kwh) ?
	    "CARBON_INTENSITY (g of CO2e per kWh) is not set" : NULL;
}

double
energy_share_j(double machine_j, double busy_s, double tree_s)
{
	/* The tree's time is part of the busy time.  Where it is larger, the machine's clock,
	 * which may count in ticks, was the coarser of the two. */
	double all_s = fmax(busy_s, tree_s);
	if (isnan(machine_j) || isnan(busy_s) || isnan(tree_s) || !(all_s > 0) || tree_s < 0 ||
	    machine_j < 0)
		return NAN;
	return machine_j * (tree_s / all_s);
}

double
energy_share_co2e_g(double joules, const struct energy_share_settings *s)
{
	return joules / JOULES_PER_KWH * s->pue * s->carbon_g_per_kwh;
}
