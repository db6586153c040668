/* runhistory: the cells that ran, when, how long, how they ended, and their code.
 * Reads a run record; writes a table, the code of some cells, or JSON lines. */
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "json/json_value.h"
#include "run/cell_ranges.h"
#include "run/loaded_run.h"
#include "text/text.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_COLUMNS = 100, MIN_COLUMNS = 60, MAX_COLUMNS = 1000 };
enum { TO_STATUS = 35 };	/* columns before the status */

static const char *cell_list;
static bool json;
static long width, run_number;
static const struct opt opts[] = {
	{'c', "cell", OPT_STRING, &cell_list, 0, 0, "CELLS",
		"print the whole code of these cells: 3, last, all, 2:5, :4, -3:-1, 1,4"},
	{'j', "json", OPT_FLAG, &json, 0, 0, NULL,
	    "write a line of JSON for each cell, with its code"},
	{'W', "width", OPT_INT, &width, MIN_COLUMNS, MAX_COLUMNS, "N",
		"columns; default the terminal's, else 100"},
	{0, "run", OPT_INT, &run_number, 1, 1e6, "K", "only the K-th run of a stream"},
	{0},
};
static const struct opt_usage usage = {"runhistory", "[options] [FILE]",
	"Lists the cells that ran: start, duration, status, code.", opts};

static struct run_reader reader;
static struct loaded_run run;
static struct cell_ranges *chosen;
static size_t shown;

/* ---- pieces ---------------------------------------------------------------------------- */

/* Local time; milliseconds for a cell, the date for a run. */
static char *
moment(double t, bool date)
{
	long ms = isfinite(t) && t >= 0 && t < 1e12 ? lround(t * 1000) : -1;
	time_t whole = ms / 1000;
	struct tm tm;
	char text[40];
	const char *format = date ? "%Y-%m-%d %H:%M:%S %z" : "%H:%M:%S";
	if (ms < 0 || !localtime_r(&whole, &tm) || !strftime(text, sizeof text, format, &tm))
		return xstrdup("-");
	return date ? xstrdup(text) : xasprintf("%s.%03d", text, (int)(ms % 1000));
}

/* The press, on the page's clock. */
static double
start_t(const struct run_cell *c)
{
	return c->begin_t - c->page_shift_s;
}

static void
put_history_row(const struct run_cell *c, size_t wide, size_t status_wide)
{
	struct buf b = {0};
	char *start = moment(start_t(c), false), *status = xstrdup(cell_status_word(c->status));
	buf_addf(&b, "%5ld  %-12s  ", c->index, start);
	if (isfinite(run_cell_time(c)))
		buf_addf(&b, "%10.3f s  ", run_cell_time(c));
	else
		buf_addf(&b, "%10s    ", "-");
	for (char *p = status; *p; p++)
		*p = *p == '_' ? ' ' : *p;
	size_t used = TO_STATUS + status_wide + 2;
	text_show_padded(&b, status, status_wide);
	buf_add(&b, "  ", 2);
	text_show(&b, loaded_run_line(c), wide > used ? wide - used : 1);
	text_put_trimmed(&b);
	buf_free(&b);
	free(start);
	free(status);
}

/* Why a cell failed, below its code. */
static void
put_reason(const struct run_cell *c, size_t wide, size_t indent)
{
	struct buf b = {0};
	if (!c->reason)
		return;
	buf_addf(&b, "%*s", (int)indent, "");
	text_show(&b, c->reason, wide > indent ? wide - indent : 1);
	text_put_trimmed(&b);
	buf_free(&b);
}

static void
put_table(void)
{
	struct buf b = {0}, title = {0};
	size_t wide = (size_t)width, status_wide = strlen("status");
	if (!wide)
		wide = text_terminal_columns(STDOUT_FILENO, DEFAULT_COLUMNS, MIN_COLUMNS,
		    MAX_COLUMNS);
	char *began = moment(run.t, true);
	buf_addf(&title, "%s, label %s", run.notebook, run.label);
	if (run.repetition > 1)
		buf_addf(&title, ", repetition %ld", run.repetition);
	buf_addf(&title, ", %s: %s", began, run.status);
	free(began);
	if (shown)
		text_put_trimmed(&b);
	text_show(&b, title.p, wide);
	text_put_trimmed(&b);
	for (size_t i = 0; i < run.n; i++) {
		size_t n = strlen(cell_status_word(run.cells[i].status));
		status_wide = n > status_wide ? n : status_wide;
	}
	buf_addf(&b, "%5s  %-12s  %10s    %-*s  %s", "cell", "start", "duration",
	    (int)status_wide, "status", "code");
	text_put_trimmed(&b);
	for (size_t i = 0; i < run.n; i++) {
		put_history_row(&run.cells[i], wide, status_wide);
		put_reason(&run.cells[i], wide, status_wide + TO_STATUS + 2);
	}
	buf_free(&b);
	buf_free(&title);
}

/* Unchanged, so that it can be run; on a terminal without control characters. */
static void
put_code(const struct run_cell *c, bool several)
{
	struct buf b = {0};
	const char *p = c->source;
	if (several) {
		buf_addf(&b, "%s# %%%% cell %ld", shown ? "\n" : "", c->index);
		text_put_trimmed(&b);
	}
	if (!isatty(STDOUT_FILENO)) {
		xoutput_line(p, strlen(p) - (*p && p[strlen(p) - 1] == '\n'));
		return;
	}
	for (size_t n; *p; p += n + (p[n] == '\n')) {
		n = strcspn(p, "\n");
		char *line = xasprintf("%.*s", (int)n, p);
		for (char *word, *rest = line; (word = strsep(&rest, "\t"));) {
			text_show(&b, word, n + 1);
			buf_add(&b, "\t", rest ? 1 : 0);
		}
		xoutput_line(b.p, b.n);
		b.n = 0;
		free(line);
	}
	buf_free(&b);
}

static void
put_json(const struct run_cell *c)
{
	json_t *r = json_pack("{s:s, s:o, s:o, s:s, s:s, s:I, s:I, s:o, s:o, s:s, s:s?, s:s}",
	    "type", "history", "t", json_value_time(c->t), "start_t", json_value_time(start_t(c)),
	    "name", run.name, "label", run.label, "repetition", (json_int_t)run.repetition,
	    "cell_index", (json_int_t)c->index, "client_ms", json_value_ms(1000 * c->client_s),
	    "kernel_ms", json_value_ms(1000 * c->kernel_s),
	    "status", cell_status_word(c->status), "reason", c->reason, "source", c->source);
	xlines_write_new(r);
}

/* The only code asked for so far: it gets a heading only if a second one follows. */
static struct run_cell pending;

static void
put_pending(bool several)
{
	if (!pending.source)
		return;
	put_code(&pending, several);
	free(pending.source);
	pending.source = NULL;
	shown++;
}

static void
show_code(const struct run_cell *c)
{
	put_pending(true);
	if (shown) {
		put_code(c, true);
		shown++;
	} else {
		pending = *c;
		pending.source = xstrdup(c->source);
	}
}

/* ---- runs ------------------------------------------------------------------------------ */

static void
put_run(void)
{
	if (!reader.number || (run_number && (long)reader.number != run_number))
		return;
	if (!chosen && !json) {
		put_table();
		shown++;
		return;
	}
	for (size_t i = 0; i < run.n; i++) {
		if (chosen && !cell_ranges_have(chosen, run.cells[i].index, i, run.n))
			continue;
		if (!json) {
			show_code(&run.cells[i]);
			continue;
		}
		put_json(&run.cells[i]);
		shown++;
	}
}

static void
read_run_record(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	if (run_record_kind(s) == RUN_BEGIN)
		put_run();
	if (loaded_run_read(&run, &reader, s, in, line, len) == RUN_CELL)
		xloaded_run_index(&reader.cell, in);
}

int
main(int argc, char **argv)
{
	char *file[] = {xopt_optional_operand(argc, argv, &usage), NULL};
	if (cell_list)
		chosen = xcell_ranges(cell_list, "--cell");
	signal(SIGINT, SIG_IGN);
	xscan_files(file, read_run_record);
	put_run();
	put_pending(false);
	if (!shown && run_number > (long)reader.number)
		die(ST_UNKNOWN, "no run %ld in the record, which has %u", run_number,
		    reader.number);
	if (!reader.number)
		die(ST_UNKNOWN, "no run in the record");
	if (!shown && chosen)
		die(ST_UNKNOWN, "no cell '%s' in the record", cell_list);
	xoutput_close();
	return ST_OK;
}
