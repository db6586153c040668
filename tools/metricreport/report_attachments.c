/* report_attachments.c: the calibration, figures, and the index of reports. */
#include "base/nbscope.h"
#include "base/die.h"
#include "base/file.h"
#include "base/num.h"
#include "json/json_value.h"
#include "stats/quantile.h"
#include "html.h"
#include "report_attachments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURE_BYTES = 4 << 20, MAX_PX = 100000 };

/* ---- calibration -------------------------------------------------------------------- */

static int
compare_truths(const void *a, const void *b)
{
	const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;
	int m = strcmp(html_member(x, "metric"), html_member(y, "metric"));
	return m ? m : strcmp(html_member(x, "cell_id"), html_member(y, "cell_id"));
}

static double
quantile_or_nan(const double *v, size_t n, double share)
{
	return n ? quantile_sorted(v, n, share, Q_LINEAR) : (double)NAN;
}

/* The number of records that one row shows: those of one cell, or of all cells of a metric
 * whose true value is always 0. */
static size_t
rows_together(json_t *const *v, size_t n, bool *all)
{
	size_t same = 1;
	*all = true;
	for (size_t i = 0; i < n &&
	    strcmp(html_member(v[i], "metric"), html_member(v[0], "metric")) == 0; i++) {
		*all = *all && json_value_real_at(v[i], "truth") == 0;
		same = i + 1;
	}
	for (size_t i = 0; i < same && !*all; i++)
		if (compare_truths(&v[i], &v[0]) != 0)
			return i;
	return same;
}

static void
put_calibration_row(struct buf *b, json_t *const *v, size_t n, bool all)
{
	const char *metric = html_member(v[0], "metric");
	double *error = xmalloc(n * sizeof *error), *truth = xmalloc(n * sizeof *truth), limit =
	    NAN;
	size_t known = 0, ok = 0;
	for (size_t i = 0; i < n; i++) {
		double e = json_value_real_at(v[i], "error");
		if (isfinite(e)) {
			truth[known] = json_value_real_at(v[i], "truth");
			error[known++] = e;
		}
		ok += json_is_true(json_object_get(v[i], "ok"));
		limit = isfinite(limit) ? limit : json_value_real_at(v[i], "limit");
	}
	qsort(error, known, sizeof *error, num_compare);
	qsort(truth, known, sizeof *truth, num_compare);
	buf_addf(b, "<tr><th scope=\"row\"><code>");
	html_text(b, metric);
	buf_addf(b, "</code></th>");
	html_td_text(b, all && n > 1 && compare_truths(&v[n - 1], &v[0]) != 0 ? "all"
	    : html_member(v[0], "cell_id"), NULL);
	buf_addf(b, "<td class=\"n\">%zu</td>", known);
	const double amounts[] = {quantile_or_nan(truth, known, 0.5),
		quantile_or_nan(error, known, 0.5), quantile_or_nan(error, known, 0.05),
		quantile_or_nan(error, known, 0.95), limit};
	for (size_t i = 0; i < COUNT(amounts); i++) {
		buf_addf(b, "<td class=\"n\">");
		html_amount(b, amounts[i], metric);
		buf_addf(b, "</td>");
	}
	if (isfinite(limit))
		buf_addf(b, "<td class=\"n%s\">%.0f %%</td></tr>\n", 2 * ok < n ? " bad" : "",
		    100.0 * (double)ok / (double)n);
	else
		buf_addf(b, "<td class=\"n none\">&ndash;</td></tr>\n");
	free(error);
	free(truth);
}

void
report_calibration(struct buf *b, const struct report *r)
{
	static const char *const columns[] =
	    {"metric", "cell", "#runs", "#true value", "#bias", "#p05", "#p95", "#limit",
	    "#within limit", NULL};
	size_t n = json_array_size(r->truth);
	if (!n) {
		html_empty(b, "This machine was not calibrated: <code>make calibrate</code> runs "
		    "a notebook with known true values and reports the error of each metric.");
		return;
	}
	json_t **v = xmalloc(n * sizeof(*v));
	for (size_t i = 0; i < n; i++)
		v[i] = json_array_get(r->truth, i);
	qsort(v, n, sizeof *v, compare_truths);
	html_table(b, "live",
	    "Errors of the metrics on this machine, from a notebook with known true values",
	    columns);
	bool all;
	for (size_t i = 0, k; i < n; i += k) {
		k = rows_together(v + i, n - i, &all);
		put_calibration_row(b, v + i, k, all);
	}
	html_table_end(b);
	free(v);
}

/* ---- figures ------------------------------------------------------------------------ */

/* What the page says of a figure before it is loaded. */
struct embedded_figure {
	char *title;	/* still escaped as in the SVG */
	double width, height;	/* 0: unknown */
};

static struct embedded_figure
read_figure_head(const char *path)
{
	size_t n;
	char *svg = file_read(path, FIGURE_BYTES, &n), *from = svg ? strstr(svg, "<title>") : NULL,
	    *to = from ? strstr(from, "</title>") : NULL, *end = svg ? strchr(svg, '>') : NULL,
	    *box = end ? strstr(svg, " viewBox=\"0 0 ") : NULL;
	struct embedded_figure head = {0};
	const char *slash = strrchr(path, '/');
	if (to)
		head.title = xasprintf("%.*s", (int)(to - from) - 7, from + 7);
	else
		head.title = xstrdup(slash ? slash + 1 : path);
	if (box && box < end &&
	    sscanf(box, " viewBox=\"0 0 %lf %lf", &head.width, &head.height) < 2)
		head.width = 0;
	free(svg);
	return head;
}

/* Text that is escaped already; the characters of a tag are escaped in any case. */
static void
put_figure_title(struct buf *b, const char *text)
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
report_figures(struct buf *b, const struct report *r)
{
	size_t i, n = 0;
	json_t *v;
	json_array_foreach(r->figures, i, v) {
		const char *path = json_string_value(v);
		struct embedded_figure head = read_figure_head(path);
		struct buf data = {0};
		if (html_data(&data, path, "image/svg+xml", FIGURE_BYTES)) {
			buf_addf(b, n ? "" : "<div class=\"figures\">\n");
			buf_addf(b, "<figure class=\"picture\"><img loading=\"lazy\" ");
			/* The place that it takes, so that links into the page lead there. */
			if (head.width > 0 && head.height > 0 && head.height < MAX_PX)
				buf_addf(b, "width=\"%.0f\" height=\"%.0f\" ", head.width,
				    head.height);
			buf_addf(b, "alt=\"");
			put_figure_title(b, head.title);
			buf_addf(b, "\" src=\"");
			buf_add(b, data.p, data.n);
			buf_addf(b, "\"></figure>\n");
			n++;
		} else {
			warn("cannot read '%s':", path);
		}
		buf_free(&data);
		free(head.title);
	}
	if (n)
		buf_addf(b, "</div>\n");
	else
		html_empty(b, "No figures: they require cells that have a time, and "
		    "<code>make setup</code>.");
}

/* ---- index of reports --------------------------------------------------------------- */

static int
compare_reports(const void *a, const void *b)
{
	const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;
	double s = json_value_real_at(x, "t"), t = json_value_real_at(y, "t");
	return s < t ? 1 : s > t ? -1 : strcmp(html_member(x, "path"), html_member(y, "path"));
}

/* "quickstart/current/", each part escaped for an address. */
static void
put_path(struct buf *b, const char *path)
{
	char *copy = xstrdup(path), *rest = copy, *part;
	const char *slash = "";
	while ((part = strsep(&rest, "/"))) {
		buf_addf(b, "%s", slash);
		html_url(b, part);
		slash = "/";
	}
	free(copy);
}

void
report_list(struct buf *b, const struct report *r)
{
	char *client = html_metric_column(M_client_execution_time_metric, NULL);
	const char *const columns[] =
	    {"use case", "label", "created", "#notebooks", "#cells", client, "status", NULL};
	size_t n = json_array_size(r->reports);
	json_t **v = xmalloc((n + 1) * sizeof(*v));
	for (size_t i = 0; i < n; i++)
		v[i] = json_array_get(r->reports, i);
	qsort(v, n, sizeof(*v), compare_reports);
	html_table(b, "live", "Reports, newest first", columns);
	free(client);
	for (size_t i = 0; i < n; i++) {
		double failed = json_value_real_at(v[i], "failed");
		buf_addf(b, "<tr>");
		html_td_text(b, html_member(v[i], "usecase"), NULL);
		buf_addf(b, "<th scope=\"row\"><a href=\"./");
		put_path(b, html_member(v[i], "path"));
		buf_addf(b, "index.html\">");
		html_text(b, html_member(v[i], "label"));
		buf_addf(b, "</a></th><td>");
		html_day(b, json_value_real_at(v[i], "t"));
		buf_addf(b, "</td>");
		html_td_number(b, json_value_real_at(v[i], "notebooks"), 0);
		html_td_number(b, json_value_real_at(v[i], "cells"), 0);
		html_td_amount(b, v[i], "client_s", "client_s");
		if (failed > 0)
			buf_addf(b, "<td class=\"status bad\">%.0f failed</td></tr>\n", failed);
		else
			buf_addf(b, "<td class=\"status good\">all completed</td></tr>\n");
	}
	html_table_end(b);
	free(v);
}
