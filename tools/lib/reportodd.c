/* reportodd.c: what other filters found, as tables: outliers, growth, a comparison,
 * the calibration; and figures. */
#include "report.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OUTLIERS = 50, MOST_GROWTH = 100, MOST_COMPARED = 200, FIGURE_BYTES = 4 << 20 };

static void
put_amount_of(struct buf *b, const json_t *o, const char *key, const char *column)
{
	double x = json_real_at(o, key);
	buf_addf(b, "<td class=\"n\"");
	if (isfinite(x))
		buf_addf(b, " data-v=\"%.9g\"", x);
	buf_addf(b, ">");
	put_amount(b, x, column);
	buf_addf(b, "</td>");
}

/* "client execution time" */
static void
put_column(struct buf *b, const char *column)
{
	char *title = unit_title(column);
	put_cell_text(b, title, NULL);
	free(title);
}

/* "name=x cell_index=3" of an object's members. */
static void
put_members(struct buf *b, const json_t *o)
{
	const char *key;
	json_t *v;
	size_t n = 0;
	json_object_foreach((json_t *)o, key, v) {
		char *text = json_is_string(v) ? xstrdup(json_string_value(v)) : json_text(v);
		buf_addf(b, n++ ? " " : "");
		put_text(b, key);
		buf_addf(b, "=");
		put_text(b, text);
		free(text);
	}
}

static void
put_more(struct buf *b, size_t n, size_t most, const char *where)
{
	if (n > most)
		buf_addf(b, "<p>%zu more: %s.</p>\n", n - most, where);
}

/* ---- outliers ---------------------------------------------------------------------- */

static void
put_shared(struct buf *b, const json_t *o)
{
	json_t *list = json_object_get(o, "shared"), *v;
	size_t i;
	buf_addf(b, "<td>");
	json_array_foreach(list, i, v) {
		buf_addf(b, i ? "; " : "");
		put_text(b, text_at(v, "parameter"));
		buf_addf(b, "=");
		put_text(b, text_at(v, "value"));
		buf_addf(b, ": %.0f %% of them, %.0f %% of all", json_real_at(v, "of_outliers_pct"), json_real_at(v, "of_rows_pct"));
	}
	buf_addf(b, "</td>");
}

void
put_outliers(struct buf *b, const struct report *r)
{
	static const char *const columns[] = {"what", "of", "#value", "#median of its group", "#times the median", "parameters", "what such have in common", NULL};
	size_t n = json_array_size(r->outliers), i;
	json_t *o;
	if (!n) {
		buf_addf(b, "<p>None was found, or there are too few runs to find any.</p>\n");
		return;
	}
	put_table(b, "live", "Values far from those of their group", columns);
	json_array_foreach(r->outliers, i, o) {
		const char *column = text_at(o, "column");
		if (i == MOST_OUTLIERS)
			break;
		buf_addf(b, "<tr>");
		put_column(b, column);
		buf_addf(b, "<td>");
		put_members(b, json_object_get(o, "of"));
		buf_addf(b, "</td>");
		put_amount_of(b, o, "value", column);
		put_amount_of(b, json_object_get(o, "group"), "median", column);
		put_number(b, json_real_at(o, "times_median"), 2);
		buf_addf(b, "<td>");
		put_members(b, json_object_get(o, "params"));
		buf_addf(b, "</td>");
		put_shared(b, o);
		buf_addf(b, "</tr>\n");
	}
	end_table(b);
	put_more(b, n, MOST_OUTLIERS, "metricstat --outliers lists all");
}

/* ---- growth ------------------------------------------------------------------------- */

static bool
grows(const json_t *o)
{
	const char *word = text_at(o, "word");
	return strcmp(word, "constant") != 0 && strcmp(word, "unknown") != 0;
}

void
put_growth(struct buf *b, const struct report *r)
{
	static const char *const columns[] = {"cell", "first line", "what", "grows", "with", "#exponent", "#95 % interval", "#values", "#its limit is reached at", NULL};
	size_t i, n = 0, growing = 0, more = 0;
	json_t *o;
	json_array_foreach(r->growth, i, o)
		growing += grows(o);
	if (!json_array_size(r->growth)) {
		buf_addf(b, "<p>Nothing can be said: no parameter that is a number has several values, or there are too few runs.</p>\n");
		return;
	}
	if (growing)
		put_table(b, "live", "How each cell grows with each parameter", columns);
	json_array_foreach(r->growth, i, o) {
		const char *metric = text_at(o, "metric");
		if (!grows(o))
			continue;
		if (++n > MOST_GROWTH) {
			more++;
			continue;
		}
		json_t *index = json_object_get(o, "cell_index");
		if (json_is_integer(index))
			buf_addf(b, "<tr><th scope=\"row\" class=\"n\">%ld</th><td class=\"code\"><code>", (long)json_integer_value(index));
		else
			buf_addf(b, "<tr><th scope=\"row\">all</th><td class=\"code\"><code>");
		put_text(b, text_at(o, "source_line"));
		buf_addf(b, "</code></td>");
		put_column(b, metric);
		put_cell_text(b, text_at(o, "word"), NULL);
		put_cell_text(b, text_at(o, "param"), NULL);
		put_number(b, json_real_at(o, "exponent"), 2);
		buf_addf(b, "<td class=\"n\">%.2f to %.2f</td>", json_real_at(o, "exponent_low"), json_real_at(o, "exponent_high"));
		put_number(b, json_real_at(o, "levels"), 0);
		double at = json_real_at(o, "limit_at");
		buf_addf(b, isfinite(at) ? "<td class=\"n\">%.4g</td></tr>\n" : "<td class=\"n none\">&ndash;</td></tr>\n", at);
	}
	if (growing)
		end_table(b);
	buf_addf(b, "<p>%zu of %zu fits found growth; of the others it is constant, or there are too few values to tell.</p>\n", growing, json_array_size(r->growth));
}

/* ---- the comparison with a base -------------------------------------------------------- */

static void
put_differences(struct buf *b, const json_t *c)
{
	static const char *const columns[] = {"what differs", "base", "label", "meant to", NULL};
	json_t *list = json_object_get(c, "differences"), *d;
	size_t i;
	if (!json_array_size(list))
		return;
	put_table(b, "plain", "Where the two were measured", columns);
	json_array_foreach(list, i, d) {
		buf_addf(b, "<tr>");
		put_cell_text(b, text_at(d, "what"), NULL);
		put_cell_text(b, text_at(d, "base_value"), NULL);
		put_cell_text(b, text_at(d, "label_value"), NULL);
		put_cell_text(b, json_is_true(json_object_get(d, "meant")) ? "yes" : "no", NULL);
		buf_addf(b, "</tr>\n");
	}
	end_table(b);
}

/* What is worse or better first; what says nothing new is left out. */
static bool
says_something(const json_t *o)
{
	const char *answer = text_at(o, "answer");
	return strcmp(answer, "worse") == 0 || strcmp(answer, "better") == 0;
}

static void
put_compared_row(struct buf *b, const json_t *o)
{
	const char *metric = text_at(o, "metric");
	double base = json_real_at(o, "base_median"), shift = json_real_at(o, "shift");
	json_t *index = json_object_get(o, "cell_index");
	buf_addf(b, "<tr><th scope=\"row\">");
	put_text(b, text_at(o, "name"));
	if (json_is_integer(index))
		buf_addf(b, ", cell&nbsp;%ld", (long)json_integer_value(index));
	buf_addf(b, "</th>");
	put_column(b, metric);
	buf_addf(b, "<td class=\"status %s\">", strcmp(text_at(o, "answer"), "worse") == 0 ? "bad" : "good");
	put_text(b, text_at(o, "answer"));
	buf_addf(b, "</td>");
	put_amount_of(b, o, "base_median", metric);
	put_amount_of(b, o, "median", metric);
	if (isfinite(shift) && base > 0)
		buf_addf(b, "<td class=\"n\">%+.1f %%</td>", 100 * shift / base);
	else
		buf_addf(b, "<td class=\"n none\">&ndash;</td>");
	buf_addf(b, "<td class=\"n\">");
	put_amount(b, json_real_at(o, "shift_low"), metric);
	buf_addf(b, " to ");
	put_amount(b, json_real_at(o, "shift_high"), metric);
	buf_addf(b, "</td><td class=\"n\">%.2g</td></tr>\n", json_real_at(o, "q"));
}

void
put_comparison(struct buf *b, const struct report *r)
{
	static const char *const columns[] = {"cell", "what", "answer", "#base", "#label", "#shift", "#95 % interval", "#q", NULL};
	json_t *c = json_array_get(r->compared, json_array_size(r->compared) - 1), *o;
	size_t i, n = 0;
	if (!c) {
		buf_addf(b, "<p>Not compared: <code>make compare BASE=LABEL</code> holds this label against another.</p>\n");
		return;
	}
	buf_addf(b, "<p class=\"lead\">");
	put_text(b, text_at(c, "line"));
	buf_addf(b, "</p>\n");
	put_differences(b, c);
	json_array_foreach(r->comparison, i, o)
		n += says_something(o);
	if (n)
		put_table(b, "live", "What is worse or better than the base", columns);
	size_t shown = 0;
	for (int pass = 0; pass < 2; pass++)
		json_array_foreach(r->comparison, i, o)
			if (says_something(o) && (strcmp(text_at(o, "answer"), "worse") == 0) == (pass == 0) && shown++ < MOST_COMPARED)
				put_compared_row(b, o);
	if (n)
		end_table(b);
	put_more(b, n, MOST_COMPARED, "comparison.csv has all");
	buf_addf(b, "<p>%.0f tests that could fail it: %.0f no worse, %.0f better, %.0f worse, %.0f cannot tell.</p>\n", json_real_at(c, "tests"),
	    json_real_at(c, "no_worse"), json_real_at(c, "better"), json_real_at(c, "worse"), json_real_at(c, "unknown"));
}

/* ---- calibration ---------------------------------------------------------------------------- */

static int
by_metric(const void *a, const void *b)
{
	const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;
	int m = strcmp(text_at(x, "metric"), text_at(y, "metric"));
	return m ? m : strcmp(text_at(x, "cell_id"), text_at(y, "cell_id"));
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double
at_share(const double *v, size_t n, double share)
{
	double at = share * (double)(n - 1);
	size_t i = (size_t)at;
	return n == 0 ? NAN : i + 1 < n ? v[i] + (at - (double)i) * (v[i + 1] - v[i]) : v[n - 1];
}

/* How many from v on are told in one line: a metric's cells apart, but all together
 * where the truth of every one is 0, as of what ought not to be there at all. */
static size_t
told_together(json_t *const *v, size_t n, bool *all)
{
	size_t same = 1;
	*all = true;
	for (size_t i = 0; i < n && strcmp(text_at(v[i], "metric"), text_at(v[0], "metric")) == 0; i++) {
		*all = *all && json_real_at(v[i], "truth") == 0;
		same = i + 1;
	}
	for (size_t i = 0; i < same && !*all; i++)
		if (by_metric(&v[i], &v[0]) != 0)
			return i;
	return same;
}

static void
put_truth(struct buf *b, json_t *const *v, size_t n, bool all)
{
	const char *metric = text_at(v[0], "metric");
	double *error = xmalloc(n * sizeof *error), *truth = xmalloc(n * sizeof *truth), limit = NAN;
	size_t known = 0, ok = 0;
	for (size_t i = 0; i < n; i++) {
		double e = json_real_at(v[i], "error");
		if (isfinite(e)) {
			truth[known] = json_real_at(v[i], "truth");
			error[known++] = e;
		}
		ok += json_is_true(json_object_get(v[i], "ok"));
		limit = isfinite(limit) ? limit : json_real_at(v[i], "limit");
	}
	qsort(error, known, sizeof *error, by_value);
	qsort(truth, known, sizeof *truth, by_value);
	buf_addf(b, "<tr><th scope=\"row\"><code>");
	put_text(b, metric);
	buf_addf(b, "</code></th>");
	put_cell_text(b, all && n > 1 && by_metric(&v[n - 1], &v[0]) != 0 ? "all" : text_at(v[0], "cell_id"), NULL);
	buf_addf(b, "<td class=\"n\">%zu</td>", known);
	const double told[] = {at_share(truth, known, 0.5), at_share(error, known, 0.5), at_share(error, known, 0.05), at_share(error, known, 0.95), limit};
	for (size_t i = 0; i < COUNT(told); i++) {
		buf_addf(b, "<td class=\"n\">");
		put_amount(b, told[i], metric);
		buf_addf(b, "</td>");
	}
	if (isfinite(limit))
		buf_addf(b, "<td class=\"n%s\">%.0f %%</td></tr>\n", 2 * ok < n ? " bad" : "", 100.0 * (double)ok / (double)n);
	else
		buf_addf(b, "<td class=\"n none\">&ndash;</td></tr>\n");
	free(error);
	free(truth);
}

void
put_calibration(struct buf *b, const struct report *r)
{
	static const char *const columns[] = {"what", "cell", "#times", "#truth", "#bias", "#p05", "#p95", "#wanted within", "#was within", NULL};
	size_t n = json_array_size(r->truth);
	if (!n) {
		buf_addf(b, "<p>This machine was not calibrated: <code>make calibrate</code> runs a notebook whose truth is known, and says how far off each number is.</p>\n");
		return;
	}
	json_t **v = xmalloc(n * sizeof(*v));
	for (size_t i = 0; i < n; i++)
		v[i] = json_array_get(r->truth, i);
	qsort(v, n, sizeof *v, by_metric);
	put_table(b, "live", "Measured against a truth that is known, on this machine", columns);
	bool all;
	for (size_t i = 0, k; i < n; i += k) {
		k = told_together(v + i, n - i, &all);
		put_truth(b, v + i, k, all);
	}
	end_table(b);
	free(v);
}

/* ---- figures ----------------------------------------------------------------------------------- */

/* What stands in the picture's <title>, which is escaped as HTML is. */
static char *
title_of(const char *path)
{
	size_t n;
	char *svg = read_file(path, FIGURE_BYTES, &n), *from = svg ? strstr(svg, "<title>") : NULL, *to = from ? strstr(from, "</title>") : NULL, *title;
	const char *slash = strrchr(path, '/');
	if (to)
		title = xasprintf("%.*s", (int)(to - from) - 7, from + 7);
	else
		title = xstrdup(slash ? slash + 1 : path);
	free(svg);
	return title;
}

/* Marks of another's text that is escaped already: no tag can come of it. */
static void
put_escaped(struct buf *b, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '<': buf_addf(b, "&lt;"); break;
		case '>': buf_addf(b, "&gt;"); break;
		case '"': buf_addf(b, "&quot;"); break;
		default: buf_add(b, text, 1);
		}
}

void
put_figures(struct buf *b, const struct report *r)
{
	size_t i, n = 0;
	json_t *v;
	json_array_foreach(r->figures, i, v) {
		const char *path = json_string_value(v);
		char *title = title_of(path);
		struct buf data = {0};
		if (put_data(&data, path, "image/svg+xml", FIGURE_BYTES)) {
			buf_addf(b, "<figure class=\"picture\"><img loading=\"lazy\" alt=\"");
			put_escaped(b, title);
			buf_addf(b, "\" src=\"");
			buf_add(b, data.p, data.n);
			buf_addf(b, "\"></figure>\n");
			n++;
		} else {
			warn("cannot read '%s':", path);
		}
		buf_free(&data);
		free(title);
	}
	if (!n)
		buf_addf(b, "<p>No figures: they need gnuplot, and cells that have a time.</p>\n");
}

/* ---- reports that stand together ------------------------------------------------------------------ */

static int
newest_first(const void *a, const void *b)
{
	const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;
	double s = json_real_at(x, "t"), t = json_real_at(y, "t");
	return s < t ? 1 : s > t ? -1 : strcmp(text_at(x, "path"), text_at(y, "path"));
}

/* "quickstart/current/", each part as an address holds it. */
static void
put_path(struct buf *b, const char *path)
{
	char *copy = xstrdup(path), *rest = copy, *part;
	const char *slash = "";
	while ((part = strsep(&rest, "/"))) {
		buf_addf(b, "%s", slash);
		put_url(b, part);
		slash = "/";
	}
	free(copy);
}

void
put_reports(struct buf *b, const struct report *r)
{
	static const char *const columns[] = {"use case", "label", "made", "#notebooks", "#cells", "#waiting for cells", "status", NULL};
	size_t n = json_array_size(r->reports);
	json_t **v = xmalloc((n + 1) * sizeof(*v));
	for (size_t i = 0; i < n; i++)
		v[i] = json_array_get(r->reports, i);
	qsort(v, n, sizeof(*v), newest_first);
	put_table(b, "live", "Reports, the newest first", columns);
	for (size_t i = 0; i < n; i++) {
		double failed = json_real_at(v[i], "failed");
		buf_addf(b, "<tr>");
		put_cell_text(b, text_at(v[i], "usecase"), NULL);
		buf_addf(b, "<th scope=\"row\"><a href=\"./");
		put_path(b, text_at(v[i], "path"));
		buf_addf(b, "index.html\">");
		put_text(b, text_at(v[i], "label"));
		buf_addf(b, "</a></th><td>");
		put_day(b, json_real_at(v[i], "t"));
		buf_addf(b, "</td>");
		put_number(b, json_real_at(v[i], "notebooks"), 0);
		put_number(b, json_real_at(v[i], "cells"), 0);
		put_amount_of(b, v[i], "client_s", "client_s");
		if (failed > 0)
			buf_addf(b, "<td class=\"status bad\">%.0f failed</td></tr>\n", failed);
		else
			buf_addf(b, "<td class=\"status good\">all completed</td></tr>\n");
	}
	end_table(b);
	free(v);
}
