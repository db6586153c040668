/* diagnosis.c: why a cell took its time, in plain words with the numbers. */
#include "diagnosis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is worth a word; nbscope-metrics(7) tells people the same. */
#define MAIN_SHARE 0.5	/* of the client time */
#define WAIT_SHARE 0.2
#define OTHERS_SHARE 0.5	/* of a wait: its cause */
#define WORTH_S 0.1	/* nobody waits for less */
#define IDLE_SHARE 0.3	/* of the kernel's time: below it, it does not compute */
#define MUCH_IO_BYTES 1e7
#define MEMORY_SHARE 0.1	/* of the machine's */
#define MANY_FAULTS 1000
enum { MOST_ADVICE = 3, SCRIPT_BYTES = 80 };

static struct buf line;
static int given;

static void PRINTF(1, 2)
say(const char *fmt, ...)
{
	char text[512];
	va_list ap;
	if (given == MOST_ADVICE)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	buf_addf(&line, "%s%s", given++ ? "; " : "", text);
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

/* Two of them may be in use at once. */
static const char *
size_text(double bytes)
{
	static char texts[2][32];
	static int turn;
	char *to = texts[turn = !turn];
	bool giga = bytes >= 1e9;
	snprintf(to, sizeof texts[0], giga ? "%.1f GB" : bytes >= 1e7 ? "%.0f MB" : "%.1f MB", fmin(bytes, 1e18) / (giga ? 1e9 : 1e6));
	return to;
}

static int
percent(double part, double all)
{
	double p = 100 * part / all;
	return p > 100 ? 100 : (int)lround(p);
}

/* The script that took most of `blocked_ms`, with what JSON would escape made
 * harmless; NULL: none did. */
static char *
blocking_script(struct span page, double blocked_ms)
{
	json_t *all = span_null(page) ? NULL : span_json(page), *first = json_array_get(json_object_get(all, "scripts"), 0);
	const char *name = json_string_value(json_object_get(first, "script"));
	bool most = json_number_value(json_object_get(first, "duration_ms")) >= MAIN_SHARE * blocked_ms;
	char *copy = name && most ? xstrdup(name) : NULL;
	size_t n = copy ? strlen(copy) : 0;
	if (n > SCRIPT_BYTES) {
		n = SCRIPT_BYTES;
		while (((unsigned char)copy[n] & 0xc0) == 0x80)
			n--;
		copy[n] = '\0';
	}
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)copy[i] < 0x20 || copy[i] == '"' || copy[i] == '\\' || copy[i] == 0x7f)
			copy[i] = '?';
	json_decref(all);
	return copy;
}

/* What has arrived waits while the page deals with what came before: frame after long
 * frame, each of which may be made of short tasks, so that none blocks. */
static double
busy_s(struct span page)
{
	json_t *all = span_null(page) ? NULL : span_json(page);
	double s = json_number_value(json_object_get(all, "long_animation_frame_ms")) / 1000;
	json_decref(all);
	return s;
}

static void
say_way(const double *v, struct span page)
{
	if (!(v[M_transport_s] >= MAIN_SHARE * v[M_client_execution_time_metric]))
		return;
	double busy = busy_s(page);
	bool widgets = v[M_comm_messages_received] > 0;
	if (busy >= WORTH_S && busy >= OTHERS_SHARE * v[M_transport_s])
		say("for %d %% of the time the kernel's answer waited for the page, which was busy for %.2f s%s%s", percent(v[M_transport_s], v[M_client_execution_time_metric]), busy,
		    widgets ? ", with " : "", widgets ? widget_messages(v[M_comm_messages_received]) : "");
	else
		say("%d %% of the time goes into the way between page and kernel%s%s", percent(v[M_transport_s], v[M_client_execution_time_metric]),
		    v[M_client_total_data_received_metric] >= 0 ? ", " : "", v[M_client_total_data_received_metric] >= 0 ? size_text(v[M_client_total_data_received_metric] * 1e6) : "");
}

/* Nobody waits longer for others than these run: on few cores kernel, browser and
 * server wait for each other, which is no doubt but what the person has too. */
static bool
others_run(const double *v, double delay_s)
{
	double others = v[M_machine_cpu_s] - v[M_kernel_cpu_s] - (isnan(v[M_browser_cpu_s]) ? 0 : v[M_browser_cpu_s]) - (isnan(v[M_server_cpu_s]) ? 0 : v[M_server_cpu_s]);
	return !(others < OTHERS_SHARE * delay_s);
}

/* Of the time in which threads could run, how much they waited for a core; it is
 * told where that is long beside the cell's time too. */
static bool
waited(const double *v, double delay_s, double cpu_s, const char *who)
{
	double able = delay_s + cpu_s;
	if (!(delay_s >= WAIT_SHARE * able && delay_s >= WAIT_SHARE * v[M_client_execution_time_metric] && delay_s >= WORTH_S / 2) || !others_run(v, delay_s))
		return false;
	say("the %s waited %d %% of its time for a core: the machine is too busy to measure", who, percent(delay_s, able));
	return true;
}

/* Doubts first: they spoil what the rest is said of. */
static void
say_doubts(const double *v)
{
	if (v[M_client_execution_time_metric] > 0 && !waited(v, v[M_kernel_run_queue_wait_s], v[M_kernel_cpu_s], "kernel"))
		waited(v, v[M_browser_run_queue_wait_s], v[M_browser_cpu_s], "browser");
	if (v[M_console_errors] > 0)
		say("%s error%s in the page's console", grouped(v[M_console_errors]), v[M_console_errors] > 1 ? "s" : "");
}

static void
say_kernel(const double *v)
{
	double kernel = v[M_kernel_s], cpu = v[M_kernel_cpu_s], all = v[M_client_execution_time_metric];
	if (!(kernel >= MAIN_SHARE * all))
		return;
	if (isnan(cpu))
		say("the kernel takes %d %% of the time", percent(kernel, all));
	else if (cpu < IDLE_SHARE * kernel && v[M_kernel_read_bytes] + v[M_kernel_write_bytes] > MUCH_IO_BYTES)
		say("the kernel takes %d %% of the time and computes for %.2f s of its %.2f s: it reads %s and writes %s", percent(kernel, all), cpu, kernel,
		    size_text(v[M_kernel_read_bytes]), size_text(v[M_kernel_write_bytes]));
	else if (cpu < IDLE_SHARE * kernel)
		say("the kernel takes %d %% of the time and computes for %.2f s of its %.2f s: it waits for %s", percent(kernel, all), cpu, kernel,
		    v[M_kernel_run_queue_wait_s] > OTHERS_SHARE * (kernel - cpu) ? "a core" : "something");
	else
		say("the kernel takes %d %% of the time, on %.1f core%s", percent(kernel, all), cpu / kernel, cpu > 1.05 * kernel ? "s" : "");
}

static void
say_page(const double *v, struct span page)
{
	double all = v[M_client_execution_time_metric];
	if (v[M_render_s] >= MAIN_SHARE * all && v[M_comm_messages_received] > 0)
		say("drawing takes %d %% of the time, %s", percent(v[M_render_s], all), widget_messages(v[M_comm_messages_received]));
	else if (v[M_render_s] >= MAIN_SHARE * all && v[M_comm_messages_received] == 0)
		say("drawing takes %d %% of the time, and no widget message came: it is the page's own work", percent(v[M_render_s], all));
	else if (v[M_render_s] >= MAIN_SHARE * all)
		say("drawing takes %d %% of the time", percent(v[M_render_s], all));
	say_way(v, page);
	if (v[M_total_blocking_time_s] >= WAIT_SHARE * all && v[M_total_blocking_time_s] >= WORTH_S) {
		char *script = blocking_script(page, v[M_total_blocking_time_s] * 1000);
		say("the page could not answer for %.2f s%s%s", v[M_total_blocking_time_s], script ? ", most of it in " : "", script ? script : "");
		free(script);
	}
}

static void
say_memory(const double *v, bool sampled, const struct cell_context *c)
{
	double rise = v[M_kernel_peak_rss_bytes] - v[M_kernel_min_rss_bytes];
	if (rise > MEMORY_SHARE * c->memory_bytes && sampled)
		say("the kernel's processes rise by %s together, %d %% of the machine's: what they share after a fork counts for each", size_text(rise),
		    percent(rise, c->memory_bytes));
	else if (rise > MEMORY_SHARE * c->memory_bytes)
		say("the kernel's memory rises by %s, %d %% of the machine's", size_text(rise), percent(rise, c->memory_bytes));
	if (v[M_kernel_major_faults] > MANY_FAULTS)
		say("the kernel waits for storage at %s page faults: files are read for the first time, or memory is short", grouped(v[M_kernel_major_faults]));
}

const char *
diagnosis(const struct cell_values *m, const struct cell_context *c, struct span page)
{
	const double *v = m->number;
	line.n = 0;
	given = 0;
	if (isnan(v[M_client_execution_time_metric]))
		return NULL;
	say_doubts(v);
	if (v[M_client_execution_time_metric] >= WORTH_S) {
		say_kernel(v);
		say_page(v, page);
	}
	say_memory(v, span_is(m->text[M_kernel_peak_method], "\"sampled\""), c);
	return given ? line.p : NULL;
}
