/* model_cell.c: one cell in the model of a report: its row, and the bar of its phases. */
#include "model_cell.h"
#include "base/die.h"
#include "base/num.h"
#include "html.h"
#include "json/json_value.h"

#include <ctype.h>

#define MIN_SHARE 0.002	/* of a bar: less cannot be seen */

char *
model_anchor(const struct report_notebook *k, long index)
{
	struct buf b = {0};
	buf_addf(&b, "c-");
	for (const unsigned char *c = (const unsigned char *)k->name; *c; c++)
		if (isalnum(*c) || strchr("._-", *c))
			buf_add(&b, c, 1);
		else
			buf_addf(&b, "~%02x", *c);
	if (index)
		buf_addf(&b, "/%ld", index);
	return b.p;
}

json_t *
model_file(const struct report *r, const struct report_notebook *k)
{
	struct buf b = {0};
	if (!r->pages || !html_is_file_name(k->name))
		return json_null();
	html_url(&b, k->name);
	buf_addf(&b, ".html");
	json_t *file = json_string(b.p);
	buf_free(&b);
	return file;
}

void
model_link(json_t *row, const struct report_notebook *k, long index)
{
	char *anchor = index ? model_anchor(k, index) : NULL;
	json_object_set(row, "notebook", json_object_get(k->o, "notebook"));
	json_object_set(row, "file", json_object_get(k->o, "file"));
	json_object_set_new(row, "anchor", json_value_text(anchor));
	free(anchor);
}

/* ---- bars of phases ----------------------------------------------------------------- */

void
model_bar(json_t *o, const struct report *r, const struct phase_times *s, double client_s,
    double scale_s)
{
	double all_s = phase_sum_s(s, r->phases_separable), at = 0;
	double handling_s = fmin(num_or_0(s->handling_s), num_or_0(s->s[PHASE_RENDER]));
	json_t *parts = json_array();
	scale_s = scale_s > 0 ? scale_s : all_s;
	for (enum phase k = 0; k < N_PHASES; k++) {
		double part_s = client_s > 0 ? s->s[k] : (double)NAN;
		if (!phase_is_shown(k, r->phases_separable))
			continue;
		json_array_append_new(parts, json_pack("{s:s, s:o, s:f, s:o}", "phase",
		    phase_defs[k].name, "s", json_value_real(part_s), "x", at, "pct",
		    part_s > 0 ? json_real(100 * part_s / all_s) : json_null()));
		at += part_s > 0 ? part_s : 0;
	}
	bool seen = handling_s >= MIN_SHARE * scale_s && client_s > 0;
	json_object_set_new(o, "parts", parts);
	json_object_set_new(o, "sum_s", json_real(all_s));
	json_object_set_new(o, "scale_s", json_value_real(client_s > 0 ? scale_s : (double)NAN));
	json_object_set_new(o, "handling", seen ? json_pack("{s:f, s:f}", "s", handling_s,
	    "x", at - num_or_0(s->s[PHASE_RENDER])) : json_null());
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
	json_object_set_new(row, "runs", json_integer((json_int_t)n));
	json_object_set_new(row, "client_s", json_value_real(s));
	json_object_set_new(row, "least_s", json_value_real(least_s));
	json_object_set_new(row, "median_s", json_value_real(median_s));
	json_object_set_new(row, "most_s", json_value_real(most_s));
	json_object_set_new(row, "has_range", json_boolean(n > 1 && isfinite(least_s)));
	json_object_set_new(row, "is_median", json_boolean(!isfinite(median_s) || s == median_s));
}

/* What model.jq has made of the records of other filters. */
static void
set_of_others(json_t *o, const struct report *r, const struct report_cell *c)
{
	const struct run_summary *v = &r->sum.v[c->result];
	char *of_run = xasprintf("%s/%ld/%ld", v->name, v->repetition, c->index);
	char *of_cell = xasprintf("%s/%ld", v->name, c->index);
	json_t *spark = json_object_get(r->spark, of_run);
	json_t *mistakes = json_object_get(r->mistakes, of_cell);
	json_object_set(o, "spark", spark ? spark : json_null());
	json_object_set(o, "mistakes", mistakes ? mistakes : json_null());
	free(of_run);
	free(of_cell);
}

json_t *
model_cell(const struct report *r, const struct cell_row *row)
{
	const struct report_cell *c = &r->cells[row->shown];
	json_t *o = report_cell_object(c);
	json_object_set_new(o, "cell", json_integer(c->index));
	json_object_set_new(o, "status", json_string(cell_status_shown(c->status)));
	json_object_set_new(o, "class", json_string(model_status_class(c->status)));
	model_bar(o, r, &c->spent, c->client_s, 0);
	model_set_runs(o, row->n, row->least_s, row->median_s, row->most_s, c->client_s);
	model_link(o, &r->notebook[row->notebook], c->index);
	set_of_others(o, r, c);
	return o;
}
