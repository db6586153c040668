/* runsum: a summary of a profile for people.
 * Reads metrics of cells, interactions and notebooks; writes a table of the notebooks, the slowest
 * cells, what failed, and the verdict, which is the last line and the exit status. */
#include "base/die.h"
#include "base/num.h"
#include "base/opt.h"
#include "base/output.h"
#include "machine_line.h"
#include "metric/heading_times.h"
#include "metric/repeated.h"
#include "metric/summary_interaction.h"
#include "run/run_state.h"
#include "sum_notes.h"
#include "text/text.h"
#include "text/unit.h"
#include "verdict.h"

#include <signal.h>
#include <unistd.h>

enum { COLUMNS = 100, MIN_COLUMNS = 80, MAX_COLUMNS = 200 };
enum { STATUS_COLUMNS = 12, CELLS_COLUMNS = 8, CLIENT_COLUMNS = 10, MB_COLUMNS = 8 };
enum { NAME_COLUMNS = 24, SLOW_NAME_COLUMNS = 21, PHASE_COLUMNS = 18 };
enum { FEW_NOTEBOOKS = 10, CELLS_EACH = 3, MAX_DIAGNOSES = 5 };
enum { DIAGNOSIS_INDENT = 12 };

static long slowest = 10, per_notebook = -1;
static const char *verdict_to, *calibration;
static const struct opt opts[] = {
	{0, "slowest", OPT_INT, &slowest, 0, 1000, "N", "list the N slowest cells, default 10"},
	{0, "per-notebook", OPT_INT, &per_notebook, 0, 1000, "N",
		"list N cells of each notebook, default 3 (0 for more than 10 notebooks)"},
	{0, "verdict", OPT_STRING, &verdict_to, 0, 0, "FILE", "also write the verdict as JSON"},
	{0, "calibration", OPT_STRING, &calibration, 0, 0, "FILE",
		"compare the machine's noise with that of the last calibration, in FILE"},
	{0},
};
static const struct opt_usage usage = {"runsum", "[options] [FILE...]",
	"Summarises metrics for people; the last line is the verdict.", opts};

static struct summary sum;
static struct repeated *notebooks;	/* n_notebooks, with their runs */
static size_t n_notebooks;
static struct verdict verdict;
static json_t *left_out;	/* {reason: number of runs} */
static size_t columns, name_columns, slow_name_columns, phases_columns;
static bool narrow;	/* dispatch and MB are left out, and transport is not split */

/* ---- pieces ----------------------------------------------------------------------- */

static const char *
style(enum style s)
{
	return style_begin(STDOUT_FILENO, s);
}

static void
put_heading(const char *text)
{
	text_put_wrapped(STYLE_HEADING, text, 0, columns);
}

static bool
phase_has_column(enum phase k)
{
	return phase_is_shown(k, sum.apart) && !(narrow && k == PHASE_DISPATCH);
}

/* A number in `width` columns; "-" where it is not known. */
static void
add_number(struct buf *b, double x, int width, int decimals)
{
	if (isfinite(x))
		buf_addf(b, "%*.*f", width, decimals, x);
	else
		buf_addf(b, "%*s", width, "-");
}

/* Adds the share of each phase in `spent`, or without that its name: "kernel%". */
static void
add_phases(struct buf *b, const struct phase_times *spent)
{
	double all = spent ? phase_sum_s(spent, sum.apart) / 100 : 0;
	for (enum phase k = 0; k < N_PHASES; k++) {
		if (!phase_has_column(k))
			continue;
		if (spent)
			add_number(b, all > 0 ? spent->s[k] / all : (double)NAN,
			    (int)strlen(phase_defs[k].name) + 2, 0);
		else
			buf_addf(b, " %s%%", phase_defs[k].name);
	}
}

/* "kernel 80 %": the longest phase of a cell; "-" if that in the kernel is not known, as after a
 * step of the clock: what remains explains nothing. */
static void
add_longest_phase(struct buf *b, const struct phase_times *spent)
{
	bool separate = phase_is_separable(spent);
	enum phase longest = PHASE_KERNEL;
	for (enum phase k = 0; k < N_PHASES; k++)
		if (phase_is_shown(k, separate) && isfinite(spent->s[k]) &&
		    !(spent->s[k] <= spent->s[longest]))
			longest = k;
	double all = phase_sum_s(spent, separate);
	char text[40] = "-";
	if (all > 0 && isfinite(spent->s[PHASE_KERNEL]))
		snprintf(text, sizeof text, "%s %.0f %%", phase_defs[longest].name,
		    100 * spent->s[longest] / all);
	text_show_padded(b, text, PHASE_COLUMNS);
}

/* ---- sections ----------------------------------------------------------------------- */

static size_t
longest_name(void)
{
	size_t longest = NAME_COLUMNS;
	for (size_t i = 0; i < n_notebooks; i++) {
		char *name = summary_name(&sum, &sum.v[notebooks[i].shown], SIZE_MAX);
		size_t wide = text_columns(name);
		longest = wide > longest ? wide : longest;
		free(name);
	}
	return longest;
}

/* The names have what they need of what the other columns leave. */
static void
set_columns(void)
{
	struct buf phases = {0};
	columns = text_terminal_columns(STDOUT_FILENO, COLUMNS, MIN_COLUMNS, MAX_COLUMNS);
	narrow = columns < COLUMNS;
	sum.apart = sum.apart && !narrow;
	add_phases(&phases, NULL);
	phases_columns = phases.n;
	buf_free(&phases);
	size_t longest = longest_name(), wider = columns > COLUMNS ? (columns - COLUMNS) / 2 : 0;
	size_t left = columns - 1 - STATUS_COLUMNS - CELLS_COLUMNS - CLIENT_COLUMNS -
	    phases_columns - (narrow ? 0 : MB_COLUMNS);
	name_columns = longest < left ? longest : left;
	slow_name_columns = longest < SLOW_NAME_COLUMNS + wider ? longest :
	    SLOW_NAME_COLUMNS + wider;
}

static void
add_mb(struct buf *b, double mb)
{
	if (!narrow)
		add_number(b, mb, MB_COLUMNS, 3);
}

static void
put_head(void)
{
	struct buf b = {0}, title = {0};
	if (sum.usecase)
		buf_addf(&title, "%s, ", sum.usecase);
	buf_addf(&title, "label %s", sum.labels ? "as named" : sum.v[0].label);
	if (sum.legend)
		buf_addf(&title, "; notebooks by %s", sum.legend);
	put_heading(title.p);
	buf_free(&title);
	text_show_padded(&b, "notebook", name_columns);
	const struct metric *client = &metric_catalogue[summary_time(&sum)];
	char *client_s = xasprintf("%s %s", client->alias, client->unit);
	buf_addf(&b, " %-*s%*s%*s", STATUS_COLUMNS, "status", CELLS_COLUMNS, "cells",
	    CLIENT_COLUMNS, client_s);
	free(client_s);
	add_phases(&b, NULL);
	if (!narrow)
		buf_addf(&b, "%*s", MB_COLUMNS,
		    metric_catalogue[M_client_total_data_received_metric].unit);
	text_put_trimmed(&b);
	buf_free(&b);
}

static void
put_slow_cells(const struct run_summary *n, size_t most)
{
	struct buf b = {0};
	for (size_t i = 0; i < n->slow.n && i < most; i++) {
		const struct slow *c = &n->slow.v[i];
		buf_addf(&b, "    cell %-4ld %10.3f s  ", c->index, c->client_s);
		text_show(&b, c->line, columns - b.n);
		text_put_trimmed(&b);
		summary_interaction_put(n, c->index, columns);
	}
	if (most)
		summary_interaction_put(n, -1, columns);
	buf_free(&b);
}

/* The time of a row: that of a run that failed stays its own. */
static double
time_of(const struct repeated *k)
{
	return k->failed ? sum.v[k->shown].client_s : k->median_s;
}

/* "    median of 5 runs: 1.200 s to 1.500 s; the rest is of run 3, nearest to it" */
static void
put_runs(const struct repeated *k)
{
	struct buf b = {0};
	if (k->n > 1)
		buf_addf(&b, "    %s%zu runs", k->failed ? "" : "median of ", k->n);
	if (k->n > 1 && k->failed)
		buf_addf(&b, ", %zu failed", k->failed);
	if (k->n > 1 && isfinite(k->least_s))
		buf_addf(&b, ": %s to %s; the %s of run %ld%s", unit_time(k->least_s).p,
		    unit_time(k->most_s).p, k->failed ? "row is" : "rest is",
		    sum.v[k->shown].repetition, k->failed ? "" : ", nearest to it");
	if (isfinite(k->speed_index_s))
		buf_addf(&b, "%sSpeed Index %s, from a film", k->n > 1 ? "; " : "    ",
		    unit_time(k->speed_index_s).p);
	text_put_trimmed(&b);
	buf_free(&b);
}

/* A notebook's only run, or its median time with the run that is nearest to it. */
static void
put_notebook(const struct repeated *k, size_t key_bytes, size_t most_cells)
{
	struct buf b = {0};
	const struct run_summary *n = &sum.v[k->shown];
	char *cells = summary_cells_text(n), *name = summary_name(&sum, n, key_bytes);
	enum style s = sum_style(n);
	/* One that does not fit has a line of its own, if it is the only one. */
	if (n_notebooks == 1 && text_columns(name) > name_columns) {
		text_put_wrapped(STYLE_NONE, name, 0, columns);
		*name = '\0';
	}
	text_show_name(&b, name, name_columns);
	free(name);
	buf_addf(&b, " %s", s ? style(s) : "");
	if (n->bad_cells) {
		/* Its status is in it. */
		text_show_padded(&b, cells, STATUS_COLUMNS + CELLS_COLUMNS);
	} else {
		text_show_padded(&b, sum_status(n), STATUS_COLUMNS);
		buf_addf(&b, "%*s", CELLS_COLUMNS, cells);
	}
	free(cells);
	buf_addf(&b, "%s", s ? style(STYLE_NONE) : "");
	add_number(&b, time_of(k), CLIENT_COLUMNS, 3);
	add_phases(&b, &n->spent);
	add_mb(&b, n->received_mb);
	text_put_trimmed(&b);
	if (k->n > 1 || isfinite(k->speed_index_s))
		put_runs(k);
	put_slow_cells(n, most_cells);
	buf_free(&b);
}

static void
put_total(void)
{
	struct buf b = {0};
	double client_s = 0, received_mb = sum.kernel_only ? (double)NAN : 0;
	for (size_t i = 0; i < n_notebooks; i++) {
		const struct run_summary *n = &sum.v[notebooks[i].shown];
		client_s += num_or_0(time_of(&notebooks[i]));
		received_mb += num_or_0(n->received_mb);
	}
	text_show_padded(&b, "all", name_columns + 1 + STATUS_COLUMNS + CELLS_COLUMNS);
	buf_addf(&b, "%*.3f%*s", CLIENT_COLUMNS, client_s, (int)phases_columns, "");
	add_mb(&b, received_mb);
	text_put_trimmed(&b);
	buf_free(&b);
}

static void
put_slowest(void)
{
	struct buf b = {0};
	if (!sum.slow.n)
		return;
	xoutput_line("", 0);
	put_heading(sum.n - sum.films > n_notebooks ?
	    "slowest cells, of the run nearest to each notebook's median" : "slowest cells");
	buf_addf(&b, "%8s s   cell  %-*s longest phase     code",
	    metric_catalogue[summary_time(&sum)].alias, (int)slow_name_columns, "notebook");
	text_put_trimmed(&b);
	size_t key_bytes = summary_key_bytes(&sum, slow_name_columns);
	for (size_t i = 0; i < sum.slow.n; i++) {
		const struct slow *c = &sum.slow.v[i];
		buf_addf(&b, "%10.3f %6ld  ", c->client_s, c->index);
		size_t used = b.n + slow_name_columns + 1 + PHASE_COLUMNS;
		char *name = summary_name(&sum, &sum.v[c->result], key_bytes);
		text_show_name(&b, name, slow_name_columns);
		free(name);
		buf_add(&b, " ", 1);
		add_longest_phase(&b, &c->spent);
		text_show(&b, c->line, columns - used);
		text_put_trimmed(&b);
		if (i < MAX_DIAGNOSES && c->diagnosis)
			text_put_wrapped(STYLE_NONE, c->diagnosis, DIAGNOSIS_INDENT, columns);
	}
	buf_free(&b);
}

/* Prints the time per heading; skipped if there is only one, since its row would repeat the
 * total. */
static void
put_headings(void)
{
	struct heading_times all = {0};
	struct buf b = {0};
	for (size_t i = 0; i < n_notebooks; i++)
		heading_times_add(&all, &sum.v[notebooks[i].shown].headings);
	double whole = heading_times_sum(&all);
	if (all.n > 1) {
		xoutput_line("", 0);
		put_heading("time by heading");
		buf_addf(&b, "%8s s  share  cells  heading",
		    metric_catalogue[summary_time(&sum)].alias);
		text_put_trimmed(&b);
	}
	for (size_t i = 0; all.n > 1 && i < all.n; i++) {
		const struct heading_time *t = &all.v[i];
		buf_addf(&b, "%10.3f %4.0f %% %6zu  ", t->client_s, 100 * t->client_s / whole,
		    t->cells);
		text_show(&b, *t->heading ? t->heading : "(above the first heading)",
		    columns - b.n);
		text_put_trimmed(&b);
	}
	heading_times_free(&all);
	buf_free(&b);
}

static void
read_run_state(struct scan *s)
{
	run_state_add_left_out(left_out, s);
	verdict_read_run_state(&verdict, s);
}

static void
summarise_record(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)in, (void)line, (void)len;
	enum metrics_kind kind = metrics_kind_of(s);
	if (kind == METRICS_CELL)
		summary_cell(&sum, s);
	else if (kind == METRICS_NOTEBOOK)
		summary_notebook(&sum, s);
	else if (kind == METRICS_INTERACTION)
		summary_interaction_read(&sum, s);
	else if (run_state_is_record(s))
		read_run_state(s);
	else if (scan_type_is(s, "machine_noise"))
		machine_line_read(s);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	signal(SIGINT, SIG_IGN);
	left_out = json_object();
	verdict_start(&verdict);
	summary_start(&sum, (size_t)slowest, per_notebook < 0 ? CELLS_EACH : (size_t)per_notebook);
	xscan_files(argv + first, summarise_record);
	summary_finish(&sum);
	notebooks = repeated_find(&sum, &n_notebooks);
	for (size_t i = 0; i < n_notebooks; i++)
		summary_add_slowest(&sum, notebooks[i].shown);
	set_columns();
	sum_put_contention(&sum, columns);
	if (sum.n)
		put_head();
	bool few = n_notebooks <= FEW_NOTEBOOKS;
	size_t key_bytes = n_notebooks > 1 ? summary_key_bytes(&sum, name_columns) : SIZE_MAX;
	for (size_t i = 0; i < n_notebooks; i++)
		put_notebook(&notebooks[i], key_bytes,
		    per_notebook >= 0 ? (size_t)per_notebook : few ? CELLS_EACH : 0);
	if (n_notebooks > 1)
		put_total();
	put_headings();
	put_slowest();
	sum_put_unfinished(&sum, "not completed", false, columns);
	sum_put_unfinished(&sum, "skipped", true, columns);
	sum_put_marks(&sum, columns);
	sum_put_left_out(left_out, columns);
	verdict_finish(&verdict, &sum, notebooks, n_notebooks);
	if (sum.n)
		xoutput_line("", 0);
	machine_line_put(calibration, columns);
	text_put_styled(verdict.ok && sum.n ? STYLE_GOOD : STYLE_BAD, verdict.line);
	if (verdict_to)
		verdict_write(verdict_to, &verdict);
	xoutput_close();
	return !sum.n ? ST_UNKNOWN : verdict.ok ? ST_OK : ST_DIFFERS;
}
