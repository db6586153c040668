/* report_overview.c: the first screen: how long a person waits, where the time goes, which cell is
 * slowest, whether it became worse, and whether the numbers can be trusted. */
#include "report_overview.h"
#include "base/die.h"
#include "base/nbscope.h"
#include "base/num.h"
#include "stats/test_result.h"
#include "html.h"
#include "json/json_value.h"
#include "stats/test_result.h"
#include "report_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REASONS = 5 };

/* Bytes are those of the runs that are shown: a sum over repetitions would say how often a
 * notebook ran. */
struct report_totals
report_totals_of(const struct report *r)
{
	struct report_totals t = {.runs = r->sum.n, .from_t = NAN, .to_t = NAN, .cells = r->n_rows};
	size_t i;
	json_t *o;
	json_array_foreach(r->notebooks, i, o) {
		double wall = json_value_real_at(o, "wall_s"), at = json_value_real_at(o, "t");
		t.wall_s += isfinite(wall) ? wall : 0;
		t.from_t = t.from_t <= at ? t.from_t : at;
		t.to_t = t.to_t >= at ? t.to_t : at;
	}
	for (i = 0; i < r->n_books; i++) {
		const struct run_summary *v = &r->sum.v[r->book[i].shown];
		t.client_s += isfinite(v->client_s) ? v->client_s : 0;
		t.mb += isfinite(v->received_mb) ? v->received_mb : 0;
		t.failed += r->book[i].failed;
	}
	for (i = 0; i < r->n_books; i++)
		t.runs -= r->book[i].film != NO_FILM && r->book[i].film != r->book[i].shown;
	return t;
}

void
report_title(struct buf *b, const struct report *r)
{
	if (r->title) {
		html_text(b, r->title);
		return;
	}
	html_text(b, r->sum.usecase ? r->sum.usecase : "notebooks");
	if (r->sum.n && !r->sum.labels && *r->sum.v[0].label) {
		buf_addf(b, ", ");
		html_text(b, r->sum.v[0].label);
	}
}

/* ---- badges ------------------------------------------------------------------------- */

static const json_t *
last_comparison(const struct report *r)
{
	return json_array_get(r->compared, json_array_size(r->compared) - 1);
}

/* One badge for all warnings on contention: a machine is called quiet only without any. */
static void
put_trust_badge(struct buf *b, const struct report *r)
{
	const struct contention *c = &r->sum.contention;
	size_t busy = c->waited[WAIT_OTHERS].cells, own = c->waited[WAIT_OWN].cells;
	if (!c->cells)
		return;
	if (contention_matters(c, WAIT_OTHERS))
		buf_addf(b, " <span class=\"badge bad\"><a href=\"#trust\">busy machine: %zu of "
		    "%zu cells</a></span>", busy, c->cells);
	else if (contention_matters(c, WAIT_UNKNOWN))
		buf_addf(b, " <span class=\"badge bad\"><a href=\"#trust\">busy processors, cause "
		    "unknown: %zu of %zu cells</a></span>", c->waited[WAIT_UNKNOWN].cells,
		    c->cells);
	else if (contention_matters(c, WAIT_OWN))
		buf_addf(b, " <span class=\"badge\"><a href=\"#trust\">%s other processes; kernel "
		    "and browser compete: %zu of %zu cells</a></span>", busy ? "few" : "no", own,
		    c->cells);
	else if (r->load_known)
		buf_addf(b, " <span class=\"badge good\">quiet machine</span>");
}

void
report_verdict(struct buf *b, const struct report *r)
{
	const json_t *c = last_comparison(r);
	struct report_totals t = report_totals_of(r);
	if (!r->sum.n)
		buf_addf(b, "<span class=\"badge bad\">no runs</span>");
	else if (t.failed)
		buf_addf(b, "<span class=\"badge bad\">%zu of %zu runs failed</span>", t.failed,
		    t.runs);
	else
		buf_addf(b, "<span class=\"badge good\">all completed</span>");
	put_trust_badge(b, r);
	if (c) {
		const char *word = html_member(c, "verdict");
		enum test_result verdict = test_result_of(word);
		buf_addf(b, " <span class=\"badge %s\">", verdict == WORSE ? "bad"
		    : verdict == UNKNOWN ? "" : "good");
		html_text(b, verdict == NO_WORSE ? "no worse" : word);
		if (verdict == UNKNOWN)
			buf_addf(b, ": cannot tell whether worse");
		buf_addf(b, " than ");
		html_text(b, html_member(c, "base"));
		buf_addf(b, "</span>");
	}
}

/* ---- three numbers -------------------------------------------------------------------- */

static char *
amount_text(double seconds)
{
	struct buf b = {0};
	html_amount(&b, seconds, "t_s");
	return b.p;
}

/* How long a person waits in one notebook. */
static void
put_wait(struct buf *b, const struct report *r)
{
	double *v = xmalloc((r->n_books + 1) * sizeof *v), longest_s = -1;
	const struct book *longest = NULL;
	size_t n = 0;
	for (size_t i = 0; i < r->n_books; i++) {
		double s = r->sum.v[r->book[i].shown].client_s;
		if (!isfinite(s))
			continue;
		v[n++] = s;
		if (s > longest_s) {
			longest_s = s;
			longest = &r->book[i];
		}
	}
	qsort(v, n, sizeof *v, num_compare);
	double median = !n ? NAN : n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
	const struct book *k = &r->book[0];
	char *text = amount_text(median), *least = amount_text(n ? v[0] : NAN),
	    *most = amount_text(n ? v[n - 1] : NAN);
	html_number(b, r->sum.kernel_only ? "The kernel takes" : "A person waits", text);
	if (n > 1) {
		buf_addf(b, "<p>median of %zu notebooks, %s to %s</p><p>Longest: ", n, least, most);
		report_book_link(b, r, longest, 0, NULL);
		buf_addf(b, "</p></div>");
	} else if (n && r->n_books == 1 && k->n > 1 && isfinite(k->least_s))
		buf_addf(b, "<p>in the median of %zu runs, %.3f to %.3f s</p></div>", k->n,
		    k->least_s, k->most_s);
	else
		buf_addf(b, "<p>for all cells of the notebook</p></div>");
	free(v);
	free(text);
	free(least);
	free(most);
}

/* Where the time goes: the longest phase, and all of them. */
static void
put_where(struct buf *b, const struct report *r)
{
	double client_s;
	size_t n;
	enum phase longest = PHASE_DISPATCH;
	struct spent all = report_spent_of_all(r, &client_s, &n);
	double sum = phase_sum_s(&all, r->apart), whole = fmax(sum, client_s);
	for (enum phase k = 0; k < N_PHASES; k++)
		if (phase_is_shown(k, r->apart) && all.s[k] > all.s[longest])
			longest = k;
	char *share = sum > 0 ? xasprintf("%.0f %%", 100 * all.s[longest] / whole) :
	    xstrdup("unknown");
	char *what = sum > 0 ? xasprintf("Most of it: %s", phase_defs[longest].name) :
	    xstrdup("Where it goes");
	html_number(b, what, share);
	if (sum > 0) {
		report_bar(b, r, &all, client_s, 0, whole);
		buf_addf(b, "<ul class=\"legend\">");
		for (enum phase k = 0; k < N_PHASES; k++)
			if (phase_is_shown(k, r->apart) && all.s[k] >= 0.005 * whole)
				buf_addf(b, "<li><span><i class=\"%s\"></i>%s %.0f %%</span></li> ",
				    phase_defs[k].name, phase_defs[k].name,
				    100 * all.s[k] / whole);
		buf_addf(b, "</ul>");
	}
	buf_addf(b, "</div>");
	free(what);
	free(share);
}

static void
put_worst(struct buf *b, const struct report *r)
{
	size_t *at = report_by_time(r);
	const struct cell_row *row = r->n_rows ? &r->row[at[0]] : NULL;
	const struct report_cell *c = row ? &r->cells[row->shown] : NULL;
	bool known = c && c->client_s > 0;
	char *text = amount_text(known ? c->client_s : NAN);
	html_number(b, "Slowest cell", text);
	if (known) {
		double all = r->sum.v[c->result].client_s;
		buf_addf(b, "<p>");
		report_book_link(b, r, &r->book[row->book], c->index, NULL);
		buf_addf(b, ", cell&nbsp;%ld", c->index);
		if (all > 0)
			buf_addf(b, ": %.0f&nbsp;%% of its notebook", 100 * c->client_s / all);
		buf_addf(b, "</p><p class=\"line\"><code>");
		html_text(b, c->line);
		buf_addf(b, "</code></p>");
	}
	buf_addf(b, "</div>");
	free(text);
	free(at);
}

/* ---- is it worse, and can it be trusted ---------------------------------------------------- */

static void
put_contention(struct buf *b, const struct report *r)
{
	for (int cause = WAIT_OTHERS; cause < WAIT_CAUSES; cause++) {
		char *text = contention_text(&r->sum.contention, (enum wait_cause)cause);
		if (text) {
			buf_addf(b, "<p class=\"warning\">");
			html_text(b, text);
			buf_addf(b, "</p>\n");
		}
		free(text);
	}
}

/* The change of a notebook's client time, where it is one notebook; the mean of all cells. */
static void
put_compared(struct buf *b, const struct report *r)
{
	const json_t *c = last_comparison(r);
	static const char verdict[] = "verdict: ";
	size_t i;
	json_t *o, *time = NULL;
	if (!c)
		return;
	json_array_foreach(r->comparison, i, o)
		if (r->n_books == 1 && !json_is_integer(json_object_get(o, "cell_index")) &&
		    strcmp(html_member(o, "metric"), "client_execution_time_metric") == 0)
			time = o;
	const char *line = html_member(c, "line");
	line += strncmp(line, verdict, strlen(verdict)) == 0 ? strlen(verdict) : 0;
	buf_addf(b, "<p class=\"compared\"><b>Compared with ");
	html_text(b, html_member(c, "base"));
	buf_addf(b, "</b>: ");
	if (time) {
		buf_addf(b, "client time ");
		html_text(b, html_member(time, "change"));
		buf_addf(b, "; ");
	}
	html_text(b, line);
	buf_addf(b, ". <a href=\"#comparison\">Each cell</a></p>\n");
}

static void
put_trust(struct buf *b, const struct report *r)
{
	const struct contention *c = &r->sum.contention;
	if (!c->cells)
		return;
	buf_addf(b, "<p id=\"trust\"><b>Can the numbers be trusted?</b> ");
	if (c->waited[WAIT_OTHERS].cells)
		buf_addf(b, "Other processes disturbed %zu of %zu cells. ",
		    c->waited[WAIT_OTHERS].cells, c->cells);
	else if (r->load_known)
		buf_addf(b, "No other process disturbed the cells. ");
	else
		buf_addf(b, "Whether other processes disturbed the cells is unknown. ");
	if (r->most_runs > 1)
		buf_addf(b, "Times are of up to %zu runs of each notebook. ", r->most_runs);
	else
		buf_addf(b, "Each cell ran once, so the variation of its time is unknown "
		    "(<code>REPEAT=5</code>). ");
	buf_addf(b, json_array_size(r->truth) ? "The errors of the metrics on this machine are "
	    "<a href=\"#calibration\">known</a>." : "The errors of the metrics on this machine are "
	    "not known (<code>make calibrate</code>).");
	buf_addf(b, "</p>\n");
}

/* Stale and damaged runs, which the metrics do not include. */
static void
put_excluded(struct buf *b, const struct report *r)
{
	const char *reason;
	json_t *n;
	size_t shown = 0;
	json_object_foreach(r->excluded, reason, n) {
		if (shown++ >= MAX_REASONS)
			continue;
		buf_addf(b, shown == 1 ? "<p>Runs on disk that are not included: " : "; ");
		buf_addf(b, "%ld ", (long)json_integer_value(n));
		html_text(b, reason);
	}
	if (shown > MAX_REASONS)
		buf_addf(b, "; %zu other reasons", shown - MAX_REASONS);
	if (shown)
		buf_addf(b, ".</p>\n");
}

static void
put_lead(struct buf *b, const struct report *r)
{
	struct report_totals t = report_totals_of(r);
	buf_addf(b, "<p class=\"lead\">");
	html_count(b, r->n_books, "notebook");
	buf_addf(b, ", ");
	if (t.runs != r->n_books) {
		html_count(b, t.runs, "run");
		buf_addf(b, ", ");
	}
	html_count(b, t.cells, "cell");
	buf_addf(b, ", ");
	html_amount(b, t.client_s, "t_s");
	buf_addf(b, " of %s%s", metric_catalogue[summary_time(&r->sum)].title,
	    r->repeated ? " (median runs)" : "");
	if (t.wall_s > 0) {
		buf_addf(b, " in ");
		html_amount(b, t.wall_s, "t_s");
		buf_addf(b, " of run time");
	}
	if (t.mb > 0) {
		buf_addf(b, ", ");
		html_amount(b, t.mb * 1e6, "n_bytes");
		buf_addf(b, " received by the browser%s", r->repeated ? " (median runs)" : "");
	}
	buf_addf(b, t.failed ? "; " : "; all completed.");
	if (t.failed)
		buf_addf(b, "%zu of %zu runs failed.", t.failed, t.runs);
	buf_addf(b, "</p>\n<p>Measured ");
	html_day(b, t.from_t);
	if (t.to_t - t.from_t >= 60) {
		buf_addf(b, " to ");
		html_day(b, t.to_t);
	}
	buf_addf(b, "%s.</p>\n", r->repeated
	    ? ". Each row of a table shows the run with the median time of its repetitions (of "
	    "two, the faster); a cell that failed in any repetition is shown as failed" : "");
}

void
report_overview(struct buf *b, const struct report *r)
{
	if (r->n_rows) {
		buf_addf(b, "<div class=\"numbers\">");
		put_wait(b, r);
		put_where(b, r);
		put_worst(b, r);
		buf_addf(b, "</div>\n");
	}
	put_contention(b, r);
	put_compared(b, r);
	put_trust(b, r);
	put_lead(b, r);
	put_excluded(b, r);
}
