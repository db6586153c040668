/* diagnosis.c: why a cell took its time, in words and numbers. */
#include "diagnosis.h"
#include "base/die.h"
#include "run/processor_series.h"
#include "run_queue.h"
#include "text/unit.h"

#include <stdio.h>

/* The thresholds of the rules in nbscope-metrics(7). */
#define MAIN_SHARE 0.5	/* of the client time */
#define WAIT_SHARE 0.2
#define CAUSE_SHARE 0.5	/* of a wait: its cause */
#define MIN_S 0.1	/* shorter waits are ignored */
#define IDLE_SHARE 0.3	/* of the kernel's time: below it, the kernel does not compute */
#define LARGE_IO_BYTES 1e7
#define MEMORY_SHARE 0.1	/* of the machine's */
#define MANY_FAULTS 1000
#define LARGE_DATA_MB 1	/* more is what the cell sends, less the network */
enum { SHOWN_FINDINGS = 3, MAX_FINDINGS = 10, SCRIPT_BYTES = 80 };

/* What findings are about, in the order in which a developer can change it. */
enum about { KERNEL, DATA, PAGE, NETWORK, MACHINE, SUBJECTS };

static struct { enum about about; char text[512]; } findings[MAX_FINDINGS];
static int n_findings;

static void PRINTF(2, 3)
add_finding(enum about about, const char *fmt, ...)
{
	va_list ap;
	if (n_findings == MAX_FINDINGS)
		return;
	findings[n_findings].about = about;
	va_start(ap, fmt);
	vsnprintf(findings[n_findings++].text, sizeof findings->text, fmt, ap);
	va_end(ap);
}

/* NULL: there are none. */
static const char *
joined_findings(void)
{
	static struct buf line;
	int shown = 0;
	line.n = 0;
	for (int about = 0; about < SUBJECTS; about++)
		for (int i = 0; i < n_findings && shown < SHOWN_FINDINGS; i++)
			if ((int)findings[i].about == about)
				buf_addf(&line, "%s%s", shown++ ? "; " : "", findings[i].text);
	return shown ? line.p : NULL;
}

/* 1812 as "1,812", until the next call. */
static const char *
grouped_digits(double x)
{
	static char text[32];
	char digits[24], *to = text;
	int n = snprintf(digits, sizeof digits, "%.0f", fmin(x, 1e15));
	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return text;
}

/* "1,812 widget messages", until the next call. */
static const char *
widget_messages(double n)
{
	static char text[64];
	snprintf(text, sizeof text, "%s widget message%s", grouped_digits(n), n == 1 ? "" : "s");
	return text;
}

/* Two results may be in use at once. */
static const char *
size_text(double bytes)
{
	static struct buf texts[2];
	static int next;
	struct buf *to = &texts[next = !next];
	to->n = 0;
	unit_bytes(to, fmin(bytes, 1e18), bytes >= 1e7 && bytes < 1e9 ? 0 : 1);
	return to->p;
}

static int
percent_of(double part, double all)
{
	double p = 100 * part / all;
	return p > 100 ? 100 : (int)lround(p);
}

/* The script that took most of `blocked_ms`, with '?' for characters that JSON escapes; NULL: no
 * script did. */
static char *
blocking_script(struct span page, double blocked_ms)
{
	json_t *all = span_null(page) ? NULL : span_json(page);
	json_t *first = json_array_get(json_object_get(all, "scripts"), 0);
	const char *name = json_string_value(json_object_get(first, "script"));
	double script_ms = json_number_value(json_object_get(first, "duration_ms"));
	size_t n = name && script_ms >= MAIN_SHARE * blocked_ms ? strlen(name) : 0;
	if (n > SCRIPT_BYTES)
		for (n = SCRIPT_BYTES; n && ((unsigned char)name[n] & 0xc0) == 0x80; )
			n--;
	char *copy = n ? xasprintf("%.*s", (int)n, name) : NULL;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)copy[i] < 0x20 || strchr("\"\\\x7f", copy[i]))
			copy[i] = '?';
	json_decref(all);
	return copy;
}

/* Received messages wait while the page handles earlier ones, in one long frame after another.
 * Each frame may consist of short tasks, so that none of them blocks. */
static void
diagnose_transport(const double *v)
{
	double transport_s = v[M_transport_s], client_s = cell_values_time(v);
	double received_mb = v[M_client_total_data_received_metric];
	double page_s = v[M_long_animation_frame_s];
	bool widgets = v[M_comm_messages_received] > 0;
	const char *peer = cell_values_have_page(v) ? "page" : "driver";
	int share = percent_of(transport_s, client_s);
	enum about about = received_mb >= LARGE_DATA_MB ? DATA : NETWORK;
	if (!(transport_s >= MAIN_SHARE * client_s))
		return;
	/* If the arrival of messages is unknown, transport includes their wait for the page. */
	if (isnan(v[M_handling_delay_s]) && page_s >= MIN_S && page_s >= CAUSE_SHARE * transport_s)
		add_finding(PAGE, "for %d %% of the time the kernel's reply waited for the page, "
		    "which was busy for %.2f s%s%s", share, page_s, widgets ? " with " : "",
		    widgets ? widget_messages(v[M_comm_messages_received]) : "");
	else if (received_mb >= 0)
		add_finding(about, "%d %% of the time is transport between %s and kernel (%s)",
		    share, peer, size_text(received_mb * 1e6));
	else
		add_finding(about, "%d %% of the time is transport between %s and kernel", share,
		    peer);
}

static void
diagnose_kernel(const struct cell_values *m)
{
	const double *v = m->number;
	double kernel_s = v[M_kernel_s], cpu_s = v[M_kernel_cpu_s];
	double read_bytes = v[M_kernel_read_bytes], write_bytes = v[M_kernel_write_bytes];
	int share = percent_of(kernel_s, cell_values_time(v));
	static const char idle[] =
	    "the kernel takes %d %% of the time and computes for %.2f s of its %.2f s";
	if (!(kernel_s >= MAIN_SHARE * cell_values_time(v)))
		return;
	if (isnan(cpu_s)) {
		add_finding(KERNEL, "the kernel takes %d %% of the time", share);
	} else if (cpu_s >= IDLE_SHARE * kernel_s) {
		char of[32] = "";
		if (m->processors >= MANY_PROCESSORS)
			snprintf(of, sizeof of, " of %zu", m->processors);
		add_finding(KERNEL, "the kernel takes %d %% of the time, on %.1f%s core%s", share,
		    cpu_s / kernel_s, of, *of || cpu_s > 1.05 * kernel_s ? "s" : "");
	} else {
		char *start = xasprintf(idle, share, cpu_s, kernel_s);
		bool waits = v[M_kernel_run_queue_wait_s] > CAUSE_SHARE * (kernel_s - cpu_s);
		if (read_bytes + write_bytes > LARGE_IO_BYTES)
			add_finding(KERNEL, "%s: it reads %s and writes %s", start,
			    size_text(read_bytes), size_text(write_bytes));
		else if (waits && run_queue_of(v, cell_values_time(v)).cause == WAIT_OTHERS)
			add_finding(KERNEL, "%s", start);	/* see diagnose_run_queue() */
		else
			add_finding(KERNEL, "%s: it waits %s", start,
			    waits ? "in the run queue" : "for an unknown reason");
		free(start);
	}
}

/* Waits for the page are a part of render. */
static void
diagnose_handling(const double *v)
{
	double delay_s = v[M_handling_delay_s], messages = v[M_comm_messages_received];
	double cpu_s = v[M_browser_cpu_s];
	char *used = isnan(cpu_s) ? xstrdup("") :
	    xasprintf(" (%.2f s of CPU time)", fmin(cpu_s, 1e15));
	add_finding(PAGE, "for %d %% of the time the kernel's reply had arrived, but the browser "
	    "was too busy to handle it%s%s%s",
	    percent_of(delay_s, cell_values_time(v)),
	    used, messages > 0 ? ", with " : "", messages > 0 ? widget_messages(messages) : "");
	free(used);
}

static void
diagnose_page(const double *v, struct span page)
{
	double client_s = cell_values_time(v), messages = v[M_comm_messages_received];
	double blocked_s = v[M_total_blocking_time_s];
	int render = percent_of(v[M_render_s], client_s);
	if (v[M_render_s] >= MAIN_SHARE * client_s &&
	    v[M_handling_delay_s] >= CAUSE_SHARE * v[M_render_s])
		diagnose_handling(v);
	else if (v[M_render_s] >= MAIN_SHARE * client_s && messages > 0)
		add_finding(PAGE, "rendering takes %d %% of the time, with %s", render,
		    widget_messages(messages));
	else if (v[M_render_s] >= MAIN_SHARE * client_s)
		add_finding(PAGE, "rendering takes %d %% of the time%s", render, messages == 0 ?
		    ", without any widget message: it is the page's own work" : "");
	diagnose_transport(v);
	if (blocked_s >= WAIT_SHARE * client_s && blocked_s >= MIN_S) {
		char *script = blocking_script(page, blocked_s * 1000);
		add_finding(PAGE, "the browser's main thread was blocked for %.2f s%s%s", blocked_s,
		    script ? ", mostly by " : "", script ? script : "");
		free(script);
	}
}

static void
diagnose_errors(const double *v)
{
	double errors = v[M_console_errors];
	if (errors > 0)
		add_finding(PAGE, "%s error%s in the page's console", grouped_digits(errors),
		    errors > 1 ? "s" : "");
}

/* The summary of all cells says it once, contention_text(); of other processes no cell says
 * anything, and of competition one only where nothing else explains its time. */
static void
diagnose_run_queue(const double *v)
{
	struct run_queue q = run_queue_of(v, cell_values_time(v));
	if (q.cause == WAIT_OWN && !n_findings)
		add_finding(MACHINE, "kernel, browser and server compete for processors "
		    "(the %s's run-queue wait: %d %%)", q.role, percent_of(q.wait_s, q.runnable_s));
}

static void
diagnose_memory(const double *v, bool sampled, const struct cell_context *c)
{
	double rise = v[M_kernel_peak_rss_bytes] - v[M_kernel_min_rss_bytes];
	double faults = v[M_kernel_major_faults];
	if (rise > MEMORY_SHARE * c->memory_bytes)
		add_finding(KERNEL, "the kernel's memory rises by %s, %d %% of the machine's%s",
		    size_text(rise), percent_of(rise, c->memory_bytes), sampled ?
		    " (pages that its processes share are counted for each)" : "");
	if (faults > MANY_FAULTS)
		add_finding(MACHINE, "the kernel waits for storage at %s page faults: "
		    "files are read for the first time, or memory is short",
		    grouped_digits(faults));
}

const char *
diagnosis(const struct cell_values *m, const struct cell_context *c, struct span page)
{
	const double *v = m->number;
	n_findings = 0;
	if (isnan(cell_values_time(v)))
		return NULL;
	diagnose_errors(v);
	if (cell_values_time(v) >= MIN_S) {
		diagnose_kernel(m);
		diagnose_page(v, page);
	}
	diagnose_memory(v, m->word[M_kernel_peak_method] ||
	    span_is_word(m->text[M_kernel_peak_method], "sampled"), c);
	diagnose_run_queue(v);
	return joined_findings();
}
