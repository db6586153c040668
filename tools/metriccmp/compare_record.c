/* compare_record.c: a comparison for programs: records and CSV. */
#include "compare_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/die.h"
#include "json/csv.h"
#include "json/json_text.h"
#include "json/json_value.h"

static void
set_member(json_t *r, const char *key, json_t *v)
{
	if (!v || json_object_set_new(r, key, v) < 0)
		die(ST_SYSTEM, "out of memory");
}

static json_t *
test_record(const struct comparison *cmp, size_t at)
{
	const struct test *t = &cmp->test[at];
	const struct compare_row *row = &cmp->row[at];
	const char *column = cmp->m->metric[row->metric];
	json_t *r = json_object();
	set_member(r, "type", json_string("comparison"));
	set_member(r, "usecase", json_value_text(row->cell->usecase));
	set_member(r, "name", json_string(row->cell->name));
	set_member(r, "params", row->cell->params ? json_incref(row->cell->params) : json_null());
	set_member(r, "cell_index", row->cell->index > 0 ? json_integer(row->cell->index) :
	    json_null());
	set_member(r, "cell_id", json_value_text(row->cell->id));
	set_member(r, "source_line", json_value_text(row->cell->line));
	set_member(r, "metric", json_string(column));
	set_member(r, "unit", json_string(metric_unit(column)));
	set_member(r, "base", json_string(cmp->m->label[cmp->base].name));
	set_member(r, "label", json_string(cmp->m->label[row->label].name));
	set_member(r, "gate", json_boolean(t->gate));
	set_member(r, "answer", json_string(two_samples_answers[t->answer]));
	set_member(r, "base_runs", json_integer((json_int_t)t->m));
	set_member(r, "runs", json_integer((json_int_t)t->n));
	set_member(r, "base_median", json_value_real(t->x_median));
	set_member(r, "median", json_value_real(t->y_median));
	set_member(r, "base_mad", json_value_real(t->x_mad));
	set_member(r, "mad", json_value_real(t->y_mad));
	set_member(r, "ratio", json_value_real(t->y_median / t->x_median));
	set_member(r, "shift", json_value_real(t->shift.shift));
	set_member(r, "shift_low", json_value_real(t->shift.low));
	set_member(r, "shift_high", json_value_real(t->shift.high));
	set_member(r, "u", json_value_real(t->sum.u));
	set_member(r, "p", json_value_real(t->sum.p));
	set_member(r, "p_exact", json_boolean(t->sum.exact));
	set_member(r, "q", json_value_real(t->q));
	set_member(r, "cliffs_delta", json_value_real(t->sum.delta));
	set_member(r, "spread_d", isfinite(t->spread.p) ? json_value_real(t->spread.d) :
	    json_null());
	set_member(r, "spread_p", json_value_real(t->spread.p));
	set_member(r, "spread_q", json_value_real(t->spread_q));
	set_member(r, "threshold", json_value_real(t->threshold));
	set_member(r, "tolerance", json_value_real(t->tolerance));
	set_member(r, "minimum_detectable_effect", json_value_real(t->detectable));
	set_member(r, "runs_needed", t->runs_needed ? json_integer((json_int_t)t->runs_needed) :
	    json_null());
	return r;
}

static json_t *
differences_list(const struct comparison *cmp)
{
	json_t *list = json_array();
	for (size_t i = 0; i < cmp->differences; i++) {
		const struct compare_difference *d = &cmp->difference[i];
		json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:b}", "what", d->what,
		    "label", cmp->m->label[d->label].name, "base_value", d->base, "label_value",
		    d->label_value, "allowed", d->allowed));
	}
	return list;
}

static json_t *
failures_list(const struct comparison *cmp)
{
	json_t *list = json_array();
	for (size_t i = 0; i < cmp->failures; i++) {
		const struct compare_failure *f = &cmp->failure[i];
		json_array_append_new(list, json_pack("{s:s, s:o, s:s, s:I, s:I, s:I, s:I, s:s}",
		    "name", f->cell->name, "cell_index", f->cell->index > 0 ?
		    json_integer(f->cell->index) : json_null(), "label",
		    cmp->m->label[f->label].name, "base_failed", (json_int_t)f->base_failed,
		    "base_runs", (json_int_t)f->base_runs, "failed", (json_int_t)f->failed, "runs",
		    (json_int_t)f->runs, "answer", two_samples_answers[f->answer]));
	}
	return list;
}

static json_t *
means_list(const struct comparison *cmp)
{
	json_t *list = json_array();
	for (size_t i = 0; i < cmp->means; i++)
		json_array_append_new(list, json_pack("{s:s, s:s, s:I, s:o}", "metric",
		    cmp->m->metric[cmp->mean[i].metric], "label",
		    cmp->m->label[cmp->mean[i].label].name, "cells", (json_int_t)cmp->mean[i].cells,
		    "ratio", json_value_real(cmp->mean[i].ratio)));
	return list;
}

static json_t *
interleaving_list(const struct comparison *cmp)
{
	json_t *list = json_array();
	for (size_t i = 0; i < cmp->interleaves; i++) {
		const struct interleave *t = &cmp->interleave[i];
		json_array_append_new(list, json_pack(
		    "{s:s, s:s, s:s, s:s?, s:O?, s:o, s:I, s:I, s:o}", "label",
		    cmp->m->label[t->label].name, "a", cmp->m->label[t->a].name, "b",
		    cmp->m->label[t->b].name, "order", t->order, "seed", t->seed, "interleaved",
		    t->order ? json_boolean(t->interleaved) : json_null(), "notebooks",
		    (json_int_t)t->notebooks, "other_orders", (json_int_t)t->other_orders,
		    "apart_s", json_value_real(t->apart_s)));
	}
	return list;
}

json_t *
compare_verdict(const struct comparison *cmp, const struct compare_settings *s)
{
	json_t *r = json_object(), *labels = json_array();
	const struct test_totals *c = &cmp->totals;
	for (size_t l = 0; l < cmp->m->labels; l++)
		if (l != cmp->base)
			json_array_append_new(labels, json_string(cmp->m->label[l].name));
	set_member(r, "type", json_string("comparison_verdict"));
	set_member(r, "verdict", json_string(two_samples_answers[cmp->answer]));
	set_member(r, "reason", json_value_text(cmp->reason));
	set_member(r, "line", json_string(cmp->line));
	set_member(r, "t", json_value_t(clock_unix_s()));
	set_member(r, "base", json_string(cmp->m->label[cmp->base].name));
	set_member(r, "labels", labels);
	set_member(r, "fails_on", json_string(s->worse_only ? "worse" : "unknown"));
	set_member(r, "tests", json_integer((json_int_t)c->family));
	set_member(r, "no_worse", json_integer((json_int_t)c->count[NO_WORSE]));
	set_member(r, "better", json_integer((json_int_t)c->count[BETTER]));
	set_member(r, "worse", json_integer((json_int_t)c->count[WORSE]));
	set_member(r, "unknown", json_integer((json_int_t)c->count[UNKNOWN]));
	set_member(r, "min_runs", json_integer((json_int_t)c->min_runs));
	set_member(r, "max_runs", json_integer((json_int_t)c->max_runs));
	set_member(r, "runs_needed", c->runs_needed ? json_integer((json_int_t)c->runs_needed) :
	    json_null());
	set_member(r, "alpha", json_real(s->test.alpha));
	set_member(r, "min_p", c->min_runs ? json_real(c->min_p) : json_null());
	set_member(r, "max_detectable_tests", json_integer((json_int_t)c->max_detectable));
	set_member(r, "min_simultaneous", c->min_simultaneous ?
	    json_integer((json_int_t)c->min_simultaneous) : json_null());
	set_member(r, "only_base", json_integer((json_int_t)cmp->only_base));
	set_member(r, "only_label", json_integer((json_int_t)cmp->only_label));
	set_member(r, "geometric_means", means_list(cmp));
	set_member(r, "interleaving", interleaving_list(cmp));
	set_member(r, "differences", differences_list(cmp));
	set_member(r, "failures", failures_list(cmp));
	return r;
}

static void
append_record(struct buf *b, json_t *r)
{
	json_text_add(b, r);
	if (buf_add(b, "\n", 1) < 0)
		die(ST_SYSTEM, "more than a gigabyte of results");
	json_decref(r);
}

void
compare_records(struct buf *b, const struct comparison *cmp, const struct compare_settings *s)
{
	for (size_t i = 0; i < cmp->n && !cmp->refused; i++)
		append_record(b, test_record(cmp, i));
	append_record(b, compare_verdict(cmp, s));
}

void
compare_csv(struct buf *b, const struct comparison *cmp)
{
	for (size_t i = 0; i < cmp->n && !cmp->refused; i++) {
		json_t *r = test_record(cmp, i), *v;
		const char *key;
		size_t k = 0;
		json_object_del(r, "type");
		if (i == 0)
			json_object_foreach(r, key, v)
				buf_addf(b, "%s%s", k++ ? "," : "", key);
		if (i == 0)
			buf_addf(b, "\r\n");
		k = 0;
		json_object_foreach(r, key, v) {
			buf_add(b, ",", k++ ? 1 : 0);
			csv_value(b, v, true);
		}
		if (buf_add(b, "\r\n", 2) < 0)
			die(ST_SYSTEM, "more than a gigabyte of results");
		json_decref(r);
	}
}
