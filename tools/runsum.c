/* runsum: what a person reads when a profile is done.
 * Reads cell_metrics and notebook_metrics; writes a table of the notebooks, the
 * slowest cells, what failed, and the verdict as its last line and its status. */
#include "base/atomic_file.h"
#include "metric/summary.h"
#include "text/text.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 100, NAME_COLUMNS = 28, STATUS_COLUMNS = 12, SLOW_NAME_COLUMNS = 21, MOSTLY_COLUMNS = 18 };
enum { TOLD_COLUMNS = 80, FEW_NOTEBOOKS = 10, MOST_FAILURES = 20, MOST_ADVICE = 5, ADVICE_INDENT = 12, FAILURE_INDENT = 6, MOST_LINES = 4 };

static long slowest = 10, per_notebook = -1;
static const char *verdict_to;
static const struct opt opts[] = {
	{'s', "slowest", OPT_INT, &slowest, 0, 1000, "N", "how many of all cells to list, default 10"},
	{'p', "per-notebook", OPT_INT, &per_notebook, 0, 1000, "N", "how many of each notebook, default 3 (0 beyond 10 notebooks)"},
	{'v', "verdict", OPT_STRING, &verdict_to, 0, 0, "FILE", "write the verdict as JSON too"},
	{0},
};
static const struct opt_usage usage = {"runsum", "[options] [FILE...]",
	"Summarises metrics for people; the last line is the verdict.", opts};

static struct summary sum;
static json_t *missing;	/* names of required runs that are not current */
static json_t *left_out;	/* {reason: number of runs} */
static bool split;	/* queue and delivery are known of every notebook */

/* ---- pieces ----------------------------------------------------------------------- */

static void
put_plain(const char *text)
{
	xoutput_line(text, strlen(text));
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

static void
add_shares(struct buf *b, const struct spent *s)
{
	double all = spent_all(s);
	double part[] = {split ? s->wait : s->wait_delivery, s->kernel, split ? s->delivery : 0, s->render};
	static const int width[] = {6, 9, 10, 7};
	for (size_t i = 0; i < COUNT(part); i++)
		if (split || i != 2)
			add_number(b, all > 0 ? 100 * part[i] / all : (double)NAN, !split && i == 0 ? 14 : width[i], 0);
}

/* "kernel 80 %": where most of a cell's time went. */
static void
add_mostly(struct buf *b, const struct spent *s)
{
	const struct { const char *word; double s; } part[] = {
		{"kernel", s->kernel}, {"drawing", s->render}, {"waiting", s->wait}, {"delivery", s->delivery},
		{"wait+deliver", isfinite(s->wait) ? (double)NAN : s->wait_delivery},
	};
	size_t most = 0;
	for (size_t i = 1; i < COUNT(part); i++)
		if (isfinite(part[i].s) && !(part[i].s <= part[most].s))
			most = i;
	double all = spent_all(s);
	char text[40] = "-";
	if (all > 0)
		snprintf(text, sizeof text, "%s %.0f %%", part[most].word, 100 * part[most].s / all);
	text_show_padded(b, text, MOSTLY_COLUMNS);
}

/* ---- sections ----------------------------------------------------------------------- */

static void
put_head(void)
{
	struct buf b = {0}, title = {0};
	if (sum.usecase)
		buf_addf(&title, "%s, ", sum.usecase);
	buf_addf(&title, "label %s", sum.labels ? "as named" : sum.v[0].label);
	if (sum.legend)
		buf_addf(&title, "; notebooks by %s", sum.legend);
	text_show(&b, title.p, COLUMNS);
	text_put_trimmed(&b);
	buf_free(&title);
	text_show_padded(&b, "notebook", NAME_COLUMNS);
	buf_addf(&b, " %-*s%8s%10s%s%9s", STATUS_COLUMNS, "status", "cells", "client s",
	    split ? " wait%  kernel%  deliver%  draw%" : " wait+deliver%  kernel%  draw%", "MB");
	text_put_trimmed(&b);
	buf_free(&b);
}

static void
put_slow_of(const struct result *n)
{
	struct buf b = {0};
	for (size_t i = 0; i < n->slow.n; i++) {
		const struct slow *c = &n->slow.v[i];
		buf_addf(&b, "    cell %-4ld %10.3f s  ", c->index, c->client_s);
		text_show(&b, c->line, COLUMNS - b.n);
		text_put_trimmed(&b);
	}
	buf_free(&b);
}

static void
put_notebook(const struct result *n)
{
	struct buf b = {0};
	char cells[48];
	snprintf(cells, sizeof cells, "%ld/%ld", n->executed, n->total);
	text_show_name(&b, n->shown, NAME_COLUMNS);
	buf_add(&b, " ", 1);
	text_show_padded(&b, n->status, STATUS_COLUMNS);
	buf_addf(&b, "%8s", cells);
	add_number(&b, n->client_s, 10, 3);
	add_shares(&b, &n->spent);
	add_number(&b, n->received_mb, 9, 3);
	text_put_trimmed(&b);
	put_slow_of(n);
	buf_free(&b);
}

static void
put_total(void)
{
	struct buf b = {0};
	double client_s = 0, received_mb = 0;
	for (size_t i = 0; i < sum.n; i++) {
		client_s += isfinite(sum.v[i].client_s) ? sum.v[i].client_s : 0;
		received_mb += isfinite(sum.v[i].received_mb) ? sum.v[i].received_mb : 0;
	}
	text_show_padded(&b, "all", NAME_COLUMNS + 1 + STATUS_COLUMNS + 8);
	buf_addf(&b, "%10.3f%*s%9.3f", client_s, split ? 32 : 30, "", received_mb);
	text_put_trimmed(&b);
	buf_free(&b);
}

static void
put_slowest(void)
{
	struct buf b = {0};
	if (!sum.slow.n)
		return;
	put_plain("");
	put_plain("slowest cells");
	put_plain("  client s   cell  notebook              where             first line");
	for (size_t i = 0; i < sum.slow.n; i++) {
		const struct slow *c = &sum.slow.v[i];
		buf_addf(&b, "%10.3f %6ld  ", c->client_s, c->index);
		size_t used = b.n + SLOW_NAME_COLUMNS + 1 + MOSTLY_COLUMNS;
		text_show_name(&b, sum.v[c->result].shown ? sum.v[c->result].shown : "?", SLOW_NAME_COLUMNS);
		buf_add(&b, " ", 1);
		add_mostly(&b, &c->spent);
		text_show(&b, c->line, COLUMNS - used);
		text_put_trimmed(&b);
		if (i < MOST_ADVICE && c->diagnosis)
			text_put_wrapped(c->diagnosis, ADVICE_INDENT, COLUMNS, MOST_LINES);
	}
	buf_free(&b);
}

/* "Failed in cell 3: ValueError: wrong" */
static void
put_failure(const struct result *n)
{
	struct buf t = {0};
	buf_addf(&t, "%s", n->status);
	if (n->failed_cell)
		buf_addf(&t, " in cell %ld", n->failed_cell);
	if (n->why)
		buf_addf(&t, ": %s", n->why);
	text_put_wrapped(t.p, FAILURE_INDENT, COLUMNS, MOST_LINES);
	buf_free(&t);
}

/* All notebooks that were not completed: those that failed, or those skipped. */
static void
put_others(const char *title, bool skipped)
{
	struct buf b = {0};
	size_t shown = 0, all = skipped ? sum.skipped : sum.failed;
	if (!all)
		return;
	put_plain("");
	put_plain(title);
	for (size_t i = 0; i < sum.n && shown < MOST_FAILURES; i++) {
		const struct result *n = &sum.v[i];
		if (skipped ? !is_skipped(n) : !is_failed(n))
			continue;
		shown++;
		buf_addf(&b, "  ");
		text_show(&b, n->told, COLUMNS - 2);
		text_put_trimmed(&b);
		put_failure(n);
	}
	if (shown < all) {
		buf_addf(&b, "  and %zu more", all - shown);
		text_put_trimmed(&b);
	}
	buf_free(&b);
}

static void
put_notes(void)
{
	struct buf b = {0};
	const char *word;
	json_t *count;
	if (json_object_size(sum.marks)) {
		put_plain("");
		buf_addf(&b, "doubts, and in how many notebooks (see nbscope-records(7)):");
		json_object_foreach(sum.marks, word, count)
			buf_addf(&b, " %s %" JSON_INTEGER_FORMAT, word, json_integer_value(count));
		struct buf line = {0};
		text_show(&line, b.p, COLUMNS);
		text_put_trimmed(&line);
		buf_free(&line);
	}
	b.n = 0;
	if (json_object_size(left_out)) {
		json_int_t n = 0;
		json_object_foreach(left_out, word, count)
			n += json_integer_value(count);
		buf_addf(&b, "%" JSON_INTEGER_FORMAT " stale run%s left out:", n, n == 1 ? " is" : "s are");
		json_object_foreach(left_out, word, count)
			buf_addf(&b, " %s (%" JSON_INTEGER_FORMAT ")", word, json_integer_value(count));
		text_put_trimmed(&b);
		b.n = 0;
	}
	if (json_object_size(sum.versions) > 1) {
		buf_addf(&b, "made by different versions of nbscope:");
		json_object_foreach(sum.versions, word, count)
			buf_addf(&b, " %s (%" JSON_INTEGER_FORMAT ")", word, json_integer_value(count));
		text_put_trimmed(&b);
	}
	buf_free(&b);
}

/* ---- the verdict ---------------------------------------------------------------------- */

static const char *
plural(long n)
{
	return n == 1 ? "" : "s";
}

/* A required run that is not current could not be made; one that is not required and not
 * current is of another time, and its records are not among these. */
static void
on_run_state(struct scan *s)
{
	char *state = scan_string(s, "state"), *run = scan_string(s, "run");
	if (state && run && strcmp(state, "current") != 0) {
		const char *slash = strrchr(run, '/'), *name = slash ? slash + 1 : run;
		size_t n = strlen(name);
		if (span_is(scan_get(s, "required"), "true"))
			json_array_append_new(missing, json_stringn(name, n > 6 && strcmp(name + n - 6, ".jsonl") == 0 ? n - 6 : n));
		if (strcmp(state, "rerun") != 0 && strcmp(state, "missing") != 0) {
			char *reason = scan_string(s, "reason");
			const char *why = reason ? reason : state;
			json_int_t before = json_integer_value(json_object_get(left_out, why));
			json_object_set_new(left_out, why, json_integer(before + 1));
			free(reason);
		}
	}
	free(state);
	free(run);
}

static void
add_missing(struct buf *b)
{
	size_t n = json_array_size(missing);
	if (!n)
		return;
	buf_addf(b, "; %zu run%s could not be made: ", n, plural((long)n));
	text_show(b, json_string_value(json_array_get(missing, 0)), TOLD_COLUMNS);
	if (n > 1)
		buf_addf(b, " and %zu more", n - 1);
}

static char *
verdict_line(void)
{
	struct buf b = {0};
	long profiled = (long)(sum.n - sum.skipped);
	if (!sum.n) {
		buf_addf(&b, "verdict: no notebook was profiled");
	} else if (!sum.failed) {
		buf_addf(&b, "verdict: %ld notebook%s profiled, %ld cell%s, all completed", profiled, plural(profiled), sum.cells, plural(sum.cells));
		if (sum.skipped)
			buf_addf(&b, "; %zu skipped", sum.skipped);
	} else {
		const struct result *n = sum.v;
		while (!is_failed(n))
			n++;
		buf_addf(&b, "verdict: %zu of %zu notebook%s failed: ", sum.failed, sum.n, plural((long)sum.n));
		text_show(&b, n->told, TOLD_COLUMNS);
		if (n->failed_cell)
			buf_addf(&b, " cell %ld", n->failed_cell);
		buf_addf(&b, " (");
		text_show(&b, n->why ? n->why : n->status, TOLD_COLUMNS);
		buf_addf(&b, ")");
		if (sum.failed > 1)
			buf_addf(&b, " and %zu more", sum.failed - 1);
	}
	add_missing(&b);
	return b.p;
}

static bool
is_well(void)
{
	return !sum.failed && !json_array_size(missing);
}

static void
put_verdict(FILE *f, void *line)
{
	json_t *failures = json_array(), *skips = json_array();
	for (size_t i = 0; i < sum.n; i++)
		if (is_failed(&sum.v[i]) || is_skipped(&sum.v[i]))
			json_array_append_new(is_failed(&sum.v[i]) ? failures : skips, result_json(&sum.v[i]));
	json_t *v = json_pack("{s:s, s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:O}",
	    "verdict", !sum.n ? "nothing" : is_well() ? "ok" : "failed", "line", line, "t", json_value_t(clock_unix_s()),
	    "notebooks", (json_int_t)sum.n, "completed", (json_int_t)(sum.n - sum.failed - sum.skipped),
	    "failed", (json_int_t)sum.failed, "skipped", (json_int_t)sum.skipped, "cells", (json_int_t)sum.cells,
	    "failures", failures, "skips", skips, "missing", missing);
	if (!v)
		die(ST_SYSTEM, "out of memory");
	char *text = json_text_of(v);
	fprintf(f, "%s\n", text);
	free(text);
	json_decref(v);
}

static void
take(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)in, (void)line, (void)len;
	if (scan_type_is(s, "cell_metrics"))
		summary_cell(&sum, s);
	else if (scan_type_is(s, "notebook_metrics"))
		summary_notebook(&sum, s);
	else if (scan_type_is(s, "run_state"))
		on_run_state(s);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	signal(SIGINT, SIG_IGN);
	missing = json_array();
	left_out = json_object();
	summary_start(&sum, (size_t)slowest, per_notebook < 0 ? 3 : (size_t)per_notebook);
	xscan_files(argv + first, take);
	summary_finish(&sum);
	split = sum.apart;
	if (sum.n)
		put_head();
	for (size_t i = 0; i < sum.n; i++) {
		if (per_notebook < 0 && sum.n > FEW_NOTEBOOKS)
			sum.v[i].slow.n = 0;
		put_notebook(&sum.v[i]);
	}
	if (sum.n > 1)
		put_total();
	put_slowest();
	put_others("not completed", false);
	put_others("skipped", true);
	put_notes();
	char *line = verdict_line();
	if (sum.n)
		put_plain("");
	put_plain(line);
	if (verdict_to)
		xatomic_file_write(verdict_to, put_verdict, line);
	xoutput_close();
	return !sum.n ? ST_UNKNOWN : is_well() ? ST_OK : ST_DIFFERS;
}
