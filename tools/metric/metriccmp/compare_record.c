/* compare_record.c: a comparison for programs: records and CSV. */
#include "compare_record.h"

#include "base/clock.h"
#include "base/die.h"
#include "compare_text.h"
#include "json/csv.h"
#include "json/json_text.h"
#include "json/json_value.h"

static json_t *
test_record(const struct comparison *cmp, size_t at)
{
	const struct test *t = &cmp->test[at];
	const struct result_cell *cell = cmp->row[at].cell;
	const char *column = cmp->m->metric[cmp->row[at].metric];
	json_t *r = json_pack(
	    "{s:s, s:s?, s:s, s:O?, s:o, s:s?, s:s?, s:s, s:s, s:s, s:s, s:b, s:s, "
	    "s:I, s:I, s:s*}", "type", "comparison", "usecase", cell->usecase, "name", cell->name,
	    "params", cell->params, "cell_index", json_value_above_0(cell->index),
	    "cell_id", cell->id, "source_line", cell->line, "metric", column,
	    "unit", metric_unit(column),
	    "base", cmp->m->label[cmp->base].name, "label", cmp->m->label[cmp->row[at].label].name,
	    "gate", t->gate, "result", test_result_word(t->result),
	    "base_runs", (json_int_t)t->m, "runs", (json_int_t)t->n,
	    "interaction", cell->interaction);
	const struct { const char *key; double x; } reals[] =
	    {{"base_median", t->x_median}, {"median", t->y_median}, {"base_mad", t->x_mad},
	    {"mad", t->y_mad}, {"ratio", t->y_median / t->x_median}, {"shift", t->shift.shift},
	    {"shift_low", t->shift.low}, {"shift_high", t->shift.high}, {"u", t->sum.u},
	    {"p", t->sum.p}, {"q", t->q}, {"cliffs_delta", t->sum.delta},
	    {"spread_p", t->deviations.p}, {"spread_q", t->spread_q},
	    {"threshold", t->threshold}, {"tolerance", t->tolerance},
	    {"minimum_detectable_effect", t->detectable}, {"cv", t->cv}};
	for (size_t i = 0; r && i < COUNT(reals); i++)
		json_object_set_new(r, reals[i].key, json_value_real(reals[i].x + 0.0));
	char *change = compare_change(cmp, at), *result = compare_result(cmp, at);
	xjson_value_join(r, json_pack("{s:o, s:b, s:b, s:o, s:b, s:s?, s:s, s:s}", 
	    "pairs", json_value_above_0((json_int_t)t->pairs_known),
	    "steady", t->steady, "p_exact", t->sum.exact,
	    "runs_needed", json_value_above_0((json_int_t)t->runs_needed), "below_floor", t->small,
	    "spread", two_samples_spreads[t->spread], "change", change, "result_text", result));
	free(change);
	free(result);
	return r;
}

static json_t *
differences_list(const struct comparison *cmp)
{
	json_t *list = json_array();
	for (size_t i = 0; i < cmp->differences; i++) {
		const struct compare_difference *d = &cmp->difference[i];
		json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:b}", "what", d->what,
		    "label", cmp->m->label[d->label].name, "base_value", d->base,
		    "label_value", d->label_value, "allowed", d->allowed));
	}
	return list;
}

static json_t *
failures_list(const struct comparison *cmp)
{
	json_t *list = json_array();
	for (size_t i = 0; i < cmp->failures; i++) {
		const struct compare_failure *f = &cmp->failure[i];
		json_array_append_new(list, json_pack("{s:s, s:o, s:s*, s:s, s:I, s:I, s:I, s:I, s:s}",
		    "name", f->cell->name, "cell_index", json_value_above_0(f->cell->index),
		    "interaction", f->cell->interaction,
		    "label", cmp->m->label[f->label].name,
		    "base_failed", (json_int_t)f->base_failed,
		    "base_runs", (json_int_t)f->base_runs, "failed", (json_int_t)f->failed,
		    "runs", (json_int_t)f->runs, "result", test_result_word(f->result)));
	}
	return list;
}

static json_t *
means_list(const struct comparison *cmp)
{
	json_t *list = json_array();
	for (size_t i = 0; i < cmp->means; i++)
		json_array_append_new(list, json_pack("{s:s, s:s, s:I, s:o}",
		    "metric", cmp->m->metric[cmp->mean[i].metric],
		    "label", cmp->m->label[cmp->mean[i].label].name,
		    "cells", (json_int_t)cmp->mean[i].cells,
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
		    "{s:s, s:s, s:s, s:s?, s:O?, s:o, s:I, s:I, s:o}",
		    "label", cmp->m->label[t->label].name, "a", cmp->m->label[t->a].name,
		    "b", cmp->m->label[t->b].name, "order", t->order, "seed", t->seed,
		    "interleaved", t->order ? json_boolean(t->interleaved) : json_null(),
		    "notebooks", (json_int_t)t->notebooks,
		    "other_orders", (json_int_t)t->other_orders,
		    "apart_s", json_value_real(t->gap_s)));
	}
	return list;
}

json_t *
compare_verdict(const struct comparison *cmp, const struct compare_settings *s)
{
	json_t *labels = json_array();
	const struct test_totals *c = &cmp->totals;
	for (size_t l = 0; l < cmp->m->labels; l++)
		if (l != cmp->base)
			json_array_append_new(labels, json_string(cmp->m->label[l].name));
	json_t *r = json_pack("{s:s, s:s, s:s?, s:s, s:o, s:s, s:o, s:s, s:I, s:I, s:I, s:I, s:I}",
	    "type", "comparison_verdict", "verdict", test_result_word(cmp->result),
	    "reason", cmp->reason, "line", cmp->line, "t", json_value_time(clock_unix_s()),
	    "base", cmp->m->label[cmp->base].name, "labels", labels,
	    "fails_on", s->worse_only ? "worse" : "unknown", "tests", (json_int_t)c->family,
	    "no_worse", (json_int_t)c->count[NO_WORSE], "better", (json_int_t)c->count[BETTER],
	    "worse", (json_int_t)c->count[WORSE], "unknown", (json_int_t)c->count[UNKNOWN]);
	return xjson_value_join(r, json_pack(
	    "{s:I, s:I, s:o, s:f, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o}",
	    "min_runs", (json_int_t)c->min_runs, "max_runs", (json_int_t)c->max_runs,
	    "runs_needed", json_value_above_0((json_int_t)c->runs_needed), "alpha", s->test.alpha,
	    "max_detectable_tests", (json_int_t)c->max_detectable,
	    "cells", (json_int_t)cmp->contention.cells,
	    "busy_cells", (json_int_t)cmp->contention.waited[WAIT_OTHERS].cells,
	    "only_base", (json_int_t)cmp->only_base, "only_label", (json_int_t)cmp->only_label,
	    "geometric_means", means_list(cmp), "interleaving", interleaving_list(cmp),
	    "differences", differences_list(cmp), "failures", failures_list(cmp)));
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
compare_csv(struct buf *b, const struct comparison *cmp, bool escape)
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
			csv_value(b, v, escape);
		}
		if (buf_add(b, "\r\n", 2) < 0)
			die(ST_SYSTEM, "more than a gigabyte of results");
		json_decref(r);
	}
}
