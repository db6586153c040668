/* report_about.c: what was measured, where and how, in words. */
#include "base/clock.h"
#include "base/nbscope.h"
#include "base/die.h"
#include "base/num.h"
#include "json/json_value.h"
#include "html.h"
#include "report_about.h"
#include "report_overview.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const json_t *
first_notebook(const struct report *r)
{
	return json_array_get(r->notebooks, 0);
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
	if (r->sum.kernel_only)
		put_fact(b, facts[0][0], "none (kernelrun)");
	for (size_t i = r->sum.kernel_only ? 2 : 0; i < COUNT(facts); i++) {
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
	struct report_totals t = report_totals_of(r);
	const json_t *n = first_notebook(r);
	buf_addf(b, "Notebooks were run with nbscope ");
	put_member_or(b, n, "nbscope_version", "of unknown version");
	buf_addf(b, " in JupyterLab ");
	put_member_or(b, n, "jupyterlab", "of unknown version");
	if (r->sum.kernel_only) {
		buf_addf(b, ", without a browser, on ");
	} else {
		buf_addf(b, " in a real browser (");
		put_member_or(b, n, "browser", "unknown");
		buf_addf(b, ", window of ");
		put_member_or(b, n, "window", "unknown");
		buf_addf(b, " pixels) on ");
	}
	put_machine(b, json_object_get(n, "machine"));
	buf_addf(b, ". ");
	html_count(b, r->n_books, "notebook");
	buf_addf(b, " (one for each combination of parameters) ran in %zu run%s, each with its own "
	    "kernel%s, one after the other, between ", t.runs, t.runs == 1 ? "" : "s",
	    r->sum.kernel_only ? "" : ", browser profile and workspace");
	html_day(b, t.from_t);
	buf_addf(b, " and ");
	html_day(b, t.to_t);
	buf_addf(b, ". %s Kernel times are from the timestamps of the kernel's own messages.",
	    r->sum.kernel_only ? "Each cell was sent to its kernel over the kernel's WebSocket." :
	    "Each cell was run by a trusted key press. Its client time is the time from the key "
	    "press to the later of the kernel's answer and the last visual change of the output, "
	    "which is detected after a settle window and backdated.");
	double bound = worst_cell_value(r, 0), script = worst_cell_value(r, 1);
	if (isfinite(bound))
		buf_addf(b, " The offset between the kernel's and the %s's clock is known to "
		    "within %.1f ms.", r->sum.kernel_only ? "driver" : "page", 1e3 * bound);
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
