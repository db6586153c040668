/* report_about.c: what was measured, where and how, in words. */
#include "base/clock.h"
#include "base/nbscope.h"
#include "base/die.h"
#include "json/json_value.h"
#include "stats/test_result.h"
#include "html.h"
#include "report_about.h"
#include "report_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIAGNOSES = 8, MOST_EXAMINED = 2000, MOST_REASONS = 5 };

static const json_t *
first_notebook(const struct report *r)
{
	return json_array_get(r->notebooks, 0);
}

struct totals {
	double client_s, wall_s, from_t, to_t, mb;
	size_t cells, runs, failed, failed_cells;
};

static struct totals
totals_of(const struct report *r)
{
	struct totals t = {.runs = r->sum.n - r->sum.films, .from_t = NAN, .to_t = NAN};
	size_t i;
	json_t *o;
	json_array_foreach(r->notebooks, i, o) {
		double wall = json_value_real_at(o, metric_catalogue[M_wall_s].column);
		double at = json_value_real_at(o, metric_catalogue[M_run_t].column);
		double mb = json_value_real_at(o,
		    metric_catalogue[M_client_total_data_received_metric].column);
		t.wall_s += isfinite(wall) ? wall : 0;
		t.mb += isfinite(mb) ? mb : 0;
		t.from_t = t.from_t <= at ? t.from_t : at;
		t.to_t = t.to_t >= at ? t.to_t : at;
	}
	for (i = 0; i < r->n_books; i++) {
		double client = r->sum.v[r->book[i].shown].client_s;
		t.client_s += isfinite(client) ? client : 0;
	}
	t.failed = r->sum.failed;
	t.cells = r->n_rows;
	for (i = 0; i < r->n_rows; i++)
		t.failed_cells += r->row[i].failed;
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

void
report_verdict(struct buf *b, const struct report *r)
{
	json_t *c = json_array_get(r->compared, json_array_size(r->compared) - 1);
	if (!r->sum.n)
		buf_addf(b, "<span class=\"badge bad\">no runs</span>");
	else if (r->sum.failed)
		buf_addf(b, "<span class=\"badge bad\">%zu of %zu runs failed</span>",
		    r->sum.failed, r->sum.n);
	else
		buf_addf(b, "<span class=\"badge good\">all completed</span>");
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

/* Stale and damaged runs, which the metrics do not include. */
static void
put_excluded(struct buf *b, const struct report *r)
{
	const char *reason;
	json_t *n;
	size_t shown = 0;
	json_object_foreach(r->excluded, reason, n) {
		if (shown++ >= MOST_REASONS)
			continue;
		buf_addf(b, shown == 1 ? "<p>Runs on disk that are not included: " : "; ");
		buf_addf(b, "%ld ", (long)json_integer_value(n));
		html_text(b, reason);
	}
	if (shown > MOST_REASONS)
		buf_addf(b, "; %zu other reasons", shown - MOST_REASONS);
	if (shown)
		buf_addf(b, ".</p>\n");
}

void
report_overview(struct buf *b, const struct report *r)
{
	struct totals t = totals_of(r);
	put_contention(b, r);
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
	buf_addf(b, r->repeated ? " of client time (median runs)" : " of client time");
	if (t.wall_s > 0) {
		buf_addf(b, " in ");
		html_amount(b, t.wall_s, "t_s");
		buf_addf(b, " of run time");
	}
	if (t.mb > 0) {
		buf_addf(b, ", ");
		html_amount(b, t.mb * 1e6, "n_bytes");
		buf_addf(b, " received by the browser");
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
	put_excluded(b, r);
}

/* How many other rows of the same cell have a diagnosis: in a sweep, they are nearly the same.
 * SIZE_MAX: a slower one was shown already. */
static size_t
count_same_cell(const struct report *r, const size_t *at, size_t from)
{
	const struct report_cell *c = &r->cells[r->row[at[from]].shown];
	size_t n = 0;
	for (size_t i = 0; i < r->n_rows; i++) {
		const struct report_cell *d = &r->cells[r->row[at[i]].shown];
		if (i == from || d->index != c->index || !d->diagnosis ||
		    strcmp(d->id ? d->id : "", c->id ? c->id : "") != 0)
			continue;
		if (i < from)
			return SIZE_MAX;
		n++;
	}
	return n;
}

/* The diagnoses of the slowest cells, each cell once. */
void
report_diagnosis(struct buf *b, const struct report *r)
{
	size_t *at = report_by_time(r), n = 0, examined = 0;
	for (size_t i = 0; i < r->n_rows && n < MOST_DIAGNOSES && examined < MOST_EXAMINED; i++) {
		const struct cell_row *row = &r->row[at[i]];
		const struct report_cell *c = &r->cells[row->shown];
		if (!c->diagnosis)
			continue;
		examined++;
		size_t others = count_same_cell(r, at, i);
		if (others == SIZE_MAX)
			continue;
		buf_addf(b, "%s<li>", n++ ? "" : "<ul class=\"diagnosis\">\n");
		report_book_link(b, r, &r->book[row->book], c->index, NULL);
		buf_addf(b, ", cell&nbsp;%ld <code>", c->index);
		html_text(b, c->line);
		buf_addf(b, "</code>: ");
		html_amount(b, c->client_s, "t_s");
		buf_addf(b, "; ");
		html_text(b, c->diagnosis);
		if (others)
			buf_addf(b, " (this cell also has a diagnosis in %zu other notebook%s, "
			    "where it is faster)", others, others == 1 ? "" : "s");
		buf_addf(b, "</li>\n");
	}
	buf_addf(b, n ? "</ul>\n"
	    : "<p>None: no rule of nbscope-metrics(7) applies to any cell.</p>\n");
	free(at);
}

/* ---- where -------------------------------------------------------------------------- */

static void
put_fact(struct buf *b, const char *name, const char *value)
{
	buf_addf(b, "<tr><th scope=\"row\">%s</th>", name);
	html_td_text(b, *value ? value : "unknown", NULL);
	buf_addf(b, "</tr>\n");
}

/* Whether the runs differ in this member. */
static bool
is_mixed(const struct report *r, const char *key)
{
	size_t i;
	json_t *o;
	json_array_foreach(r->notebooks, i, o)
		if (!json_equal(json_object_get(o, key), json_object_get(first_notebook(r), key)))
			return true;
	return false;
}

static void
put_packages(struct buf *b, const struct report *r)
{
	json_t *e = json_array_get(r->environment, 0), *packages = json_object_get(e, "packages"),
	    *v;
	static const char *const columns[] = {"package", "version", NULL};
	const char *name;
	if (!json_object_size(packages)) {
		buf_addf(b, "<p>The packages of the kernel's environment are unknown%s",
		    *html_member(e, "reason") ? ": " : "");
		html_text(b, html_member(e, "reason"));
		buf_addf(b, ".</p>\n");
		return;
	}
	buf_addf(b, "<details><summary>%zu packages, Python ", json_object_size(packages));
	html_text(b, html_member(e, "python"));
	buf_addf(b, "</summary>\n");
	html_table(b, "plain packages", "Python packages of the kernel's environment", columns);
	json_object_foreach(packages, name, v) {
		buf_addf(b, "<tr><th scope=\"row\">");
		html_text(b, name);
		buf_addf(b, "</th>");
		html_td_text(b, json_string_value(v), NULL);
		buf_addf(b, "</tr>\n");
	}
	html_table_end(b);
	buf_addf(b, "</details>\n");
}

static void
build_environment(struct buf *b, const struct report *r)
{
	static const char *const columns[] = {"property", "value", NULL};
	static const char *const facts[][2] =
	    {{"browser", "browser"}, {"window", "window"}, {"JupyterLab", "jupyterlab"},
	    {"kernel", "kernel"},
		{"language", "language"}, {"nbscope", "nbscope_version"}};
	const json_t *n = first_notebook(r), *m = json_object_get(n, "machine");
	struct buf t = {0};
	if (!n) {
		buf_addf(b, "<p>No runs.</p>\n");
		return;
	}
	html_table(b, "plain", "Machine and software", columns);
	put_fact(b, "system", html_member(m, "os"));
	if (isfinite(json_value_real_at(m, "cores"))) {
		buf_addf(&t, "%.0f, ", json_value_real_at(m, "cores"));
		html_amount(&t, json_value_real_at(m, "memory_bytes"), "n_bytes");
		put_fact(b, "processors, memory", t.p);
		buf_free(&t);
	}
	put_fact(b, "host", html_member(m, "host"));
	for (size_t i = 0; i < COUNT(facts); i++) {
		char *value = is_mixed(r, facts[i][1])
		    ? xasprintf("%s, and others: the runs differ", html_member(n, facts[i][1]))
		    : xstrdup(html_member(n, facts[i][1]));
		put_fact(b, facts[i][0], value);
		free(value);
	}
	if (is_mixed(r, "machine"))
		put_fact(b, "warning", "the runs are from different machines");
	html_table_end(b);
	put_packages(b, r);
}

/* The same on every page, and it reads all runs: built once. */
void
report_environment(struct buf *b, const struct report *r)
{
	static struct buf made;
	if (!made.n)
		build_environment(&made, r);
	buf_add(b, made.p, made.n);
}

/* ---- how ---------------------------------------------------------------------------- */

static double
worst_cell_value(const struct report *r, size_t member)
{
	double worst = NAN;
	for (size_t i = 0; i < r->n_cells; i++) {
		double x = member ? r->cells[i].script_s : r->cells[i].bound_s;
		worst = worst >= x ? worst : isfinite(x) ? x : worst;
	}
	return worst;
}

/* "an unknown browser" */
static void
put_member_or(struct buf *b, const json_t *o, const char *key, const char *otherwise)
{
	const char *text = html_member(o, key);
	html_text(b, *text ? text : otherwise);
}

static void
put_machine(struct buf *b, const json_t *m)
{
	double cores = json_value_real_at(m, "cores");
	if (!isfinite(cores)) {
		buf_addf(b, "an unknown machine");
		return;
	}
	buf_addf(b, "a machine with %.0f processors and ", cores);
	html_amount(b, json_value_real_at(m, "memory_bytes"), "n_bytes");
	buf_addf(b, " of memory (");
	put_member_or(b, m, "os", "unknown system");
	buf_addf(b, ")");
}

void
report_method_text(struct buf *b, const struct report *r)
{
	struct totals t = totals_of(r);
	const json_t *n = first_notebook(r);
	buf_addf(b, "Notebooks were run with nbscope ");
	put_member_or(b, n, "nbscope_version", "of unknown version");
	buf_addf(b, " in JupyterLab ");
	put_member_or(b, n, "jupyterlab", "of unknown version");
	buf_addf(b, " in a real browser (");
	put_member_or(b, n, "browser", "unknown");
	buf_addf(b, ", window of ");
	put_member_or(b, n, "window", "unknown");
	buf_addf(b, " pixels) on ");
	put_machine(b, json_object_get(n, "machine"));
	buf_addf(b, ". ");
	html_count(b, r->n_books, "notebook");
	buf_addf(b, " (one for each combination of parameters) ran in %zu run%s, each with its own "
	    "kernel, browser profile and workspace, one after the other, between ", t.runs,
	    t.runs == 1 ? "" : "s");
	html_day(b, t.from_t);
	buf_addf(b, " and ");
	html_day(b, t.to_t);
	buf_addf(b, ". Each cell was run by a trusted key press. Its client time is the time from "
	    "the key press to the later of the kernel's answer and the last visual change of the "
	    "output, "
	    "which is detected after a settle window and backdated. Kernel times are from the "
	    "timestamps of the kernel's own messages.");
	double bound = worst_cell_value(r, 0), script = worst_cell_value(r, 1);
	if (isfinite(bound))
		buf_addf(b, " The offset between the kernel's and the page's clock is known to "
		    "within %.1f ms.", 1e3 * bound);
	if (isfinite(script))
		buf_addf(b, " The measuring script used at most %.1f ms of the page's time per "
		    "cell.", 1e3 * script);
	if (r->repeated)
		buf_addf(b, " For repeated cells, the run with the median time is reported (of "
		    "two, the faster).");
	if (json_array_size(r->truth))
		buf_addf(b, " The bias and spread of each metric were measured on the same "
		    "machine, with a notebook with known true values.");
}

static void
put_marks(struct buf *b, const struct report *r)
{
	const char *word;
	json_t *v;
	if (!json_object_size(r->sum.marks))
		return;
	buf_addf(b, "<p>Marks, which nbscope-records(7) explains: ");
	size_t n = 0;
	json_object_foreach(r->sum.marks, word, v) {
		buf_addf(b, "%s<code>", n++ ? ", " : "");
		html_text(b, word);
		buf_addf(b, "</code> in %ld of %zu runs", (long)json_integer_value(v), r->sum.n);
	}
	buf_addf(b, ".</p>\n");
}

void
report_method(struct buf *b, const struct report *r)
{
	if (!r->sum.n) {
		buf_addf(b, "<p>No runs.</p>\n");
		return;
	}
	buf_addf(b, "<p>");
	report_method_text(b, r);
	buf_addf(b, "</p>\n");
	put_marks(b, r);
	buf_addf(b, "<p>Limits: %sPeak memory is that of the kernel's processes; the browser's is "
	    "in the CSV. A dash means that the value is unknown, not that it is zero. "
	    "On another machine, browser or window size, times differ.</p>\n",
	    r->repeated ? ""
	    : "Each cell ran once, so the variation of its time is unknown; use REPEAT=5. ");
}

void
report_links(struct buf *b, const struct report *r)
{
	size_t i;
	json_t *v;
	json_array_foreach(r->links, i, v) {
		buf_addf(b, i ? ", <a href=\"" : "<p>Also in this folder: <a href=\"");
		html_text(b, json_string_value(v));
		buf_addf(b, "\">");
		html_text(b, json_string_value(v));
		buf_addf(b, "</a>");
	}
	buf_addf(b, json_array_size(r->links) ? ".</p>\n" : "<p>No other files.</p>\n");
}

void
report_made(struct buf *b, const struct report *r)
{
	buf_addf(b, "nbscope " NBSCOPE_VERSION);
	/* A page whose data did not change must stay the same file. */
	if (r->now == REPORT_PAGE)
		return;
	buf_addf(b, ", ");
	html_day(b, clock_unix_s());
}
