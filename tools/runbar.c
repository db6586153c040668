/* runbar: how far a run is, on stderr, while its records pass by.
 * On a terminal one line that is drawn again and again; else a plain line for
 * each notebook and each cell.  The stream passes byte for byte. */
#include "pass.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REDRAW_MS = 1000, DEFAULT_COLUMNS = 80, LEAST_COLUMNS = 20, MOST_COLUMNS = 400, SHORT_NAME = 8 };

static long number, notebooks;
static double started_t;
static bool quiet;
static const struct opt opts[] = {
	{'k', "notebook", OPT_INT, &number, 1, 1e9, "K", "which notebook of all this is, from 1; env NBSCOPE_NOTEBOOK"},
	{'n', "notebooks", OPT_INT, &notebooks, 1, 1e9, "N", "how many there are; env NBSCOPE_NOTEBOOKS"},
	{'s', "started", OPT_REAL, &started_t, 0, 1e12, "T", "when the first began, unix seconds; env NBSCOPE_STARTED"},
	{'q', "quiet", OPT_FLAG, &quiet, 0, 0, NULL, "show nothing"},
	{0},
};
static const struct usage usage = {"runbar", "[options]",
	"Shows on stderr how far a run is; passes its records on.", opts};

static bool terminal;
static struct {
	bool open;
	char *name;
	long cells, done, now;	/* now: the index of the cell that runs; 0: none */
	uint64_t begin_ns;
} run;

/* ---- words ----------------------------------------------------------------------- */

static void
add_duration(struct buf *b, double s)
{
	long whole = lround(s < 0 ? 0 : s > 1e8 ? 1e8 : s);
	if (whole >= 3600)
		buf_addf(b, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
	else
		buf_addf(b, "%ld:%02ld", whole / 60, whole % 60);
}

static void
add_number(struct buf *b)
{
	if (number && notebooks)
		buf_addf(b, "[%ld/%ld] ", number, notebooks);
	else if (number)
		buf_addf(b, "[%ld] ", number);
}

static double
elapsed_s(void)
{
	return (double)(now_ns() - run.begin_ns) / 1e9;
}

/* A cell takes as long as the mean of those before it: all that can be known of
 * a notebook that never ran. */
static double
left_s(void)
{
	return run.done ? elapsed_s() / (double)run.done * (double)(run.cells - run.done) : (double)NAN;
}

/* The same for notebooks, this one counted by its cells. */
static double
all_left_s(void)
{
	if (started_t <= 0 || !number || notebooks <= 1 || run.cells == 0)
		return NAN;
	double done = (double)(number - 1) + (double)run.done / (double)run.cells;
	return done > 0 ? (now_t() - started_t) / done * ((double)notebooks - done) : (double)NAN;
}

/* ---- the terminal's line ---------------------------------------------------------- */

static void
redraw(void)
{
	if (quiet || !terminal || !run.open)
		return;
	struct buf line = {0}, tail = {0};
	buf_addf(&tail, "  cell %ld/%ld  ", run.now ? run.now : run.done, run.cells);
	add_duration(&tail, elapsed_s());
	if (isfinite(left_s())) {
		buf_addf(&tail, ", about ");
		add_duration(&tail, left_s());
		buf_addf(&tail, " left");
	}
	if (isfinite(all_left_s())) {
		buf_addf(&tail, "; all: ");
		add_duration(&tail, all_left_s());
		buf_addf(&tail, " left");
	}
	buf_addf(&line, "\r");
	add_number(&line);
	size_t room = terminal_columns(STDERR_FILENO, DEFAULT_COLUMNS, LEAST_COLUMNS, MOST_COLUMNS) - 1, used = line.n - 1;
	used += show_text(&line, run.name, room > used + tail.n + SHORT_NAME ? room - used - tail.n : SHORT_NAME);
	show_text(&line, tail.p, room > used ? room - used : 0);
	fprintf(stderr, "%s\033[K", line.p);
	buf_free(&line);
	buf_free(&tail);
}

/* A line that stays. */
static void
say(const struct buf *rest)
{
	struct buf b = {0};
	add_number(&b);
	show_text(&b, run.name, 200);
	if (!quiet)
		fprintf(stderr, "%s%s%s\n", terminal ? "\r\033[K" : "", b.p, rest->p);
	buf_free(&b);
}

/* ---- records ----------------------------------------------------------------------- */

static long
whole_number(struct scan *s, const char *key)
{
	double x = span_number(scan_get(s, key));
	return x >= 0 && x <= 1e9 ? (long)x : 0;
}

static void
add_status(struct buf *b, struct scan *s)
{
	char *word = span_string(scan_get(s, "status"));
	for (char *p = word; p && *p; p++)
		if (*p == '_')
			*p = ' ';
	show_text(b, word ? word : "unknown", 20);
	free(word);
}

static void
take_run(struct scan *s)
{
	struct buf b = {0};
	free(run.name);
	run.name = span_string(scan_get(s, "name"));
	if (!run.name)
		run.name = xstrdup("?");
	run.cells = whole_number(s, "code_cells");
	run.done = run.now = 0;
	run.begin_ns = now_ns();
	run.open = true;
	buf_addf(&b, ": %ld cells", run.cells);
	if (!terminal)
		say(&b);
	buf_free(&b);
}

static void
take_cell(struct scan *s)
{
	struct buf b = {0};
	double ms = span_number(scan_get(s, "client_ms"));
	run.done++;
	run.now = 0;
	buf_addf(&b, " cell %ld/%ld ", whole_number(s, "cell_index"), run.cells);
	add_status(&b, s);
	if (isfinite(ms))
		buf_addf(&b, " %.3f s", ms / 1000);
	if (!terminal)
		say(&b);
	buf_free(&b);
}

static void
take_end(struct scan *s)
{
	struct buf b = {0};
	double wall_ms = span_number(scan_get(s, "wall_ms"));
	buf_addf(&b, ": ");
	add_status(&b, s);
	long done = whole_number(s, "cells_run");
	buf_addf(&b, ", %ld", done);
	if (done <= run.cells)	/* a person runs some again */
		buf_addf(&b, " of %ld", run.cells);
	buf_addf(&b, " cells run in %.1f s", isfinite(wall_ms) ? wall_ms / 1000 : elapsed_s());
	say(&b);
	run.open = false;
	buf_free(&b);
}

static void
take(struct scan *s)
{
	if (scan_type_is(s, "run"))
		take_run(s);
	else if (!run.open)
		return;
	else if (scan_type_is(s, "cell_start"))
		run.now = whole_number(s, "cell_index");
	else if (scan_type_is(s, "cell"))
		take_cell(s);
	else if (scan_type_is(s, "run_end"))
		take_end(s);
	redraw();
}

/* ---- the stream -------------------------------------------------------------------- */

static void
xwrite(const char *p, size_t n)
{
	while (n) {
		ssize_t got = write(STDOUT_FILENO, p, n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EPIPE)
			exit(ST_SYSTEM);	/* the reader left: not our news */
		if (got < 0)
			die(ST_SYSTEM, "cannot write to standard output:");
		p += got;
		n -= (size_t)got;
	}
}

static void
before_line(struct scan *s, const struct lines *in)
{
	(void)in;
	take(s);
}

/* Waits for input, drawing the seconds meanwhile. */
static void
await_input(void)
{
	struct pollfd p[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = STDOUT_FILENO}};
	while (poll(p, 2, terminal && run.open ? REDRAW_MS : -1) <= 0)
		redraw();
	if ((p[1].revents & POLLERR) && !p[0].revents)
		exit(ST_SYSTEM);	/* the reader left */
}

static double
from_env(const char *name, double now, double hi)
{
	const char *text = getenv(name);
	return now > 0 || !text || !*text ? now : xreal(text, 0, hi, name);
}

int
main(int argc, char **argv)
{
	int first = options(argc, argv, &usage);
	if (argc > first)
		die_usage(&usage, "it reads standard input only");
	number = (long)from_env("NBSCOPE_NOTEBOOK", (double)number, 1e9);
	notebooks = (long)from_env("NBSCOPE_NOTEBOOKS", (double)notebooks, 1e9);
	started_t = from_env("NBSCOPE_STARTED", started_t, 1e12);
	const char *term = getenv("TERM");
	terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
	signal(SIGINT, SIG_IGN);
	do
		await_input();
	while (xpass_input(&(struct passing){before_line, xwrite, NULL}));
	if (run.open && terminal && !quiet)
		fputs("\r\033[K", stderr);
	xclose_stdout();
	return ST_OK;
}
