/* model_cell.c: one cell in the model of a report: its row, and the bar of its phases. */
#include "model_cell.h"
#include "base/die.h"
#include "base/num.h"
#include "html.h"
#include "json/json_value.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAR_UNITS = 1000, MIN_UNITS = 2 };

/* "c-NAME/5" in characters that are valid in an id and in an address; the caller's. */
static char *
cell_anchor(const char *name, long index)
{
	struct buf b = {0};
	buf_addf(&b, "c-");
	for (const unsigned char *c = (const unsigned char *)name; *c; c++)
		if (isalnum(*c) || strchr("._-", *c))
			buf_add(&b, c, 1);
		else
			buf_addf(&b, "~%02x", *c);
	buf_addf(&b, "/%ld", index);
	return b.p;
}

json_t *
model_href(const struct report *r, const struct report_notebook *k, bool page, const char *at)
{
	struct buf b = {0};
	if (!r->pages || !html_is_file_name(k->name))
		return json_null();
	buf_addf(&b, "%s%s", page ? "" : r->pages, page ? "" : "/");
	html_url(&b, k->name);
	buf_addf(&b, ".html%s%s", *at ? "#" : "", at);
	json_t *href = json_string(b.p);
	buf_free(&b);
	return href;
}

void
model_link(json_t *row, const struct report *r, const struct report_notebook *k, long index)
{
	char *anchor = cell_anchor(k->name, index);
	json_object_set_new(row, "notebook", json_string(k->title));
	json_object_set_new(row, "href", model_href(r, k, false, index ? anchor : ""));
	free(anchor);
}

/* ---- bars of phases ----------------------------------------------------------------- */

/* Returns whether the cell spent time in the phase, and it is shown. */
static bool
has_phase(const struct report *r, const struct phase_times *s, enum phase k)
{
	return phase_is_shown(k, r->phases_separable) && s->s[k] > 0;
}

static json_t *
bar_part(enum phase k, double from_s, double s, double all_s, double scale_s)
{
	return json_pack("{s:s, s:f, s:f, s:f, s:f}", "phase", phase_defs[k].name, "s", s, "pct",
	    100 * s / all_s, "x", BAR_UNITS * from_s / scale_s, "width",
	    BAR_UNITS * s / scale_s);
}

/* The part of render, which begins at from_s, in which the answer waited for the browser; null: too
 * small to be seen, or unknown. */
static json_t *
bar_handling(const struct phase_times *s, double from_s, double scale_s)
{
	double handling_s = fmin(num_or_0(s->handling_s), num_or_0(s->s[PHASE_RENDER]));
	if (BAR_UNITS * handling_s < MIN_UNITS * scale_s)
		return json_null();
	return bar_part(PHASE_RENDER, from_s, handling_s, scale_s, scale_s);
}

json_t *
model_bar(const struct report *r, const struct phase_times *s, double client_s, double from_s,
    double scale_s)
{
	double all_s = phase_sum_s(s, r->phases_separable), at = from_s;
	scale_s = scale_s > 0 ? scale_s : all_s;
	if (!(client_s > 0) || !(scale_s > 0))
		return json_null();
	json_t *parts = json_array();
	for (enum phase k = 0; k < N_PHASES; k++)
		if (has_phase(r, s, k)) {
			json_array_append_new(parts, bar_part(k, at, s->s[k], all_s, scale_s));
			at += s->s[k];
		}
	return json_pack("{s:o, s:o}", "parts", parts, "handling",
	    bar_handling(s, at - num_or_0(s->s[PHASE_RENDER]), scale_s));
}

/* ---- rows --------------------------------------------------------------------------- */

const char *
model_status_class(enum cell_status status)
{
	static const char *const classes[] = {[CELL_PASSED] = "status good",
		[CELL_AT_FAULT] = "status bad", [CELL_BROKEN] = "status bad",
		[CELL_LEFT_OUT] = "status"};
	return classes[cell_status_outcome(status)];
}

void
model_set_runs(json_t *row, size_t n, double least_s, double median_s, double most_s, double s)
{
	json_object_update_new(row, json_pack("{s:I, s:o, s:o, s:o, s:o, s:b, s:b}", "runs",
	    (json_int_t)n, "client_s", json_value_real(s), "least_s", json_value_real(least_s),
	    "median_s", json_value_real(median_s), "most_s", json_value_real(most_s),
	    "has_range", n > 1 && isfinite(least_s),
	    "is_median", !isfinite(median_s) || s == median_s));
}

json_t *
model_cell(const struct report *r, const struct cell_row *row, double scale_s)
{
	const struct report_cell *c = &r->cells[row->shown];
	const struct report_notebook *k = &r->notebook[row->notebook];
	char *anchor = cell_anchor(k->name, c->index);
	json_t *phases = json_array();
	for (enum phase p = 0; p < N_PHASES; p++)
		if (phase_is_shown(p, r->phases_separable))
			json_array_append_new(phases, c->client_s > 0
			    ? json_value_real(c->spent.s[p]) : json_null());
	json_t *o = json_pack("{s:s, s:I, s:s?, s:s?, s:s, s:s, s:o, s:o, s:o, s:o, s:s?}", 
	    "anchor", anchor, "cell", (json_int_t)c->index,
	    "line", c->line, "heading", c->heading, "status", cell_status_shown(c->status),
	    "class", model_status_class(c->status), "phases_s", phases, "bar", scale_s < 0
	    ? json_null() : model_bar(r, &c->spent, c->client_s, 0, scale_s),
	    "peak_mb", json_value_real(c->peak_bytes / 1e6),
	    "received_mb", json_value_real(c->received_mb), "diagnosis", c->diagnosis);
	model_set_runs(o, row->n, row->least_s, row->median_s, row->most_s, c->client_s);
	model_link(o, r, k, c->index);
	free(anchor);
	return o;
}
