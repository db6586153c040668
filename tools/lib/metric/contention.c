/* contention.c: how far kernel and browser had to wait for processors, and why. */
#include "metric/contention.h"
#include "base/die.h"
#include "base/num.h"

#include <math.h>
#include <stdlib.h>

static double
known(const struct metrics_record *r, enum metric_id id)
{
	return num_or_0(metrics_record_number(r, id));
}

void
contention_cell(struct contention *c, const struct metrics_record *r)
{
	struct span word = metrics_record_span(r, M_run_queue_wait_cause);
	struct waited *w = NULL;
	for (size_t i = WAIT_OTHERS; i < WAIT_CAUSES; i++)
		if (span_is_word(word, wait_cause_words[i]))
			w = &c->waited[i];
	c->cells++;
	if (!w)
		return;
	double cpu_s = known(r, M_kernel_cpu_s) + known(r, M_browser_cpu_s);
	double machine_s = known(r, M_machine_cpu_s);
	w->cells++;
	w->wait_s += known(r, M_kernel_run_queue_wait_s) + known(r, M_browser_run_queue_wait_s);
	w->cpu_s += cpu_s;
	w->machine_cpu_s += machine_s;
	w->others_cpu_s += fmax(0, machine_s - cpu_s - known(r, M_server_cpu_s));
}

void
contention_notebook(struct contention *c, const struct metrics_record *r)
{
	static struct scan machine;
	scan_members(&machine, scan_get(r->members, "machine"));
	c->processors = span_number(scan_get(&machine, "cores"));
}

static char *
others_text(const struct contention *c, const struct waited *w, double wait_pct)
{
	return xasprintf("the machine was too busy in %zu of %zu cells, so measured times are too "
	    "long: other processes used %.0f %% of its CPU time, and kernel and browser spent "
	    "%.0f %% of their time in the run queue. End other processes, or keep the kernel on "
	    "processors that they leave free (CORES=); 'make calibrate' measures the error.",
	    w->cells, c->cells, 100 * w->others_cpu_s / w->machine_cpu_s, wait_pct);
}

static char *
own_text(const struct contention *c, const struct waited *w, double wait_pct)
{
	char *count = c->processors > 0 ? xasprintf("%.0f ", c->processors) : xstrdup("");
	char *text = xasprintf("kernel, browser and server compete for the machine's %sprocessors: "
	    "in %zu of %zu cells kernel and browser spent %.0f %% of their time in the run queue "
	    "(other processes used %.0f %% of the CPU time). A person with such a machine waits "
	    "as long.", count, w->cells, c->cells, wait_pct,
	    100 * w->others_cpu_s / w->machine_cpu_s);
	free(count);
	return text;
}

char *
contention_text(const struct contention *c, enum wait_cause cause)
{
	const struct waited *w = &c->waited[cause];
	double wait_pct = 100 * w->wait_s / (w->wait_s + w->cpu_s);
	if (!w->cells || cause == WAIT_NONE)
		return NULL;
	if (cause == WAIT_OTHERS)
		return others_text(c, w, wait_pct);
	if (cause == WAIT_OWN)
		return own_text(c, w, wait_pct);
	return xasprintf("in %zu of %zu cells kernel and browser spent %.0f %% of their time in "
	    "the run queue; because of which processes is unknown: the machine's CPU time is not "
	    "known.", w->cells, c->cells, wait_pct);
}
