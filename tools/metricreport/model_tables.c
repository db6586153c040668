/* model_tables.c: the results of metricstat for any table, in the model of a report: its numbers,
 * groups, the check of a summary, the largest rows. */
#include "model_tables.h"
#include "base/die.h"
#include "base/nbscope.h"
#include "base/str.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "metric/metric_column.h"
#include "model_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool
is_total(const json_t *stat)
{
	return json_is_true(json_object_get(stat, "total"));
}

/* Returns whether a key was derived from the values. */
static bool
is_derived(const char *key)
{
	return strcmp(key, "cohort") == 0 || str_ends_with(key, "_category");
}

/* Sets the column, the title, the number of rows and the values of the keys of each record. */
static void
set_stats(const json_t *stats)
{
	json_t *o, *v;
	const char *key;
	size_t i;
	json_array_foreach((json_t *)stats, i, o) {
		json_t *keys = json_array();
		bool derived = false;
		json_object_foreach(json_object_get(o, "group"), key, v) {
			json_array_append_new(keys, json_string(json_string_value(v)
			    ? json_string_value(v) : ""));
			derived |= is_derived(key);
		}
		json_object_set_new(o, "keys", keys);
		json_object_set_new(o, "derived", json_boolean(derived));
		json_object_set_new(o, "rows", json_value_real(json_value_real_at(o, "count") +
		    json_value_real_at(o, "missing") + json_value_real_at(o, "invalid")));
		model_set_column(o);
	}
}

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
	bool used = f->when == ALWAYS;
	size_t i;
	json_t *o;
	json_array_foreach(rows, i, o)
		used |= f->when == IF_SUM ? isfinite(json_value_real_at(o, "share_pct"))
		    : json_number_value(json_object_get(o, f->key)) != 0;
	return used;
}

/* Appends a column of that heading to the table, and its value to each row; without a unit it is a
 * number of rows. */
static void
append_column(json_t *columns, const json_t *rows, const char *head, const char *list,
    const char *key, const char *unit)
{
	json_t *o;
	size_t i;
	json_array_append_new(columns, json_string(head));
	json_array_foreach(rows, i, o) {
		json_t *values = json_object_get(o, "values");
		const json_t *from = list ? json_object_get(o, list) : o;
		json_array_append_new(values, json_pack("{s:o, s:s?}", "value",
		    json_value_real(json_value_real_at(from, key)), "column", unit));
	}
}

/* Rows of all groups together are the last ones. */
static json_t *
group_table(const json_t *rows)
{
	json_t *head = json_array_get(rows, 0), *keys = json_array(), *columns = json_array(),
	    *list = json_array(), *o, *v;
	const char *key, *column = model_text(head, "full_column");
	size_t i;
	json_object_foreach(json_object_get(head, "group"), key, v)
		json_array_append_new(keys, json_string(key));
	for (int totals = 0; totals < 2; totals++)
		json_array_foreach(rows, i, o)
			if (is_total(o) == totals) {
				json_object_set_new(o, "values", json_array());
				json_array_append(list, o);
			}
	for (const struct group_column *f = figures; f < figures + COUNT(figures); f++)
		if (is_column_used(f, rows))
			append_column(columns, rows, f->head, NULL, f->key, f->as == COUNT_OF
			    ? NULL : f->as == SHARE_OF ? f->key : column);
	json_object_foreach(json_object_get(head, "percentiles"), key, v)
		append_column(columns, rows, key, "percentiles", key, column);
	return json_pack("{s:s, s:o, s:I, s:o, s:s?, s:o}", "title", model_text(head, "title"),
	    "keys", keys, "n_keys", (json_int_t)json_array_size(keys), "columns", columns,
	    "percentile_method", json_object_size(json_object_get(head, "percentiles"))
	    ? model_text(head, "percentile_method") : NULL, "rows", list);
}

/* ---- numbers ------------------------------------------------------------------------ */

/* The record with the largest value of a member: one of all groups together, of a quantity, or, of
 * the same column as `total`, one group of the finest grouping.  NULL: there is none. */
static json_t *
largest_of(const json_t *stats, const char *key, enum quantity q, const json_t *total)
{
	json_t *best = NULL, *o;
	size_t i, most_keys = 0;
	json_array_foreach((json_t *)stats, i, o) {
		const char *column = model_text(o, "full_column");
		size_t keys = total ? json_array_size(json_object_get(o, "keys")) : 0;
		double v = json_value_real_at(o, key);
		bool other = total ? strcmp(column, model_text(total, "full_column")) != 0
		    : q != OF_NOTHING && metric_unit_of(column).quantity != q;
		if (is_total(o) == (total != NULL) || other || !isfinite(v) || keys < most_keys ||
		    (total && json_is_true(json_object_get(o, "derived"))))
			continue;
		if (!best || keys > most_keys || v > json_value_real_at(best, key))
			best = o;
		most_keys = keys;
	}
	return best;
}

/* What a report of any table begins with, each with the group in which it is largest. */
static json_t *
numbers_of(const json_t *stats)
{
	static const struct {
		const char *key, *before;	/* what it is, unless the title says so */
		enum quantity quantity;
		const char *group_key, *about;	/* what is said of the group */
		const char *note;
	} numbers[] = {
		{"rows", NULL, OF_NOTHING, "count", "most of them:", NULL},
		{"sum", "total ", OF_TIME, "share_pct", "most of it:", NULL},
		{"ratio_of_sums", "", OF_NOTHING, NULL, NULL,
		    "ratio of the sums over all rows that have both"},
		{"max", "peak ", OF_BYTES, "max", "in", NULL},
	};
	json_t *list = json_array();
	for (size_t i = 0; i < COUNT(numbers); i++) {
		const char *before = numbers[i].before, *title;
		json_t *o = largest_of(stats, numbers[i].key, numbers[i].quantity, NULL);
		json_t *group = o && numbers[i].group_key
		    ? largest_of(stats, numbers[i].group_key, OF_NOTHING, o) : NULL;
		if (!o)
			continue;
		title = model_text(o, "title");
		bool said = before && strncmp(title, before, strlen(before)) == 0;
		double pct = !before ? 100 * json_value_real_at(group, "count") /
		    json_value_real_at(o, "rows") : numbers[i].quantity == OF_TIME
		    ? json_value_real_at(group, "share_pct") : (double)NAN;
		json_array_append_new(list, json_pack("{s:o, s:s?, s:o, s:O, s:s?, s:s?, s:O?}",
		    "pct", json_value_real(pct), "note", numbers[i].note,
		    "title", !before ? json_string("Rows") :
		    json_sprintf("%s%s", said ? "" : before, title), "value",
		    json_object_get(o, numbers[i].key), "column", before
		    ? model_text(o, "full_column") : NULL, "about", numbers[i].about,
		    "group", group));
	}
	return list;
}

/* The number of values of each key. */
static json_t *
key_counts(const json_t *stats)
{
	json_t *keys = json_object(), *list = json_array(), *o, *v;
	const char *key;
	size_t i;
	json_array_foreach(stats, i, o)
		json_object_foreach(json_object_get(o, "group"), key, v) {
			if (is_total(o) || is_derived(key))
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
	json_t *head = json_array_get(rows, 0), *ratio = json_null(), *o;
	const char *column = model_text(head, "full_column");
	enum quantity what = metric_unit_of(column).quantity;
	double sum = 0;
	size_t i;
	*n = 0;
	json_array_foreach(rows, i, o) {
		if (is_total(o)) {
			ratio = json_value_real(json_value_real_at(o, "ratio_of_sums"));
			continue;
		}
		sum += json_value_real_at(o, "sum");
		*n += json_value_real_at(o, "rows");
	}
	return json_pack("{s:s, s:s, s:o, s:o}", "title", model_text(head, "title"), "column",
	    column, "sum", what == OF_TIME || what == OF_ENERGY ? json_value_real(sum)
	    : json_null(), "ratio", ratio);
}

/* The number of rows, and the sums, of the first set of keys; null: there are none. */
static json_t *
lead_of(const json_t *stats, const json_t *kinds)
{
	const char *kind, *set = NULL;
	json_t *sums = json_array(), *rows;
	size_t set_n = 0;
	double n_rows = 0, n;
	json_object_foreach((json_t *)kinds, kind, rows) {
		size_t k = (size_t)(strrchr(kind, ',') ? strrchr(kind, ',') - kind : 0);
		if (set && (k != set_n || strncmp(kind, set, k) != 0))
			continue;
		json_array_append_new(sums, column_sum(rows, &n));
		n_rows = set ? n_rows : n;
		set = kind;
		set_n = k;
	}
	json_t *lead = json_pack("{s:f, s:o, s:o}", "rows", n_rows, "keys", key_counts(stats),
	    "sums", sums);
	return set ? lead : json_null();
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

/* Rows about whole columns of a summary, and those about groups; null: none was checked. */
static json_t *
check_of(const struct report *r)
{
	json_t *columns = json_array(), *groups = json_array(), *o;
	size_t i;
	json_array_foreach(r->check, i, o)
		json_array_append(*model_text(o, "summary_column") &&
		    !json_object_size(json_object_get(o, "group")) ? columns : groups, o);
	json_t *check = json_pack("{s:o, s:o}", "columns", columns, "groups", groups);
	return json_array_size(r->check) ? check : json_null();
}

void
model_tables(json_t *model, const struct report *r)
{
	json_t *groups = json_array(), *rows, *o;
	const char *kind;
	size_t i;
	set_stats(r->stats);
	json_t *kinds = group_tables(r->stats);
	json_object_foreach(kinds, kind, rows)
		json_array_append_new(groups, group_table(rows));
	json_array_foreach(r->largest, i, o) {
		const char *file = model_text(o, "file"), *slash = strrchr(file, '/');
		model_set_column(o);
		json_object_set_new(o, "file", json_string(slash ? slash + 1 : file));
	}
	json_object_set_new(model, "numbers", numbers_of(r->stats));
	json_object_set_new(model, "lead", lead_of(r->stats, kinds));
	json_object_set_new(model, "notes", notes_of(r));
	json_object_set_new(model, "groups", groups);
	json_object_set_new(model, "check", check_of(r));
	json_object_set(model, "largest", r->largest);
	json_decref(kinds);
}
