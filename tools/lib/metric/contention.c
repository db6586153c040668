/* contention.c: how far kernel and browser had to wait for processors, and why. */
#include "metric/contention.h"
#include "base/die.h"
#include "base/installation.h"
#include "base/num.h"

#define MIN_SHARE 0.1

static double
number_or_0(const struct metrics_record *r, enum metric_id id)
{
	return num_or_0(metrics_record_number(r, id));
}

void
contention_cell(struct contention *c, const struct metrics_record *r)
{
	struct span word = metrics_record_span(r, M_run_queue_wait_cause);
	struct waited *w = NULL;
	for (size_t i = WAIT_OTHERS; i < WAIT_CAUSES; i++)
		if (span_is_word(word, catalogue_wait_causes[i]))
			w = &c->waited[i];
	double client_s = number_or_0(r, M_client_execution_time_metric);
	c->cells++;
	c->client_s += client_s;
	if (!w)
		return;
	double cpu_s = number_or_0(r, M_kernel_cpu_s) + number_or_0(r, M_browser_cpu_s);
	double machine_s = number_or_0(r, M_machine_cpu_s);
	w->cells++;
	w->client_s += client_s;
	w->wait_s += number_or_0(r, M_kernel_run_queue_wait_s) + number_or_0(r,
	    M_browser_run_queue_wait_s);
	w->cpu_s += cpu_s;
	w->machine_cpu_s += machine_s;
	w->others_cpu_s += fmax(0, machine_s - cpu_s - number_or_0(r, M_server_cpu_s));
}

void
contention_notebook(struct contention *c, const struct metrics_record *r)
{
	static struct scan machine;
	scan_members(&machine, scan_get(r->members, "machine"));
	c->processors = span_number(scan_get(&machine, "cores"));
}

static bool
many_cells(const struct contention *c, const struct waited *w)
{
	return (double)w->cells > MIN_SHARE * (double)c->cells;
}

bool
contention_matters(const struct contention *c, enum wait_cause cause)
{
	const struct waited *w = &c->waited[cause];
	return cause != WAIT_NONE &&
	    (many_cells(c, w) || w->client_s > MIN_SHARE * c->client_s);
}

char *
contention_extent(const struct contention *c, enum wait_cause cause)
{
	const struct waited *w = &c->waited[cause];
	return many_cells(c, w) ? xasprintf("%zu of %zu cells", w->cells, c->cells) :
	    xasprintf("%zu of %zu cells (%.0f %% of the time)", w->cells, c->cells,
	    100 * w->client_s / c->client_s);
}

static char *
others_text(const char *extent, const struct waited *w, double wait_pct)
{
	return xasprintf("the machine was too busy in %s, so measured times are too "
	    "long: other processes used %.0f %% of its CPU time, and kernel and browser spent "
	    "%.0f %% of their time in the run queue. End other processes, or keep the kernel on "
	    "processors that they leave free (CORES=); '%s calibrate' measures the error.",
	    extent, 100 * w->others_cpu_s / w->machine_cpu_s, wait_pct, installation_command());
}

static char *
own_text(const char *extent, const struct waited *w, double wait_pct, double processors)
{
	char *count = processors > 0 ? xasprintf("%.0f ", processors) : xstrdup("");
	char *text = xasprintf("kernel, browser and server compete for the machine's %sprocessors: "
	    "in %s kernel and browser spent %.0f %% of their time in the run queue "
	    "(other processes used %.0f %% of the CPU time). A person with such a machine waits "
	    "as long.", count, extent, wait_pct, 100 * w->others_cpu_s / w->machine_cpu_s);
	free(count);
	return text;
}

char *
contention_text(const struct contention *c, enum wait_cause cause)
{
	const struct waited *w = &c->waited[cause];
	double wait_pct = 100 * w->wait_s / (w->wait_s + w->cpu_s);
	if (!contention_matters(c, cause))
		return NULL;
	char *extent = contention_extent(c, cause), *text;
	if (cause == WAIT_OTHERS)
		text = others_text(extent, w, wait_pct);
	else if (cause == WAIT_OWN)
		text = own_text(extent, w, wait_pct, c->processors);
	else
		text = xasprintf("in %s kernel and browser spent %.0f %% of their time in the run "
		    "queue; because of which processes is unknown: the machine's CPU time is not "
		    "known.", extent, wait_pct);
	free(extent);
	return text;
}
