/* model_about.c: what was measured, where and how, in the model of a report; the calibration,
 * figures, and the index of reports. */
#include "model_about.h"
#include "base/die.h"
#include "base/file.h"
#include "base/nbscope.h"
#include "base/num.h"
#include "json/json_value.h"
#include "model_record.h"
#include "stats/quantile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURE_BYTES = 4 << 20, MAX_PX = 100000 };

/* ---- where and how ------------------------------------------------------------------ */

/* The first run's record, with what differs between the runs, and the packages. */
static json_t *
environment(const struct report *r)
{
	json_t *e = json_array_get(report_records(r, "environment"), 0), *o = r->first, *v;
	const char *member;
	if (!o)
		return json_null();
	/* An unknown version is not that of the program that writes the report. */
	json_object_foreach(r->mixed, member, v)
		if (!json_object_get(o, member))
			json_object_set_new(o, member, json_null());
	json_object_set(o, "mixed", r->mixed);
	json_object_set(o, "packages", json_object_get(e, "packages"));
	json_object_set_new(o, "python", json_string(model_text(e, "python")));
	json_object_set_new(o, "reason", json_string(model_text(e, "reason")));
	return json_incref(o);
}

static json_t *
method(const struct report *r)
{
	double bound_s = NAN, script_s = NAN;
	for (size_t i = 0; i < r->n_cells; i++) {
		bound_s = fmax(bound_s, r->cells[i].bound_s);
		script_s = fmax(script_s, r->cells[i].script_s);
	}
	return json_pack("{s:o, s:o, s:O, s:I}", "clock_bound_ms", json_value_real(1e3 * bound_s),
	    "script_ms", json_value_real(1e3 * script_s), "marks", r->sum.marks,
	    "n_runs", (json_int_t)r->sum.n);
}

/* ---- calibration -------------------------------------------------------------------- */

static bool
same_truth(const json_t *list, size_t i, size_t k, const char *key)
{
	return strcmp(model_text(json_array_get(list, i), key),
	    model_text(json_array_get(list, k), key)) == 0;
}

/* The number of records from i on that one row shows: those of one cell, or of all cells of a
 * metric whose true value is always 0. */
static size_t
rows_together(const json_t *list, size_t i, bool *all)
{
	size_t n = 0, cell = 0;
	*all = true;
	for (; i + n < json_array_size(list) && same_truth(list, i + n, i, "metric"); n++) {
		*all &= json_value_real_at(json_array_get(list, i + n), "truth") == 0;
		cell += cell == n && same_truth(list, i + n, i, "cell_id");
	}
	return *all ? n : cell;
}

static json_t *
quantile_or_null(const double *v, size_t n, double share)
{
	return n ? json_real(quantile_sorted(v, n, share, Q_LINEAR)) : json_null();
}

static json_t *
calibration_row(const json_t *list, size_t at, size_t n, bool all)
{
	const json_t *first = json_array_get(list, at);
	double *error = xmalloc(n * sizeof *error), *truth = xmalloc(n * sizeof *truth);
	double limit = NAN;
	size_t known = 0, ok = 0;
	for (size_t i = 0; i < n; i++) {
		const json_t *o = json_array_get(list, at + i);
		double e = json_value_real_at(o, "error");
		if (isfinite(e)) {
			truth[known] = json_value_real_at(o, "truth");
			error[known++] = e;
		}
		ok += json_is_true(json_object_get(o, "ok"));
		limit = isfinite(limit) ? limit : json_value_real_at(o, "limit");
	}
	qsort(error, known, sizeof *error, num_compare);
	qsort(truth, known, sizeof *truth, num_compare);
	json_t *row = json_pack("{s:s, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:b}",
	    "metric", model_text(first, "metric"),
	    "cell_id", all && !same_truth(list, at + n - 1, at, "cell_id") ? "all"
	    : model_text(first, "cell_id"), "runs", (json_int_t)known,
	    "truth", quantile_or_null(truth, known, 0.5),
	    "bias", quantile_or_null(error, known, 0.5),
	    "p05", quantile_or_null(error, known, 0.05),
	    "p95", quantile_or_null(error, known, 0.95), "limit", json_value_real(limit),
	    "ok_pct", isfinite(limit) ? json_real(100.0 * (double)ok / (double)n) : json_null(),
	    "bad", 2 * ok < n);
	free(error);
	free(truth);
	return row;
}

static json_t *
calibration(const struct report *r)
{
	static const char *const order[] = {"metric", "cell_id", NULL};
	json_t *rows = json_array(), *sorted = model_sorted(report_records(r, "truth"), order);
	size_t n = json_array_size(sorted), k;
	bool all;
	for (size_t i = 0; i < n; i += k) {
		k = rows_together(sorted, i, &all);
		json_array_append_new(rows, calibration_row(sorted, i, k, all));
	}
	json_decref(sorted);
	return rows;
}

/* ---- figures ------------------------------------------------------------------------ */

/* Text of an SVG, in place. */
static void
unescape(char *text)
{
	static const char *const names[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"};
	char *to = text;
	for (size_t k; *text; *to++ = k < COUNT(names) ? "<>&\"'"[k] : *text++) {
		for (k = 0; k < COUNT(names); k++)
			if (strncmp(text, names[k], strlen(names[k])) == 0)
				break;
		text += k < COUNT(names) ? strlen(names[k]) : 0;
	}
	*to = '\0';
}

/* What the page says of a figure before it is loaded: its title, and the size that it takes, so
 * that links into the page lead there. */
static json_t *
figure(const char *path)
{
	size_t n;
	char *svg = file_read(path, FIGURE_BYTES, &n), *from = svg ? strstr(svg, "<title>") : NULL,
	    *to = from ? strstr(from, "</title>") : NULL, *end = svg ? strchr(svg, '>') : NULL,
	    *box = end ? strstr(svg, " viewBox=\"0 0 ") : NULL;
	const char *slash = strrchr(path, '/');
	double width = 0, height = 0;
	if (!svg) {
		warn("cannot read '%s':", path);
		return NULL;
	}
	bool sized = box && box < end && sscanf(box, " viewBox=\"0 0 %lf %lf", &width, &height) == 2
	    && width > 0 && height > 0 && height < MAX_PX;
	char *title = to ? xasprintf("%.*s", (int)(to - from) - 7, from + 7)
	    : xstrdup(slash ? slash + 1 : path);
	if (to)
		unescape(title);
	json_t *o = json_pack("{s:s, s:s, s:o, s:o}", "file", path, "title", title,
	    "width", sized ? json_real(width) : json_null(),
	    "height", sized ? json_real(height) : json_null());
	free(title);
	free(svg);
	return o;
}

void
model_about(json_t *model, const struct report *r)
{
	static const char *const order[] = {"-t", "path", NULL};
	json_t *figures = json_array(), *v;
	size_t i;
	json_array_foreach(r->figures, i, v)
		json_array_append_new(figures, figure(json_string_value(v)));
	json_object_set_new(model, "environment", environment(r));
	json_object_set_new(model, "method", method(r));
	json_object_set_new(model, "calibration", calibration(r));
	json_object_set_new(model, "figures", figures);
	json_object_set(model, "links", r->links);
	json_object_set_new(model, "reports", model_sorted(report_records(r, "report"), order));
}
