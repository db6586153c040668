/* abrecord.c: a comparison for programs: records and CSV. */
#include "compare_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json/csv.h"

static json_t *
real_or_null(double x)
{
	return isfinite(x) ? json_real(x + 0.0) : json_null();
}

static json_t *
text_or_null(const char *text)
{
	return text ? json_string(text) : json_null();
}

static void
set(json_t *r, const char *key, json_t *v)
{
	if (!v || json_object_set_new(r, key, v) < 0)
		die(ST_SYSTEM, "out of memory");
}

static json_t *
of_test(const struct ab *ab, size_t at)
{
	const struct test *t = &ab->test[at];
	const struct ab_row *row = &ab->row[at];
	const char *column = ab->m->metric[row->metric];
	json_t *r = json_object();
	set(r, "type", json_string("comparison"));
	set(r, "usecase", text_or_null(row->cell->usecase));
	set(r, "name", json_string(row->cell->name));
	set(r, "params", row->cell->params ? json_incref(row->cell->params) : json_null());
	set(r, "cell_index", row->cell->index > 0 ? json_integer(row->cell->index) : json_null());
	set(r, "cell_id", text_or_null(row->cell->id));
	set(r, "source_line", text_or_null(row->cell->line));
	set(r, "metric", json_string(column));
	set(r, "unit", json_string(metric_unit(column)));
	set(r, "base", json_string(ab->m->label[ab->base].name));
	set(r, "label", json_string(ab->m->label[row->label].name));
	set(r, "gate", json_boolean(t->gate));
	set(r, "answer", json_string(answer_words[t->answer]));
	set(r, "base_runs", json_integer((json_int_t)t->m));
	set(r, "runs", json_integer((json_int_t)t->n));
	set(r, "base_median", real_or_null(t->x_median));
	set(r, "median", real_or_null(t->y_median));
	set(r, "base_mad", real_or_null(t->x_mad));
	set(r, "mad", real_or_null(t->y_mad));
	set(r, "ratio", real_or_null(t->y_median / t->x_median));
	set(r, "shift", real_or_null(t->shift.shift));
	set(r, "shift_low", real_or_null(t->shift.low));
	set(r, "shift_high", real_or_null(t->shift.high));
	set(r, "u", real_or_null(t->sum.u));
	set(r, "p", real_or_null(t->sum.p));
	set(r, "p_exact", json_boolean(t->sum.exact));
	set(r, "q", real_or_null(t->q));
	set(r, "cliffs_delta", real_or_null(t->sum.delta));
	set(r, "spread_d", isfinite(t->spread.p) ? real_or_null(t->spread.d) : json_null());
	set(r, "spread_p", real_or_null(t->spread.p));
	set(r, "spread_q", real_or_null(t->spread_q));
	set(r, "threshold", real_or_null(t->threshold));
	set(r, "tolerance", real_or_null(t->tolerance));
	set(r, "minimum_detectable_effect", real_or_null(t->seen));
	set(r, "runs_needed", t->runs ? json_integer((json_int_t)t->runs) : json_null());
	return r;
}

static json_t *
of_differences(const struct ab *ab)
{
	json_t *list = json_array();
	for (size_t i = 0; i < ab->differences; i++) {
		const struct ab_difference *d = &ab->difference[i];
		json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:b}", "what", d->what, "label", ab->m->label[d->label].name,
		    "base_value", d->base, "label_value", d->label_value, "allowed", d->meant));
	}
	return list;
}

static json_t *
of_failures(const struct ab *ab)
{
	json_t *list = json_array();
	for (size_t i = 0; i < ab->failures; i++) {
		const struct ab_failure *f = &ab->failure[i];
		json_array_append_new(list, json_pack("{s:s, s:o, s:s, s:I, s:I, s:I, s:I, s:s}", "name", f->cell->name,
		    "cell_index", f->cell->index > 0 ? json_integer(f->cell->index) : json_null(), "label", ab->m->label[f->label].name,
		    "base_failed", (json_int_t)f->base_failed, "base_runs", (json_int_t)f->base_runs, "failed", (json_int_t)f->failed,
		    "runs", (json_int_t)f->runs, "answer", answer_words[f->answer]));
	}
	return list;
}

static json_t *
of_means(const struct ab *ab)
{
	json_t *list = json_array();
	for (size_t i = 0; i < ab->means; i++)
		json_array_append_new(list, json_pack("{s:s, s:s, s:I, s:o}", "metric", ab->m->metric[ab->mean[i].metric], "label",
		    ab->m->label[ab->mean[i].label].name, "cells", (json_int_t)ab->mean[i].cells, "ratio", real_or_null(ab->mean[i].ratio)));
	return list;
}

static json_t *
of_turns(const struct ab *ab)
{
	json_t *list = json_array();
	for (size_t i = 0; i < ab->turns_n; i++) {
		const struct ab_turns *t = &ab->turns[i];
		json_array_append_new(list, json_pack("{s:s, s:O?, s:o}", "label", ab->m->label[t->label].name, "order", t->order, "apart_s", real_or_null(t->apart_s)));
	}
	return list;
}

json_t *
ab_verdict(const struct ab *ab, const struct ab_settings *s)
{
	json_t *r = json_object(), *labels = json_array();
	const struct compared *c = &ab->sum;
	for (size_t l = 0; l < ab->m->labels; l++)
		if (l != ab->base)
			json_array_append_new(labels, json_string(ab->m->label[l].name));
	set(r, "type", json_string("comparison_verdict"));
	set(r, "verdict", json_string(answer_words[ab->answer]));
	set(r, "reason", text_or_null(ab->reason));
	set(r, "line", json_string(ab->line));
	set(r, "t", json_value_t(clock_unix_s()));
	set(r, "base", json_string(ab->m->label[ab->base].name));
	set(r, "labels", labels);
	set(r, "fails_on", json_string(s->worse_only ? "worse" : "unknown"));
	set(r, "tests", json_integer((json_int_t)c->family));
	set(r, "no_worse", json_integer((json_int_t)c->count[NO_WORSE]));
	set(r, "better", json_integer((json_int_t)c->count[BETTER]));
	set(r, "worse", json_integer((json_int_t)c->count[WORSE]));
	set(r, "unknown", json_integer((json_int_t)c->count[UNKNOWN]));
	set(r, "least_runs", json_integer((json_int_t)c->few));
	set(r, "most_runs", json_integer((json_int_t)c->many));
	set(r, "runs_needed", c->runs ? json_integer((json_int_t)c->runs) : json_null());
	set(r, "alpha", json_real(s->how.alpha));
	set(r, "least_p", c->few ? json_real(c->least_p) : json_null());
	set(r, "max_detectable_tests", json_integer((json_int_t)c->alone));
	set(r, "min_simultaneous", c->together ? json_integer((json_int_t)c->together) : json_null());
	set(r, "only_base", json_integer((json_int_t)ab->only_base));
	set(r, "only_label", json_integer((json_int_t)ab->only_label));
	set(r, "geometric_means", of_means(ab));
	set(r, "turns", of_turns(ab));
	set(r, "differences", of_differences(ab));
	set(r, "failures", of_failures(ab));
	return r;
}

static void
add_record(struct buf *b, json_t *r)
{
	json_text_add(b, r);
	if (buf_add(b, "\n", 1) < 0)
		die(ST_SYSTEM, "more than a gigabyte of results");
	json_decref(r);
}

void
ab_records(struct buf *b, const struct ab *ab, const struct ab_settings *s)
{
	for (size_t i = 0; i < ab->n && !ab->refused; i++)
		add_record(b, of_test(ab, i));
	add_record(b, ab_verdict(ab, s));
}

void
ab_csv(struct buf *b, const struct ab *ab)
{
	for (size_t i = 0; i < ab->n && !ab->refused; i++) {
		json_t *r = of_test(ab, i), *v;
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
