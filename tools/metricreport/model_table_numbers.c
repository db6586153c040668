/* model_table_numbers.c: the numbers with which a report of any table begins: its rows, its total
 * time, a ratio of sums and its peak memory, each with the group in which it is largest. */
#include "model_table_numbers.h"
#include "base/die.h"
#include "base/str.h"
#include "json/json_value.h"
#include "metric/metric_column.h"
#include "model_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool
model_table_is_total(const json_t *stat)
{
	return json_is_true(json_object_get(stat, "total"));
}

bool
model_table_is_derived(const char *key)
{
	return strcmp(key, "cohort") == 0 || str_ends_with(key, "_category");
}

static bool
has_own_keys(const json_t *stat)
{
	const char *key;
	json_t *v;
	json_object_foreach(json_object_get(stat, "group"), key, v)
		if (model_table_is_derived(key))
			return false;
	return true;
}

static enum quantity
quantity_of(const json_t *stat)
{
	model_set_column((json_t *)stat);
	return metric_unit_of(model_text(stat, "full_column")).quantity;
}

/* Of all groups together the column of a quantity with the largest value; NULL: there is none. */
static const json_t *
total_of(const json_t *stats, enum quantity q, const char *key)
{
	const json_t *best = NULL, *o;
	size_t i;
	json_array_foreach((json_t *)stats, i, o) {
		double v = json_value_real_at(o, key);
		if (model_table_is_total(o) && (q == OF_NOTHING || quantity_of(o) == q) &&
		    isfinite(v) && (!best || v > json_value_real_at(best, key)))
			best = o;
	}
	return best;
}

/* The group, of the finest grouping, in which a figure of this column is largest. */
static const json_t *
largest_group(const json_t *stats, const json_t *total, const char *key)
{
	const json_t *best = NULL, *o;
	size_t i, most_keys = 0;
	json_array_foreach((json_t *)stats, i, o) {
		size_t keys = json_object_size(json_object_get(o, "group"));
		double v = json_value_real_at(o, key);
		if (model_table_is_total(o) || !has_own_keys(o) || !isfinite(v) || strcmp(
		    model_text(o, "column"), model_text(total, "column")) != 0 || keys < most_keys)
			continue;
		if (!best || keys > most_keys || v > json_value_real_at(best, key))
			best = o;
		most_keys = keys;
	}
	return best;
}

/* `value`: the member that is shown, of which `before` says what it is unless the column's title
 * does; about: what is said of the group. */
static void
append_number(json_t *list, const json_t *total, const char *value, const char *before,
    const char *about, const json_t *group, double pct)
{
	if (!total)
		return;
	model_set_column((json_t *)total);
	const char *title = model_text(total, "title");
	bool said = strncmp(title, before, strlen(before)) == 0;
	json_array_append_new(list, json_pack("{s:o, s:s, s:O, s:s, s:O?, s:o}", "title",
	    json_sprintf("%s%s", said ? "" : before, title), "column",
	    model_text(total, "full_column"), "value", json_object_get(total, value),
	    "about", about, "of", json_object_get(group, "group"),
	    "pct", json_value_real(pct)));
}

static double
rows_of(const json_t *stat)
{
	return json_value_real_at(stat, "count") + json_value_real_at(stat, "missing") +
	    json_value_real_at(stat, "invalid");
}

/* The column with the fewest gaps has as many rows as the table, or nearly. */
static void
append_rows(json_t *list, const json_t *stats)
{
	const json_t *o, *most = NULL;
	size_t i;
	json_array_foreach((json_t *)stats, i, o)
		if (model_table_is_total(o) && (!most || rows_of(o) > rows_of(most)))
			most = o;
	const json_t *group = most ? largest_group(stats, most, "count") : NULL;
	if (most)
		json_array_append_new(list, json_pack("{s:s, s:f, s:n, s:s, s:O?, s:o}",
		    "title", "Rows", "value", rows_of(most), "column",
		    "about", group ? "most of them: " : "", "of", json_object_get(group, "group"),
		    "pct", json_value_real(100 * json_value_real_at(group, "count") /
		    rows_of(most))));
}

json_t *
model_table_numbers(const json_t *stats)
{
	json_t *list = json_array();
	const json_t *time = total_of(stats, OF_TIME, "sum");
	const json_t *ratio = total_of(stats, OF_NOTHING, "ratio_of_sums");
	const json_t *peak = total_of(stats, OF_BYTES, "max");
	const json_t *most = time ? largest_group(stats, time, "share_pct") : NULL;
	const json_t *in = peak ? largest_group(stats, peak, "max") : NULL;
	append_rows(list, stats);
	append_number(list, time, "sum", "total ", most ? "most of it: " : "", most,
	    json_value_real_at(most, "share_pct"));
	append_number(list, ratio, "ratio_of_sums", "",
	    "ratio of the sums over all rows that have both", NULL, NAN);
	append_number(list, peak, "max", "peak ", in ? "in " : "", in, NAN);
	return list;
}
