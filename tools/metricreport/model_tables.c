/* model_tables.c: the results of metricstat for any table, in the model of a report: groups, the
 * check of a summary, the largest rows. */
#include "model_tables.h"
#include "base/die.h"
#include "base/nbscope.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "metric/metric_column.h"
#include "model_record.h"
#include "model_table_numbers.h"
#include "text/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- groups: a table for each column and set of keys -------------------------------- */

/* Records with the same key are rows of one table: "step,task,COLUMN". */
static char *
table_key(const json_t *stat)
{
	struct buf b = {0};
	const char *key;
	json_t *v;
	json_object_foreach(json_object_get(stat, "group"), key, v)
		buf_addf(&b, "%s,", key);
	buf_addf(&b, "%s", model_text(stat, "column"));
	return b.p;
}

/* {table_key(): [record, ...]}, in input order.  Two records of one group become one row with
 * the members of both. */
static json_t *
group_tables(const json_t *stats)
{
	json_t *kinds = json_object(), *known = json_object(), *o;
	size_t i;
	json_array_foreach(stats, i, o) {
		char *kind = table_key(o), *group = json_text_of(json_object_get(o, "group")),
		    *key = xasprintf("%s %s", kind, group);
		json_t *rows = json_object_get(kinds, kind), *before = json_object_get(known, key);
		if (!rows) {
			rows = json_array();
			json_object_set_new(kinds, kind, rows);
		}
		if (before) {
			json_object_update_missing(before, o);
		} else {
			json_array_append(rows, o);
			json_object_set(known, key, o);
		}
		free(key);
		free(group);
		free(kind);
	}
	json_decref(known);
	return kinds;
}

/* The columns of a table; some only where they have a value. */
static const struct group_column {
	const char *key, *head;
	enum { COUNT_OF, SHARE_OF, AMOUNT_OF } as;
	enum { ALWAYS, IF_ANY, IF_SUM } when;
} figures[] = {
	{"count", "rows", COUNT_OF, ALWAYS}, {"missing", "missing", COUNT_OF, IF_ANY},
	{"invalid", "not a number", COUNT_OF, IF_ANY}, {"sum", "total", AMOUNT_OF, IF_SUM},
	{"share_pct", "share", SHARE_OF, IF_SUM},
	{"cumulated_share_pct", "cumulative", SHARE_OF, IF_SUM},
	{"ratio_of_sums", "ratio of sums", AMOUNT_OF, IF_ANY},
	{"mean", "mean", AMOUNT_OF, ALWAYS}, {"std", "std", AMOUNT_OF, ALWAYS},
	{"min", "min", AMOUNT_OF, ALWAYS}, {"median", "median", AMOUNT_OF, ALWAYS},
	{"max", "max", AMOUNT_OF, ALWAYS}, {"iqr", "IQR", AMOUNT_OF, ALWAYS},
	{"mad", "MAD", AMOUNT_OF, ALWAYS}, {"outliers", "outliers", COUNT_OF, IF_ANY},
};

static bool
is_column_used(const struct group_column *f, const json_t *rows)
{
	size_t i;
	json_t *o;
	if (f->when == ALWAYS)
		return true;
	json_array_foreach(rows, i, o) {
		double v = json_value_real_at(o, f->key);
		if (f->when == IF_SUM ? isfinite(json_value_real_at(o, "share_pct"))
		    : isfinite(v) && v != 0)
			return true;
	}
	return false;
}

/* column NULL: it is a number of rows. */
static void
append_value(json_t *values, const json_t *o, const char *key, const char *column)
{
	json_array_append_new(values, json_pack("{s:o, s:s?}", "value",
	    json_value_real(json_value_real_at(o, key)), "column", column));
}

static json_t *
group_row(const json_t *stat, const json_t *rows, const char *column)
{
	json_t *p = json_object_get(stat, "percentiles"), *keys = json_array(),
	    *values = json_array(), *v;
	const char *key;
	json_object_foreach(json_object_get(stat, "group"), key, v)
		json_array_append_new(keys, json_string(json_string_value(v)
		    ? json_string_value(v) : ""));
	for (const struct group_column *f = figures; f < figures + COUNT(figures); f++)
		if (is_column_used(f, rows))
			append_value(values, stat, f->key, f->as == COUNT_OF ? NULL
			    : f->as == SHARE_OF ? f->key : column);
	json_object_foreach(p, key, v)
		append_value(values, p, key, column);
	return json_pack("{s:b, s:o, s:o}", "total", model_table_is_total(stat), "keys", keys,
	    "values", values);
}

static json_t *
group_table(const json_t *rows)
{
	json_t *head = json_array_get(rows, 0), *keys = json_array(), *columns = json_array(),
	    *list = json_array(), *table = json_object(), *o, *v;
	const char *key;
	size_t i;
	model_set_column(head);
	json_object_set(table, "title", json_object_get(head, "title"));
	json_object_foreach(json_object_get(head, "group"), key, v)
		json_array_append_new(keys, json_string(key));
	for (const struct group_column *f = figures; f < figures + COUNT(figures); f++)
		if (is_column_used(f, rows))
			json_array_append_new(columns, json_string(f->head));
	json_object_foreach(json_object_get(head, "percentiles"), key, v)
		json_array_append_new(columns, json_string(key));
	for (int totals = 0; totals < 2; totals++)
		json_array_foreach(rows, i, o)
			if (model_table_is_total(o) == totals)
				json_array_append_new(list, group_row(o, rows,
				    model_text(head, "full_column")));
	json_object_update_new(table, json_pack("{s:o, s:I, s:o, s:s?, s:o}", "keys", keys,
	    "n_keys", (json_int_t)json_array_size(keys), "columns", columns,
	    "percentile_method", json_object_get(head, "percentiles")
	    ? model_text(head, "percentile_method") : NULL, "rows", list));
	return table;
}

/* ---- the overview ------------------------------------------------------------------- */

/* The number of values of each key. */
static json_t *
key_counts(const json_t *stats)
{
	json_t *keys = json_object(), *list = json_array(), *o, *v;
	const char *key;
	size_t i;
	json_array_foreach(stats, i, o)
		json_object_foreach(json_object_get(o, "group"), key, v) {
			if (model_table_is_total(o) || model_table_is_derived(key))
				continue;
			if (!json_object_get(keys, key))
				json_object_set_new(keys, key, json_object());
			json_object_set_new(json_object_get(keys, key), json_string_value(v)
			    ? json_string_value(v) : "", json_true());
		}
	json_object_foreach(keys, key, v)
		json_array_append_new(list, json_pack("{s:s, s:I}", "key", key, "values",
		    (json_int_t)json_object_size(v)));
	json_decref(keys);
	return list;
}

/* The sum of a time or an energy over the groups, and the ratio of sums over all groups, which
 * only the record of the total has. */
static json_t *
column_sum(const json_t *rows, double *n)
{
	json_t *sum = json_pack("{s:n, s:n}", "sum", "ratio"), *head = json_array_get(rows, 0), *o;
	double all = 0;
	size_t i;
	*n = 0;
	model_set_column(head);
	json_object_set(sum, "title", json_object_get(head, "title"));
	json_object_set(sum, "column", json_object_get(head, "full_column"));
	json_array_foreach(rows, i, o) {
		double ratio = json_value_real_at(o, "ratio_of_sums");
		if (model_table_is_total(o) && isfinite(ratio))
			json_object_set_new(sum, "ratio", json_real(ratio));
		if (model_table_is_total(o))
			continue;
		all += json_value_real_at(o, "sum");
		*n += json_value_real_at(o, "count") + json_value_real_at(o, "missing") +
		    json_value_real_at(o, "invalid");
	}
	enum quantity what = metric_unit_of(model_text(sum, "column")).quantity;
	if (what == OF_TIME || what == OF_ENERGY)
		json_object_set_new(sum, "sum", json_value_real(all));
	return sum;
}

/* The number of rows, and the sums, of the first set of keys; null: there are none. */
static json_t *
lead(const struct report *r, const json_t *kinds)
{
	const char *kind, *set = NULL;
	json_t *sums = json_array(), *rows;
	size_t set_n = 0;
	double n_rows = 0, n;
	json_object_foreach((json_t *)kinds, kind, rows) {
		const char *end = strrchr(kind, ',');
		size_t k = end ? (size_t)(end - kind) : 0;
		if (set && (k != set_n || strncmp(kind, set, k) != 0))
			continue;
		json_array_append_new(sums, column_sum(rows, &n));
		n_rows = set ? n_rows : n;
		set = kind;
		set_n = k;
	}
	if (!set) {
		json_decref(sums);
		return json_null();
	}
	return json_pack("{s:f, s:o, s:o}", "rows", n_rows, "keys", key_counts(r->stats), "sums",
	    sums);
}

/* Each text once: several calls of metricstat note the same. */
static json_t *
notes_of(const struct report *r)
{
	json_t *seen = json_object(), *list = json_array(), *o, *v;
	const char *text;
	size_t i;
	json_array_foreach(r->notes, i, o)
		json_object_set_new(seen, model_text(o, "text"), json_true());
	json_object_foreach(seen, text, v)
		json_array_append_new(list, json_string(text));
	json_decref(seen);
	return list;
}

/* ---- the check of a summary, and the largest rows ----------------------------------- */

/* Rows about whole columns, and those about groups. */
static json_t *
check(const struct report *r)
{
	json_t *columns = json_array(), *groups = json_array(), *o;
	size_t i;
	json_array_foreach(r->check, i, o)
		json_array_append(*model_text(o, "summary_column") &&
		    !json_object_size(json_object_get(o, "group")) ? columns : groups, o);
	json_t *both = json_pack("{s:o, s:o}", "columns", columns, "groups", groups);
	return json_array_size(r->check) ? both : json_null();
}

static void
set_largest(const struct report *r)
{
	json_t *o;
	size_t i;
	json_array_foreach(r->largest, i, o) {
		const char *file = model_text(o, "file"), *slash = strrchr(file, '/');
		model_set_column(o);
		json_object_set_new(o, "file", json_string(slash ? slash + 1 : file));
	}
}

void
model_tables(json_t *model, const struct report *r)
{
	json_t *kinds = group_tables(r->stats), *groups = json_array(), *rows;
	const char *kind;
	json_object_foreach(kinds, kind, rows)
		json_array_append_new(groups, group_table(rows));
	json_object_set_new(model, "numbers", model_table_numbers(r->stats));
	json_object_set_new(model, "lead", lead(r, kinds));
	json_object_set_new(model, "notes", notes_of(r));
	json_object_set_new(model, "groups", groups);
	json_object_set_new(model, "check", check(r));
	json_object_set(model, "largest", r->largest);
	set_largest(r);
	json_decref(kinds);
}
