/* runbar: shows the progress of a run on stderr while its records pass by.
 * On a terminal one line that is redrawn; a line for each finished notebook stays.
 * The stream passes byte for byte. */
#include "base/clock.h"
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "base/terminal_output.h"
#include "json/passthrough.h"
#include "run/run_reader.h"
#include "text/param_text.h"
#include "text/style.h"
#include "text/text.h"
#include "text/unit.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { REDRAW_MS = 1000, DEFAULT_COLUMNS = 80, MIN_COLUMNS = 20, MAX_COLUMNS = 400 };
enum { SHORT_NAME = 8, SHORT_KEY = 3, MAX_LABEL = 24 };

static long number, notebooks;
static double started_t, planned_s;
static bool quiet, with_label;
static const struct opt opts[] = {
	{0, "notebook", OPT_INT, &number, 1, 1e9, "K",
		"number of this notebook, from 1; env NBSCOPE_NOTEBOOK"},
	{0, "notebooks", OPT_INT, &notebooks, 1, 1e9, "N",
		"how many notebooks there are; env NBSCOPE_NOTEBOOKS"},
	{0, "started", OPT_REAL, &started_t, 0, 1e12, "T",
		"when the first one started, unix seconds; env NBSCOPE_STARTED"},
	{0, "planned", OPT_REAL, &planned_s, 0, 1e12, "S",
		"predicted seconds of all notebooks; env NBSCOPE_PLANNED_S"},
	{0, "label", OPT_FLAG, &with_label, 0, 0, NULL, "show the label of the run"},
	{'q', "quiet", OPT_FLAG, &quiet, 0, 0, NULL, "show nothing"},
	{0},
};
static const struct opt_usage usage = {"runbar", "[options]",
	"Shows the progress of a run on stderr; passes its records on.", opts};

static bool terminal;
static struct run_reader reader;
static struct {
	char *name, *label;
	char *short_name;	/* with the beginnings of the parameters' names; NULL: none */
	long cells, done, now;	/* now: the index of the cell that runs; 0: none */
	uint64_t begin_ns;
} run;

/* ---- words ----------------------------------------------------------------------- */

static void
add_number(struct buf *b)
{
	if (number && notebooks)
		buf_addf(b, "[%ld/%ld] ", number, notebooks);
	else if (number)
		buf_addf(b, "[%ld] ", number);
	if (with_label && run.label) {
		text_show(b, run.label, MAX_LABEL);
		buf_addf(b, ": ");
	}
}

static double
elapsed_s(void)
{
	return (double)(clock_monotonic_ns() - run.begin_ns) / 1e9;
}

/* Assumes that a cell takes as long as the mean of those before it. */
static double
left_s(void)
{
	double done = (double)run.done;
	return run.done ? elapsed_s() / done * ((double)run.cells - done) : (double)NAN;
}

/* Estimates the seconds left for all notebooks; the current one counts by its cells. What was
 * planned counts as much as one finished notebook: none says anything of its own before. */
static double
all_left_s(void)
{
	double finished = (double)(number - 1), all = (double)notebooks;
	if (started_t <= 0 || !number || notebooks <= 1 || run.cells == 0)
		return NAN;
	double done = finished + (double)run.done / (double)run.cells;
	double measured_s = finished > 0 ? (clock_unix_s() - started_t) / done * all : 0;
	double planned = planned_s > 0, weight = planned + finished;
	return weight > 0 ? (planned * planned_s + finished * measured_s) / weight *
	    (1 - done / all) : (double)NAN;
}

/* ---- lines ------------------------------------------------------------------------ */

static void
redraw(void)
{
	if (quiet || !terminal || !reader.open)
		return;
	struct buf line = {0}, tail = {0};
	buf_addf(&tail, "  cell %ld/%ld  %s", run.now ? run.now : run.done, run.cells,
	    unit_time(round(elapsed_s())).p);
	if (isfinite(left_s()))
		buf_addf(&tail, ", about %s left", unit_time(round(left_s())).p);
	if (isfinite(all_left_s()))
		buf_addf(&tail, "; all: %s left", unit_time(round(all_left_s())).p);
	buf_addf(&line, "\r");
	add_number(&line);
	size_t room = text_terminal_columns(STDERR_FILENO, DEFAULT_COLUMNS, MIN_COLUMNS,
	    MAX_COLUMNS) - 1;
	size_t used = line.n - 1, left = used + tail.n;
	size_t columns = room > left + SHORT_NAME ? room - left : SHORT_NAME;
	bool fits = !run.short_name || text_columns(run.name) <= columns;
	used += text_show(&line, fits ? run.name : run.short_name, columns);
	text_show(&line, tail.p, room > used ? room - used : 0);
	fprintf(stderr, "%s\033[K", line.p);
	buf_free(&line);
	buf_free(&tail);
}

/* ---- records ----------------------------------------------------------------------- */

static void
add_status(struct buf *b, enum cell_status status)
{
	for (const char *p = cell_status_word(status); *p; p++)
		buf_add(b, *p == '_' ? " " : p, 1);
}

static void
on_run(struct scan *s)
{
	free(run.name);
	free(run.label);
	json_t *params = span_json(scan_get(s, "params"));
	free(run.short_name);
	run.name = param_text(params, NULL, SIZE_MAX);
	run.short_name = param_text(params, NULL, SHORT_KEY);
	json_decref(params);
	if (!run.name)
		run.name = scan_string(s, "name");
	run.label = scan_string(s, "label");
	if (!run.name)
		run.name = xstrdup("?");
	run.cells = reader.code_cells < 0 ? 0 : reader.code_cells;
	run.done = run.now = 0;
	run.begin_ns = clock_monotonic_ns();
}

static void
on_run_end(void)
{
	struct buf b = {0};
	double wall_s = reader.end.wall_s;
	enum style style = cell_status_is_bad(reader.end.status) ? STYLE_BAD : STYLE_NONE;
	add_number(&b);
	text_show(&b, run.name, 200);
	buf_addf(&b, ": %s", style ? style_begin(STDERR_FILENO, style) : "");
	add_status(&b, reader.end.status);
	buf_addf(&b, "%s", style ? style_begin(STDERR_FILENO, STYLE_NONE) : "");
	buf_addf(&b, ", %ld", reader.end.cells_run);
	if (reader.end.cells_run <= run.cells)	/* a person may run some of them again */
		buf_addf(&b, " of %ld", run.cells);
	buf_addf(&b, " cells run in %s", unit_time(isfinite(wall_s) ? wall_s : elapsed_s()).p);
	if (!quiet)
		fprintf(stderr, "%s%s\n", terminal ? "\r\033[K" : "", b.p);
	buf_free(&b);
}

/* Called before the line is passed on. */
static void
follow_record(struct scan *s, const struct lines *in)
{
	(void)in;
	bool within = reader.open;
	enum run_record kind = run_read(&reader, s);
	if (kind == RUN_BEGIN)
		on_run(s);
	else if (!within)
		return;
	else if (kind == RUN_CELL_START)
		run.now = reader.cell.index;
	else if (kind == RUN_CELL)
		run.done++, run.now = 0;
	else if (kind == RUN_END)
		on_run_end();
	redraw();
}

/* ---- the stream -------------------------------------------------------------------- */

static void
xwrite(const char *p, size_t n)
{
	errno = terminal_output_write(p, n);
	if (errno == EPIPE)
		exit(ST_SYSTEM);	/* the reader left, which is no fault */
	if (errno)
		die(ST_SYSTEM, "cannot write to standard output:");
}

/* Waits for input, and redraws the seconds meanwhile. */
static void
await_input(void)
{
	struct pollfd p[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = STDOUT_FILENO}};
	while (poll(p, 2, terminal && reader.open ? REDRAW_MS : -1) <= 0)
		redraw();
	if ((p[1].revents & POLLERR) && !p[0].revents)
		exit(ST_SYSTEM);	/* the reader left */
}

static double
option_or_env(double option, const char *name, double max)
{
	const char *text = getenv(name);
	return option > 0 || !text || !*text ? option : xopt_real(text, 0, max, name);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	if (argc > first)
		opt_die(&usage, "unexpected operand '%s'", argv[first]);
	number = (long)option_or_env((double)number, "NBSCOPE_NOTEBOOK", 1e9);
	notebooks = (long)option_or_env((double)notebooks, "NBSCOPE_NOTEBOOKS", 1e9);
	planned_s = option_or_env(planned_s, "NBSCOPE_PLANNED_S", 1e12);
	started_t = option_or_env(started_t, "NBSCOPE_STARTED", 1e12);
	const char *term = getenv("TERM");
	terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
	signal(SIGINT, SIG_IGN);
	do
		await_input();
	while (xpassthrough_input(&(struct passthrough){follow_record, xwrite, NULL}));
	if (reader.open && terminal && !quiet)
		fputs("\r\033[K", stderr);
	xoutput_close();
	return ST_OK;
}
