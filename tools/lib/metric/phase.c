/* phase.c: the phases of a cell's time: which are shown, what they are called, their colours.
 * Phases that may adjoin differ by at least 15 in lightness (CIE L*), also for colour-blind people:
 * all pairs but queue with transport, which is instead of it, and dispatch with render, between
 * which there is always the kernel.  tests/metricplot.bats computes it. */
#include "metric/phase.h"

const struct phase_def phase_defs[N_PHASES] = {
	[PHASE_DISPATCH] = {M_dispatch_s, "dispatch", "#2d7b70", "#7fcbbd",
		"from the key press until the page sent the request"},
	[PHASE_QUEUE] = {M_queue_s, "queue", "#94a3b0", "#4a5863",
		"until the kernel started the cell"},
	[PHASE_TRANSPORT] = {M_transport_s, "transport", "#a997cb", "#5d4f82",
		"queue and delivery, which the clocks of page and kernel are too uncertain to "
		"separate"},
	[PHASE_KERNEL] = {M_kernel_s, "kernel", "#083b65", "#5286bf",
		"the kernel executed the cell"},
	[PHASE_DELIVERY] = {M_delivery_s, "delivery", "#ffcd6b", "#fef1bd",
		"from the kernel's end until the page received its answer"},
	[PHASE_RENDER] = {M_render_s, "render", "#ad5571", "#ffa8b5",
		"from the answer until the last visual change; hatched: the answer waited for "
		"the busy browser"},
};

const struct interaction_phase interaction_phases[N_INTERACTION_PHASES] = {
	{M_person_s, "person", NULL, "nothing was in progress until the person's next input",
		"#e3e8ec", "#242c34"},
	{M_input_s, "input", "before the page heard the input",
		"an input had been made and the page had not heard it", "#94a3b0", "#4a5863"},
	{M_page_s, "page", "in the page", "the page handled inputs", "#2d7b70", "#7fcbbd"},
	{M_transport_s, "transport", "in transport to the kernel",
		"messages were on their way to the kernel, or waited for it"},
	{M_kernel_s, "kernel", "in the kernel", "the kernel handled messages"},
	{M_delivery_s, "delivery", "in transport to the page",
		"what the kernel had sent was on its way to the page"},
	{M_render_s, "render", "in rendering",
		"the page showed what it had received or handled, or was too busy to receive"},
};

struct phase_times
phase_spent(const struct metrics_record *r)
{
	struct phase_times spent;
	for (size_t k = 0; k < N_PHASES; k++)
		spent.s[k] = metrics_record_number(r, phase_defs[k].column);
	spent.handling_s = metrics_record_number(r, M_handling_delay_s);
	return spent;
}

bool
phase_is_separable(const struct phase_times *spent)
{
	return !(spent->s[PHASE_TRANSPORT] > 0) ||
	    (isfinite(spent->s[PHASE_QUEUE]) && isfinite(spent->s[PHASE_DELIVERY]));
}

bool
phase_is_shown(enum phase k, bool separate)
{
	return k == PHASE_TRANSPORT ? !separate
	    : separate || (k != PHASE_QUEUE && k != PHASE_DELIVERY);
}

double
phase_sum_s(const struct phase_times *spent, bool separate)
{
	double sum = 0;
	for (enum phase k = 0; k < N_PHASES; k++)
		if (phase_is_shown(k, separate) && isfinite(spent->s[k]))
			sum += spent->s[k];
	return sum;
}
