/* advice.c: why a cell took its time, in plain words with the numbers. */
#include "advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is worth a word: a share of the client time, and seconds below which
 * nobody waits. */
#define MAIN_SHARE 0.5
#define WAIT_SHARE 0.2
#define WORTH_S 0.1
enum { MOST_ADVICE = 3 };

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

/* 1812 as "1,812"; four of them may be in use at once. */
static const char *
grouped(double x)
{
	static char texts[4][40];
	static int turn;
	char digits[32], *to = texts[turn = (turn + 1) % 4];
	int n = snprintf(digits, sizeof digits, "%.0f", x);
	for (int i = 0; i < n; i++) {
		if (i && digits[i - 1] != '-' && (n - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return texts[turn];
}

static const char *
size_text(double bytes)
{
	static char texts[4][24];
	static int turn;
	char *to = texts[turn = (turn + 1) % 4];
	bool giga = bytes >= 1e9;
	snprintf(to, sizeof texts[0], giga ? "%.1f GB" : bytes >= 1e7 ? "%.0f MB" : "%.1f MB", bytes / (giga ? 1e9 : 1e6));
	return to;
}

static int
percent(double part, double all)
{
	double p = 100 * part / all;
	return p > 100 ? 100 : (int)lround(p);
}

/* The dearest script's name, with what JSON would escape made harmless. */
static char *
dearest_script(struct span page)
{
	json_t *all = span_null(page) ? NULL : span_json(page);
	const char *name = json_string_value(json_object_get(json_array_get(json_object_get(all, "scripts"), 0), "script"));
	char *copy = name ? xstrdup(name) : NULL;
	for (char *p = copy; p && *p; p++)
		if ((unsigned char)*p < 0x20 || *p == '"' || *p == '\\' || *p == 0x7f)
			*p = '?';
	json_decref(all);
	if (copy && strlen(copy) > 80 && ((unsigned char)copy[80] & 0xc0) != 0x80)
		copy[80] = '\0';
	return copy;
}

/* Of the time in which threads could run, how much they waited for a core; it is
 * told where that is long beside the cell's time too. */
static bool
waited(double delay_s, double cpu_s, double client_s, const char *who)
{
	double able = delay_s + cpu_s;
	if (!(delay_s >= WAIT_SHARE * able && delay_s >= WAIT_SHARE * client_s && delay_s >= WORTH_S / 2))
		return false;
	say("the %s waited %d %% of its time for a core: the machine is too busy to measure", who, percent(delay_s, able));
	return true;
}

/* Doubts first: they spoil what the rest is said of. */
static void
say_doubts(const double *v)
{
	if (!waited(v[KERNEL_DELAY], v[KERNEL_CPU], v[CLIENT], "kernel"))
		waited(v[BROWSER_DELAY], v[BROWSER_CPU], v[CLIENT], "browser");
	if (v[CONSOLE] > 0)
		say("%s error%s in the page's console", grouped(v[CONSOLE]), v[CONSOLE] > 1 ? "s" : "");
}

static void
say_kernel(const double *v)
{
	double kernel = v[KERNEL], cpu = v[KERNEL_CPU], all = v[CLIENT];
	if (!(kernel >= MAIN_SHARE * all))
		return;
	if (isnan(cpu))
		say("the kernel takes %d %% of the time", percent(kernel, all));
	else if (cpu < 0.3 * kernel && v[KERNEL_READ] + v[KERNEL_WRITE] > 1e7)
		say("the kernel takes %d %% of the time and computes for %.2f s of its %.2f s: it reads %s and writes %s", percent(kernel, all), cpu, kernel,
		    size_text(v[KERNEL_READ]), size_text(v[KERNEL_WRITE]));
	else if (cpu < 0.3 * kernel)
		say("the kernel takes %d %% of the time and computes for %.2f s of its %.2f s: it waits for something", percent(kernel, all), cpu, kernel);
	else
		say("the kernel takes %d %% of the time, on %.1f core%s", percent(kernel, all), cpu / kernel, cpu > 1.05 * kernel ? "s" : "");
}

static void
say_page(const double *v, struct span page)
{
	double all = v[CLIENT];
	if (v[RENDER] >= MAIN_SHARE * all)
		say("drawing takes %d %% of the time, %s widget message%s", percent(v[RENDER], all), grouped(v[COMM_RECEIVED]), v[COMM_RECEIVED] == 1 ? "" : "s");
	if (v[QUEUE_DELIVERY] >= MAIN_SHARE * all)
		say("%d %% of the time goes into the way between page and kernel, %s", percent(v[QUEUE_DELIVERY], all), size_text(v[DATA] * 1e6));
	if (v[BLOCKING] >= WAIT_SHARE * all && v[BLOCKING] >= WORTH_S) {
		char *script = dearest_script(page);
		say("the page could not answer for %.2f s%s%s", v[BLOCKING], script ? ", most of it in " : "", script ? script : "");
		free(script);
	}
}

static void
say_memory(const double *v, const struct cell_ends *ends)
{
	double rise = v[KERNEL_PEAK] - v[KERNEL_MADE + MIN_RSS];
	if (rise > 0.1 * ends->memory_bytes)
		say("the kernel's memory rises by %s, %d %% of the machine's", size_text(rise), percent(rise, ends->memory_bytes));
	if (v[KERNEL_MAJOR] > 1000)
		say("%s page faults wait for storage: memory is short", grouped(v[KERNEL_MAJOR]));
}

const char *
advice(const struct metrics *m, const struct cell_ends *ends, struct span page)
{
	const double *v = m->value;
	line.n = 0;
	given = 0;
	if (!(v[CLIENT] > 0))
		return NULL;
	say_doubts(v);
	if (v[CLIENT] >= WORTH_S) {
		say_kernel(v);
		say_page(v, page);
	}
	say_memory(v, ends);
	return given ? line.p : NULL;
}
