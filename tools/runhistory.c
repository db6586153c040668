/* runhistory: the cells that ran, when, how long, how they ended, and their code.
 * Reads a run record; writes a table, one cell's code, or JSON lines. */
#include "picks.h"
#include "ran.h"
#include "text.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_COLUMNS = 100, LEAST_COLUMNS = 60, MOST_COLUMNS = 1000, TO_STATUS = 35 };

static const char *cell_list;
static bool json;
static long width, run_number;
static const struct opt opts[] = {
	{'c', "cell", OPT_STRING, &cell_list, 0, 0, "CELLS", "these cells' code whole: 3, last, all, 2:5, :4, -3:-1, 1,4"},
	{'j', "json", OPT_FLAG, &json, 0, 0, NULL, "JSON lines, code and all"},
	{'W', "width", OPT_INT, &width, LEAST_COLUMNS, MOST_COLUMNS, "N", "columns; default the terminal's, else 100"},
	{'k', "run", OPT_INT, &run_number, 1, 1e6, "K", "only the K-th run of a stream"},
	{0},
};
static const struct usage usage = {"runhistory", "[options] [FILE]",
	"Lists the cells that ran: start, duration, status, code.", opts};

static struct ran run;
static struct picks *picks;
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
	if (ms < 0 || !localtime_r(&whole, &tm) || !strftime(text, sizeof text, date ? "%Y-%m-%d %H:%M:%S %z" : "%H:%M:%S", &tm))
		return xstrdup("-");
	return date ? xstrdup(text) : xasprintf("%s.%03d", text, (int)(ms % 1000));
}

static void
put_row(const struct ran_cell *c, size_t wide, size_t status_wide)
{
	struct buf b = {0}, status = {0};
	char *start = moment(c->start_t, false);
	buf_addf(&b, "%5ld  %-12s  ", c->index, start);
	if (isfinite(c->client_s))
		buf_addf(&b, "%10.3f s  ", c->client_s);
	else
		buf_addf(&b, "%10s    ", "-");
	free(start);
	buf_addf(&status, "%s", c->status);
	for (char *p = status.p; *p; p++)
		*p = *p == '_' ? ' ' : *p;
	size_t used = TO_STATUS + status_wide + 2;
	show_padded(&b, status.p, status_wide);
	buf_add(&b, "  ", 2);
	show_text(&b, first_line(c->source), wide > used ? wide - used : 1);
	put_trimmed(&b);
	buf_free(&b);
	buf_free(&status);
}

/* Why a cell failed, below the code that did. */
static void
put_reason(const struct ran_cell *c, size_t wide, size_t indent)
{
	struct buf b = {0};
	if (!c->reason)
		return;
	buf_addf(&b, "%*s", (int)indent, "");
	show_text(&b, c->reason, wide > indent ? wide - indent : 1);
	put_trimmed(&b);
	buf_free(&b);
}

static void
put_table(void)
{
	struct buf b = {0}, title = {0};
	size_t wide = width ? (size_t)width : terminal_columns(STDOUT_FILENO, DEFAULT_COLUMNS, LEAST_COLUMNS, MOST_COLUMNS), status_wide = strlen("status");
	char *began = moment(run.t, true);
	buf_addf(&title, "%s, label %s", run.notebook, run.label);
	if (run.repetition > 1)
		buf_addf(&title, ", repetition %ld", run.repetition);
	buf_addf(&title, ", %s: %s", began, run.status ? run.status : "torn");
	free(began);
	if (shown)
		put_trimmed(&b);
	show_text(&b, title.p, wide);
	put_trimmed(&b);
	for (size_t i = 0; i < run.n; i++)
		status_wide = strlen(run.v[i].status) > status_wide && strlen(run.v[i].status) < 24 ? strlen(run.v[i].status) : status_wide;
	buf_addf(&b, "%5s  %-12s  %10s    %-*s  %s", "cell", "start", "duration", (int)status_wide, "status", "code");
	put_trimmed(&b);
	for (size_t i = 0; i < run.n; i++) {
		put_row(&run.v[i], wide, status_wide);
		put_reason(&run.v[i], wide, status_wide + TO_STATUS + 2);
	}
	buf_free(&b);
	buf_free(&title);
}

/* As it is, so that it can be run, but on a terminal, which it could drive. */
static void
put_code(const struct ran_cell *c, bool several)
{
	struct buf b = {0};
	const char *p = c->source;
	if (several) {
		buf_addf(&b, "%s# %%%% cell %ld", shown ? "\n" : "", c->index);
		put_trimmed(&b);
	}
	if (!isatty(STDOUT_FILENO)) {
		xput_line(p, strlen(p) - (*p && p[strlen(p) - 1] == '\n'));
		return;
	}
	for (size_t n; *p; p += n + (p[n] == '\n')) {
		n = strcspn(p, "\n");
		char *line = xasprintf("%.*s", (int)n, p);
		for (char *word, *rest = line; (word = strsep(&rest, "\t"));) {
			show_text(&b, word, n + 1);
			buf_add(&b, "\t", rest ? 1 : 0);
		}
		xput_line(b.p, b.n);
		b.n = 0;
		free(line);
	}
	buf_free(&b);
}

static json_t *
string_or_null(const char *text)
{
	return text ? json_string(text) : json_null();
}

static void
put_json(const struct ran_cell *c)
{
	json_t *r = json_pack("{s:s, s:o, s:o, s:s, s:s, s:I, s:I, s:o, s:o, s:s, s:o, s:s}", "type", "history",
	    "t", json_t_of(c->t), "start_t", json_t_of(c->start_t), "name", run.name, "label", run.label, "repetition", (json_int_t)run.repetition,
	    "cell_index", (json_int_t)c->index, "client_ms", json_ms(1000 * c->client_s), "kernel_ms", json_ms(1000 * c->kernel_s),
	    "status", c->status, "reason", string_or_null(c->reason), "source", c->source);
	if (!r)
		die(ST_SYSTEM, "out of memory");
	xput_record(r);
	json_decref(r);
}

/* The one code that was asked for so far: only a second one tells that a line must
 * stand before it. */
static struct ran_cell held;

static void
put_held(bool several)
{
	if (!held.source)
		return;
	put_code(&held, several);
	free(held.source);
	held.source = NULL;
	shown++;
}

static void
show_code(const struct ran_cell *c)
{
	put_held(true);
	if (shown) {
		put_code(c, true);
		shown++;
	} else {
		held = *c;
		held.source = xstrdup(c->source);
	}
}

/* ---- runs ------------------------------------------------------------------------------ */

static void
put_run(void)
{
	if (!run.number || (run_number && (long)run.number != run_number))
		return;
	if (!picks && !json) {
		put_table();
		shown++;
		return;
	}
	for (size_t i = 0; i < run.n; i++) {
		if (picks && !picked(picks, run.v[i].index, i, run.n))
			continue;
		if (!json) {
			show_code(&run.v[i]);
			continue;
		}
		put_json(&run.v[i]);
		shown++;
	}
}

static void
take(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	if (scan_type_is(s, "run"))
		put_run();
	ran_take(&run, s, in);
}

int
main(int argc, char **argv)
{
	char *file[] = {xmay_operand(argc, argv, &usage), NULL};
	if (cell_list)
		picks = xpicks(cell_list, "--cell");
	signal(SIGINT, SIG_IGN);
	xscan_files(file, take);
	put_run();
	put_held(false);
	if (!shown && run_number > (long)run.number)
		die(ST_UNKNOWN, "no run %ld in the record, which has %u", run_number, run.number);
	if (!run.number)
		die(ST_UNKNOWN, "no run in the record");
	if (!shown && picks)
		die(ST_UNKNOWN, "no cell '%s' in the record", cell_list);
	xclose_stdout();
	return ST_OK;
}
