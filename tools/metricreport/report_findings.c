/* report_findings.c: what other filters found: outliers, scaling, a comparison. */
#include "base/die.h"
#include "base/nbscope.h"
#include "json/json_value.h"
#include "metric/metric_column.h"
#include "stats/scaling_words.h"
#include "stats/test_result.h"
#include "html.h"
#include "report_findings.h"
#include "report_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FAR_PCT = 5, MAX_OUTLIERS = 50, MAX_SCALING = 100, MAX_COMPARED = 200,
    MIN_RUNS = 5 };

/* "client time", as in all other output */
static void
put_column(struct buf *b, const char *column)
{
	char *title = metric_column_title(column);
	html_td_text(b, title, NULL);
	free(title);
}

/* With a link, under its name in the other tables; the name in the record if this label has no
 * such notebook. */
static void
put_cell_name(struct buf *b, const struct report *r, const char *name, long cell)
{
	size_t i = 0;
	while (i < r->n_books && strcmp(r->book[i].name, name) != 0)
		i++;
	if (i < r->n_books)
		report_book_link(b, r, &r->book[i], cell, NULL);
	else
		html_text(b, name);
	if (cell)
		buf_addf(b, ", cell&nbsp;%ld", cell);
}

/* Members that identify a cell become a link; the others follow. */
static void
put_outlier_of(struct buf *b, const struct report *r, const json_t *of)
{
	const char *name = html_member(of, "name"), *index = html_member(of, "cell_index");
	json_t *rest = json_copy((json_t *)of);
	double cell = json_value_real_at(of, "cell_index");
	long number = isfinite(cell) ? (long)cell : strtol(index, NULL, 10);
	if (*name && number > 0) {
		put_cell_name(b, r, name, number);
		json_object_del(rest, "name");
		json_object_del(rest, "cell_index");
		buf_addf(b, json_object_size(rest) ? ", " : "");
	}
	html_members(b, rest);
	json_decref(rest);
}

/* ---- outliers ----------------------------------------------------------------------- */

static void
put_shared(struct buf *b, const json_t *o)
{
	json_t *list = json_object_get(o, "shared"), *v;
	size_t i;
	buf_addf(b, "<td>");
	json_array_foreach(list, i, v) {
		buf_addf(b, i ? "; " : "");
		html_text(b, html_member(v, "parameter"));
		buf_addf(b, "=");
		html_text(b, html_member(v, "value"));
		buf_addf(b, ": %.0f %% of the outliers, %.0f %% of all",
		    json_value_real_at(v, "of_outliers_pct"), json_value_real_at(v, "of_rows_pct"));
	}
	buf_addf(b, "</td>");
}

/* Where values hardly vary, the rule finds outliers that are not relevant. */
static bool
is_far(const struct report *r, const json_t *o)
{
	/* Of cells, from five repetitions on; a table's rows are not repetitions. */
	if (r->now != REPORT_TABLES &&
	    json_value_real_at(json_object_get(o, "group"), "count") < MIN_RUNS)
		return false;
	double times = json_value_real_at(o, "times_median");
	return !(fabs(times - 1) < FAR_PCT / 100.0);
}

static void
put_no_outliers(struct buf *b, const struct report *r)
{
	char *text = r->now == REPORT_TABLES ? xstrdup("None, or too few rows to find any.")
	    : r->most_runs < MIN_RUNS ? xasprintf("Unknown: they are found from %d repetitions "
	    "of a notebook on (<code>REPEAT=%d</code>).", MIN_RUNS, MIN_RUNS)
	    : xstrdup("None: no repetition of a cell is far from the others.");
	html_empty(b, text);
	free(text);
}

void
report_outliers(struct buf *b, const struct report *r)
{
	static const char *const columns[] =
	    {"metric", "cell", "#value", "#median of its group", "#ratio to the median",
	    "parameters", "shared by such outliers", NULL};
	size_t n = 0, shown = 0, i;
	json_t *o;
	json_array_foreach(r->outliers, i, o)
		n += is_far(r, o);
	if (!n) {
		put_no_outliers(b, r);
		return;
	}
	html_table(b, "live", "Values far from their group, by at least 5 % of its median",
	    columns);
	json_array_foreach(r->outliers, i, o) {
		if (!is_far(r, o) || ++shown > MAX_OUTLIERS)
			continue;
		char *column = html_column(o);
		buf_addf(b, "<tr>");
		put_column(b, column);
		buf_addf(b, "<td>");
		put_outlier_of(b, r, json_object_get(o, "of"));
		buf_addf(b, "</td>");
		html_td_amount(b, o, "value", column);
		html_td_amount(b, json_object_get(o, "group"), "median", column);
		html_td_number(b, json_value_real_at(o, "times_median"), 2);
		buf_addf(b, "<td>");
		html_members(b, json_object_get(o, "params"));
		buf_addf(b, "</td>");
		put_shared(b, o);
		buf_addf(b, "</tr>\n");
		free(column);
	}
	html_table_end(b);
	html_more(b, n, MAX_OUTLIERS, "<code>metricstat --outliers</code> lists all");
}

/* ---- scaling ------------------------------------------------------------------------ */

/* Null: the interval has no bound on that side. */
static double
bound_of(const json_t *o, const char *key, double none)
{
	double x = json_value_real_at(o, key);
	return isnan(x) ? none : x;
}

static bool
is_without_law(const json_t *o)
{
	return strcmp(html_member(o, "law"), "none") == 0;
}

static bool
does_grow(const json_t *o)
{
	const char *word = html_member(o, "word");
	if (is_without_law(o))
		return true;
	return strcmp(word, "constant") != 0 && strcmp(word, "unknown") != 0 &&
	    scaling_holds((size_t)fmax(0, json_value_real_at(o, "levels")),
	        bound_of(o, "exponent_low", -INFINITY), bound_of(o, "exponent_high", INFINITY));
}

void
report_scaling(struct buf *b, const struct report *r)
{
	static const char *const columns[] =
	    {"cell", "first line", "metric", "scaling", "parameter", "#exponent", "#95 % interval",
	    "#values", "#limit reached at", NULL};
	const char *shown[COUNT(columns)];
	size_t i, n = 0, growing = 0;
	bool limits = false;
	json_t *o;
	json_array_foreach(r->scaling, i, o) {
		growing += does_grow(o);
		limits |= does_grow(o) && isfinite(json_value_real_at(o, "limit_at"));
	}
	memcpy(shown, columns, sizeof(shown));
	if (!limits)
		shown[COUNT(columns) - 2] = NULL;
	if (!json_array_size(r->scaling)) {
		html_empty(b, "Unknown: no numeric parameter has several values, or there are too "
		    "few runs.");
		return;
	}
	if (!growing) {
		char *none = xasprintf("None found: each of %zu fits is constant, unknown, or of "
		    "fewer than three values of the parameter.", json_array_size(r->scaling));
		html_empty(b, none);
		free(none);
		return;
	}
	html_table(b, "live", "How the metrics of each cell scale with each parameter", shown);
	json_array_foreach(r->scaling, i, o) {
		const char *metric = html_member(o, "metric");
		if (!does_grow(o))
			continue;
		if (++n > MAX_SCALING)
			continue;
		json_t *index = json_object_get(o, "cell_index");
		if (json_is_integer(index))
			buf_addf(b, "<tr><th scope=\"row\" class=\"n\">%ld</th><td "
			    "class=\"code\"><code>", (long)json_integer_value(index));
		else
			buf_addf(b, "<tr><th scope=\"row\">all</th><td class=\"code\"><code>");
		html_text(b, html_member(o, "source_line"));
		buf_addf(b, "</code></td>");
		put_column(b, metric);
		char *word = is_without_law(o) ? scaling_bad_text(json_value_real_at(o, "off"),
		    json_value_real_at(o, "noise")) : xstrdup(html_member(o, "word"));
		html_td_text(b, word, NULL);
		free(word);
		html_td_text(b, html_member(o, "param"), NULL);
		html_td_number(b, json_value_real_at(o, "exponent"), 2);
		char *interval = scaling_interval(json_value_real_at(o, "exponent_low"),
		    json_value_real_at(o, "exponent_high"));
		buf_addf(b, "<td class=\"n\">%s</td>", interval);
		free(interval);
		html_td_number(b, json_value_real_at(o, "levels"), 0);
		double at = json_value_real_at(o, "limit_at");
		if (limits)
			buf_addf(b, isfinite(at) ? "<td class=\"n\">%.4g</td>"
			    : "<td class=\"n none\">&ndash;</td>", at);
		buf_addf(b, "</tr>\n");
	}
	html_table_end(b);
	html_more(b, growing, MAX_SCALING, "<code>metricscale</code> lists all");
	buf_addf(b, "<p>%zu of %zu fits found a dependency; the others are constant, or have too "
	    "few values.</p>\n", growing, json_array_size(r->scaling));
}

/* ---- the comparison with a base ----------------------------------------------------- */

static void
put_differences(struct buf *b, const json_t *c)
{
	static const char *const columns[] = {"difference", "base", "label", "allowed", NULL};
	json_t *list = json_object_get(c, "differences"), *d;
	size_t i;
	if (!json_array_size(list))
		return;
	html_table(b, "plain", "Differences between the environments of the two labels", columns);
	json_array_foreach(list, i, d) {
		buf_addf(b, "<tr>");
		html_td_text(b, html_member(d, "what"), NULL);
		html_td_text(b, html_member(d, "base_value"), NULL);
		html_td_text(b, html_member(d, "label_value"), NULL);
		html_td_text(b, json_is_true(json_object_get(d, "allowed")) ? "yes" : "no", NULL);
		buf_addf(b, "</tr>\n");
	}
	html_table_end(b);
}

/* What matters most comes first. */
static const enum test_result results[] = {WORSE, BETTER, UNKNOWN, NO_WORSE};

static void
put_compared_row(struct buf *b, const struct report *r, const json_t *o)
{
	const char *metric = html_member(o, "metric");
	enum test_result result = test_result_of(html_member(o, "result"));
	buf_addf(b, "<tr><th scope=\"row\">");
	json_t *index = json_object_get(o, "cell_index");
	put_cell_name(b, r, html_member(o, "name"), json_is_integer(index)
	    ? (long)json_integer_value(index) : 0);
	buf_addf(b, "</th><td class=\"code\"><code>");
	html_text(b, html_member(o, "source_line"));
	buf_addf(b, "</code></td>");
	put_column(b, metric);
	html_td_amount(b, o, "base_median", metric);
	html_td_amount(b, o, "median", metric);
	html_td_text(b, html_member(o, "change"), NULL);
	html_td_text(b, html_member(o, "result_text"), result == WORSE ? "status bad" :
	    result == BETTER ? "status good" : NULL);
	double q = json_value_real_at(o, "q");
	buf_addf(b, isfinite(q) ? "<td class=\"n\">%.2g</td></tr>\n" :
	    "<td class=\"n none\">&ndash;</td></tr>\n", q);
}

void
report_comparison(struct buf *b, const struct report *r)
{
	static const char *const columns[] =
	    {"cell", "first line", "metric", "#base", "#label", "change", "result", "#q", NULL};
	json_t *c = json_array_get(r->compared, json_array_size(r->compared) - 1), *o;
	size_t i, n = json_array_size(r->comparison), shown = 0;
	if (!c) {
		html_empty(b, "None: <code>make report BASE=LABEL</code> compares this label "
		    "with another.");
		return;
	}
	buf_addf(b, "<p class=\"lead\">");
	html_text(b, html_member(c, "line"));
	buf_addf(b, "</p>\n");
	put_differences(b, c);
	if (n)
		html_table(b, "live", "The change of each cell and notebook with its 95 % "
		    "interval, in % of the base's median", columns);
	/* Notebooks before their cells. */
	for (size_t k = 0; k < 2 * COUNT(results); k++)
		json_array_foreach(r->comparison, i, o)
			if (test_result_of(html_member(o, "result")) == results[k / 2] &&
			    json_is_integer(json_object_get(o, "cell_index")) == (k % 2 == 1) &&
			    shown++ < MAX_COMPARED)
				put_compared_row(b, r, o);
	if (n)
		html_table_end(b);
	html_more(b, n, MAX_COMPARED, "comparison.csv lists all");
	buf_addf(b, "<p>worse, better: q, the p corrected for the number of tests, is at most "
	    "%.3g, and the change exceeds the floors; detectable: found in 4 of 5 comparisons. "
	    "%.0f tests that can fail the comparison: %.0f no worse, %.0f better, %.0f worse, "
	    "%.0f undecided.</p>\n", json_value_real_at(c, "alpha"), json_value_real_at(c, "tests"),
	    json_value_real_at(c, "no_worse"), json_value_real_at(c, "better"),
	        json_value_real_at(c, "worse"), json_value_real_at(c, "unknown"));
}
