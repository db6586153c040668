/* diagnosis.c: why a cell took its time, in words and numbers. */
#include "diagnosis.h"
#include "base/buf.h"
#include "base/die.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The thresholds of the rules in nbscope-metrics(7). */
#define MAIN_SHARE 0.5	/* of the client time */
#define WAIT_SHARE 0.2
#define CAUSE_SHARE 0.5	/* of a wait: its cause */
#define MIN_S 0.1	/* shorter waits are ignored */
#define IDLE_SHARE 0.3	/* of the kernel's time: below it, the kernel does not compute */
#define LARGE_IO_BYTES 1e7
#define MEMORY_SHARE 0.1	/* of the machine's */
#define MANY_FAULTS 1000
enum { MAX_FINDINGS = 3, SCRIPT_BYTES = 80 };

static struct buf line;
static int findings;

static void PRINTF(1, 2)
add_finding(const char *fmt, ...)
{
	char text[512];
	va_list ap;
	if (findings == MAX_FINDINGS)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	buf_addf(&line, "%s%s", findings++ ? "; " : "", text);
}

/* 1812 as "1,812", until the next call. */
static const char *
grouped(double x)
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
	snprintf(text, sizeof text, "%s widget message%s", grouped(n), n == 1 ? "" : "s");
	return text;
}

/* Two results may be in use at once. */
static const char *
size_text(double bytes)
{
	static char texts[2][32];
	static int turn;
	char *to = texts[turn = !turn];
	bool giga = bytes >= 1e9;
	snprintf(to, sizeof texts[0], "%.*f %s", !giga && bytes >= 1e7 ? 0 : 1,
	    fmin(bytes, 1e18) / (giga ? 1e9 : 1e6), giga ? "GB" : "MB");
	return to;
}

static int
percent(double part, double all)
{
	double p = 100 * part / all;
	return p > 100 ? 100 : (int)lround(p);
}

/* The script that took most of `blocked_ms`, with '?' for characters that JSON escapes; NULL:
 * no script did. */
static char *
blocking_script(struct span page, double blocked_ms)
{
	json_t *all = span_null(page) ? NULL : span_json(page);
	json_t *first = json_array_get(json_object_get(all, "scripts"), 0);
	const char *name = json_string_value(json_object_get(first, "script"));
	double script_ms = json_number_value(json_object_get(first, "duration_ms"));
	char *copy = name && script_ms >= MAIN_SHARE * blocked_ms ? xstrdup(name) : NULL;
	size_t n = copy ? strlen(copy) : 0;
	if (n > SCRIPT_BYTES) {
		n = SCRIPT_BYTES;
		while (((unsigned char)copy[n] & 0xc0) == 0x80)
			n--;
		copy[n] = '\0';
	}
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)copy[i] < 0x20 || copy[i] == '"' || copy[i] == '\\' ||
		    copy[i] == 0x7f)
			copy[i] = '?';
	json_decref(all);
	return copy;
}

/* Received messages wait while the page handles earlier ones, in one long frame after another.
 * Each frame may consist of short tasks, so that none of them blocks. */
static double
busy_s(struct span page)
{
	json_t *all = span_null(page) ? NULL : span_json(page);
	double s = json_number_value(json_object_get(all, "long_animation_frame_ms")) / 1000;
	json_decref(all);
	return s;
}

static void
diagnose_transport(const double *v, struct span page)
{
	double transport_s = v[M_transport_s], client_s = v[M_client_execution_time_metric];
	double received_mb = v[M_client_total_data_received_metric], page_s = busy_s(page);
	bool widgets = v[M_comm_messages_received] > 0;
	int share = percent(transport_s, client_s);
	if (!(transport_s >= MAIN_SHARE * client_s))
		return;
	if (page_s >= MIN_S && page_s >= CAUSE_SHARE * transport_s)
		add_finding("for %d %% of the time the kernel's reply waited for the page, "
		    "which was busy for %.2f s%s%s", share, page_s, widgets ? " with " : "",
		    widgets ? widget_messages(v[M_comm_messages_received]) : "");
	else if (received_mb >= 0)
		add_finding("%d %% of the time is transport between page and kernel (%s)", share,
		    size_text(received_mb * 1e6));
	else
		add_finding("%d %% of the time is transport between page and kernel", share);
}

static double
or_zero(double x)
{
	return isnan(x) ? 0 : x;
}

/* Whether other processes used the machine.  On few cores kernel, browser and server wait for
 * each other, as they do for the person: that is no disturbance. */
static bool
others_run(const double *v, double delay_s)
{
	double others_s = v[M_machine_cpu_s] - v[M_kernel_cpu_s] - or_zero(v[M_browser_cpu_s]) -
	    or_zero(v[M_server_cpu_s]);
	return !(others_s < CAUSE_SHARE * delay_s);
}

/* Whether the run-queue wait of a role is a large part of the time in which its threads could
 * run, and of the cell's time. */
static bool
diagnose_wait(const double *v, double delay_s, double cpu_s, const char *role)
{
	double runnable_s = delay_s + cpu_s, client_s = v[M_client_execution_time_metric];
	bool is_long = delay_s >= WAIT_SHARE * runnable_s && delay_s >= WAIT_SHARE * client_s;
	if (!is_long || !(delay_s >= MIN_S / 2) || !others_run(v, delay_s))
		return false;
	add_finding("the %s's run-queue wait is %d %% of its time: "
	    "the machine is too busy to measure", role, percent(delay_s, runnable_s));
	return true;
}

/* First, because these make the other findings doubtful. */
static void
diagnose_doubts(const double *v)
{
	double errors = v[M_console_errors];
	if (v[M_client_execution_time_metric] > 0 &&
	    !diagnose_wait(v, v[M_kernel_run_queue_wait_s], v[M_kernel_cpu_s], "kernel"))
		diagnose_wait(v, v[M_browser_run_queue_wait_s], v[M_browser_cpu_s], "browser");
	if (errors > 0)
		add_finding("%s error%s in the page's console", grouped(errors),
		    errors > 1 ? "s" : "");
}

static void
diagnose_kernel(const double *v)
{
	double kernel_s = v[M_kernel_s], cpu_s = v[M_kernel_cpu_s];
	double read_bytes = v[M_kernel_read_bytes], write_bytes = v[M_kernel_write_bytes];
	int share = percent(kernel_s, v[M_client_execution_time_metric]);
	static const char idle[] =
	    "the kernel takes %d %% of the time and computes for %.2f s of its %.2f s";
	if (!(kernel_s >= MAIN_SHARE * v[M_client_execution_time_metric]))
		return;
	if (isnan(cpu_s)) {
		add_finding("the kernel takes %d %% of the time", share);
	} else if (cpu_s >= IDLE_SHARE * kernel_s) {
		add_finding("the kernel takes %d %% of the time, on %.1f core%s", share,
		    cpu_s / kernel_s, cpu_s > 1.05 * kernel_s ? "s" : "");
	} else {
		char *start = xasprintf(idle, share, cpu_s, kernel_s);
		bool waits = v[M_kernel_run_queue_wait_s] > CAUSE_SHARE * (kernel_s - cpu_s);
		if (read_bytes + write_bytes > LARGE_IO_BYTES)
			add_finding("%s: it reads %s and writes %s", start, size_text(read_bytes),
			    size_text(write_bytes));
		else
			add_finding("%s: it waits %s", start,
			    waits ? "in the run queue" : "for an unknown reason");
		free(start);
	}
}

static void
diagnose_page(const double *v, struct span page)
{
	double client_s = v[M_client_execution_time_metric], messages = v[M_comm_messages_received];
	double blocked_s = v[M_total_blocking_time_s];
	int render = percent(v[M_render_s], client_s);
	if (v[M_render_s] >= MAIN_SHARE * client_s && messages > 0)
		add_finding("rendering takes %d %% of the time, with %s", render,
		    widget_messages(messages));
	else if (v[M_render_s] >= MAIN_SHARE * client_s)
		add_finding("rendering takes %d %% of the time%s", render, messages == 0 ?
		    ", without any widget message: it is the page's own work" : "");
	diagnose_transport(v, page);
	if (blocked_s >= WAIT_SHARE * client_s && blocked_s >= MIN_S) {
		char *script = blocking_script(page, blocked_s * 1000);
		add_finding("the browser's main thread was blocked for %.2f s%s%s", blocked_s,
		    script ? ", mostly by " : "", script ? script : "");
		free(script);
	}
}

static void
diagnose_memory(const double *v, bool sampled, const struct cell_context *c)
{
	double rise = v[M_kernel_peak_rss_bytes] - v[M_kernel_min_rss_bytes];
	double faults = v[M_kernel_major_faults];
	if (rise > MEMORY_SHARE * c->memory_bytes)
		add_finding("the kernel's memory rises by %s, %d %% of the machine's%s",
		    size_text(rise), percent(rise, c->memory_bytes), sampled ?
		    " (pages that its processes share are counted for each)" : "");
	if (faults > MANY_FAULTS)
		add_finding("the kernel waits for storage at %s page faults: "
		    "files are read for the first time, or memory is short", grouped(faults));
}

const char *
diagnosis(const struct cell_values *m, const struct cell_context *c, struct span page)
{
	const double *v = m->number;
	line.n = 0;
	findings = 0;
	if (isnan(v[M_client_execution_time_metric]))
		return NULL;
	diagnose_doubts(v);
	if (v[M_client_execution_time_metric] >= MIN_S) {
		diagnose_kernel(v);
		diagnose_page(v, page);
	}
	diagnose_memory(v, span_is(m->text[M_kernel_peak_method], "\"sampled\""), c);
	return findings ? line.p : NULL;
}
