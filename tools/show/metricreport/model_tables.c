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

static bool
is_group_derived(const json_t *stat)
{
	const char *key;
	json_t *v;
	json_object_foreach(json_object_get(stat, "group"), key, v)
		if (is_derived(key))
			return true;
	return false;
}

/* Sets the column, the title and the number of rows of each record. */
static void
set_stats(const json_t *stats)
{
	json_t *o;
	size_t i;
	json_array_foreach((json_t *)stats, i, o) {
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

/* Returns which optional columns have a value in some row: a share, or a number other than 0. */
static json_t *
used_columns(const json_t *rows)
{
	static const char *const columns[] = {"missing", "invalid", "share_pct", "ratio_of_sums",
		"outliers"};
	json_t *used = json_object(), *o, *v;
	size_t i;
	for (const char *const *c = columns; c < columns + COUNT(columns); c++) {
		bool any = false;
		json_array_foreach((json_t *)rows, i, o) {
			v = json_object_get(o, *c);
			any |= json_number_value(v) != 0 || (json_is_number(v) && c == columns + 2);
		}
		json_object_set_new(used, *c, json_boolean(any));
	}
	return used;
}

/* Returns whether two groups have the same keys. */
static bool
same_keys(const json_t *a, const json_t *b)
{
	const char *key;
	json_t *v;
	json_object_foreach((json_t *)a, key, v)
		if (!json_object_get(b, key))
			return false;
	return json_object_size(a) == json_object_size(b);
}

/* Rows of all groups together are the last ones.  Each has the percentiles of the first one.  Only
 * tables with the keys of the first table are summed up in the overview. */
static json_t *
group_table(const json_t *rows, const json_t *first)
{
	json_t *head = json_array_get(rows, 0), *percentiles = json_object_get(head, "percentiles"),
	    *list = json_array(), *o, *v;
	const char *key;
	size_t i;
	double sum = 0, n = 0;
	enum quantity what = metric_unit_of(model_text(head, "full_column")).quantity;
	const json_t *keys = json_object_get(head, "group");
	for (int totals = 0; totals < 2; totals++)
		json_array_foreach(rows, i, o) {
			json_t *own = json_object();
			if (is_total(o) != totals)
				continue;
			json_object_foreach(percentiles, key, v) {
				v = json_object_get(json_object_get(o, "percentiles"), key);
				json_object_set(own, key, v ? v : json_null());
			}
			json_array_append(list, o);
			json_object_set_new(o, "shown_percentiles", own);
			sum += totals ? 0 : json_value_real_at(o, "sum");
			n += totals ? 0 : json_value_real_at(o, "rows");
		}
	return json_pack("{s:O, s:o, s:o, s:f, s:o, s:b}", "head", head, "used",
	    used_columns(rows), "rows", list, "n_rows", n, "sum", what == OF_TIME ||
	    what == OF_ENERGY ? json_value_real(sum) : json_null(), "in_overview",
	    !first || same_keys(keys, json_object_get(json_object_get(first, "head"), "group")));
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
		size_t keys = total ? json_object_size(json_object_get(o, "group")) : 0;
		double v = json_value_real_at(o, key);
		bool other = total ? strcmp(column, model_text(total, "full_column")) != 0
		    : q != OF_NOTHING && metric_unit_of(column).quantity != q;
		if (is_total(o) == (total != NULL) || other || !isfinite(v) || keys < most_keys ||
		    (total && is_group_derived(o)))
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
		const char *group_key;
	} numbers[] = {
		{"rows", "", OF_NOTHING, "count"}, {"sum", "total ", OF_TIME, "share_pct"},
		{"ratio_of_sums", "", OF_NOTHING, NULL}, {"max", "peak ", OF_BYTES, "max"},
	};
	json_t *list = json_object();
	for (size_t i = 0; i < COUNT(numbers); i++) {
		const char *before = numbers[i].before, *key = numbers[i].group_key;
		json_t *o = largest_of(stats, numbers[i].key, numbers[i].quantity, NULL);
		json_t *group = o && key ? largest_of(stats, key, OF_NOTHING, o) : NULL;
		const char *title = model_text(o, "title");
		bool said = strncmp(title, before, strlen(before)) == 0;
		double pct = 100 * json_value_real_at(group, "count") /
		    json_value_real_at(o, "rows");
		json_object_set_new(list, numbers[i].key, !o ? json_null() : json_pack(
		    "{s:o, s:O, s:o, s:O?}", "title",
		    json_sprintf("%s%s", said ? "" : before, title), "of", o,
		    "rows_pct", json_value_real(pct), "most", group));
	}
	return list;
}

/* The values of each key, {KEY: {VALUE: true}}. */
static json_t *
key_values(const json_t *stats)
{
	json_t *keys = json_object(), *o, *v;
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
	return keys;
}

/* Rows about whole columns of a summary, and those about groups; null: none was checked. */
static json_t *
check_of(const struct report *r)
{
	json_t *columns = json_array(), *groups = json_array(), *o;
	size_t i;
	json_array_foreach(report_records(r, "summary_check"), i, o)
		json_array_append(*model_text(o, "summary_column") &&
		    !json_object_size(json_object_get(o, "group")) ? columns : groups, o);
	json_t *check = json_pack("{s:o, s:o}", "columns", columns, "groups", groups);
	return json_array_size(report_records(r, "summary_check")) ? check : json_null();
}

void
model_tables(json_t *model, const struct report *r)
{
	json_t *stats = report_records(r, "stat"), *groups = json_array(), *rows, *o;
	const char *kind;
	size_t i;
	set_stats(stats);
	json_t *kinds = group_tables(stats);
	json_object_foreach(kinds, kind, rows)
		json_array_append_new(groups, group_table(rows, json_array_get(groups, 0)));
	json_array_foreach(report_records(r, "largest"), i, o) {
		const char *file = model_text(o, "file"), *slash = strrchr(file, '/');
		model_set_column(o);
		json_object_set_new(o, "file", json_string(slash ? slash + 1 : file));
	}
	json_object_set_new(model, "numbers", numbers_of(stats));
	json_object_set_new(model, "keys", key_values(stats));
	json_object_set(model, "notes", r->notes);
	json_object_set_new(model, "groups", groups);
	json_object_set_new(model, "check", check_of(r));
	json_object_set(model, "largest", report_records(r, "largest"));
	json_decref(kinds);
}
