/* report_table_numbers.c: the numbers with which a report of any table begins. */
#include "report_table_numbers.h"
#include "base/die.h"
#include "base/str.h"
#include "html.h"
#include "json/json_value.h"
#include "metric/metric_column.h"
#include "text/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool
report_table_is_total(const json_t *stat)
{
	return json_is_true(json_object_get(stat, "total"));
}

bool
report_table_is_derived(const char *key)
{
	return strcmp(key, "cohort") == 0 || str_ends_with(key, "_category");
}

static bool
has_own_keys(const json_t *stat)
{
	const char *key;
	json_t *v;
	json_object_foreach(json_object_get(stat, "group"), key, v)
		if (report_table_is_derived(key))
			return false;
	return true;
}

static enum quantity
quantity_of(const json_t *stat)
{
	char *column = html_column(stat);
	enum quantity q = metric_unit_of(column).quantity;
	free(column);
	return q;
}

/* Of all groups together; NULL: no such column. */
static const json_t *
total_of(const json_t *stats, enum quantity q, const char *key)
{
	const json_t *best = NULL, *o;
	size_t i;
	json_array_foreach((json_t *)stats, i, o) {
		double v = json_value_real_at(o, key);
		if (report_table_is_total(o) && quantity_of(o) == q && isfinite(v) &&
		    (!best || v > json_value_real_at(best, key)))
			best = o;
	}
	return best;
}

/* The group, of the finest grouping, in which a figure of this column is largest. */
static const json_t *
largest_group(const json_t *stats, const char *column, const char *key)
{
	const json_t *best = NULL, *o;
	size_t i, most_keys = 0;
	json_array_foreach((json_t *)stats, i, o) {
		size_t keys = json_object_size(json_object_get(o, "group"));
		double v = json_value_real_at(o, key);
		if (report_table_is_total(o) || !has_own_keys(o) || !isfinite(v) ||
		    strcmp(html_member(o, "column"), column) != 0 || keys < most_keys)
			continue;
		if (!best || keys > most_keys || v > json_value_real_at(best, key))
			best = o;
		most_keys = keys;
	}
	return best;
}

/* "total run time", 1617 h */
static void
begin_number(struct buf *b, const json_t *stat, const char *key, const char *before)
{
	char *column = html_column(stat), *title = metric_column_title(column);
	bool said = strncmp(title, before, strlen(before)) == 0;
	char *what = xasprintf("%s%s", said ? "" : before, title);
	struct buf value = {0};
	html_amount(&value, json_value_real_at(stat, key), column);
	html_number(b, what, value.p);
	buf_free(&value);
	free(what);
	free(title);
	free(column);
}

static void
put_group(struct buf *b, const char *before, const json_t *stat)
{
	buf_addf(b, "<p>%s", before);
	html_members(b, json_object_get(stat, "group"));
}

static void
put_rows(struct buf *b, const json_t *stats)
{
	const json_t *o, *most = NULL;
	size_t i;
	double rows = 0;
	/* The column with the fewest gaps has as many as the table, or nearly. */
	json_array_foreach((json_t *)stats, i, o) {
		double n = json_value_real_at(o, "count") + json_value_real_at(o, "missing") +
		    json_value_real_at(o, "invalid");
		if (report_table_is_total(o) && (!most || n > rows)) {
			most = o;
			rows = n;
		}
	}
	if (!most)
		return;
	struct buf text = {0};
	html_count(&text, (size_t)rows, "row");
	*strrchr(text.p, ' ') = '\0';
	html_number(b, "Rows", text.p);
	buf_free(&text);
	const json_t *group = largest_group(stats, html_member(most, "column"), "count");
	if (group) {
		put_group(b, "most of them: ", group);
		buf_addf(b, ", %.1f %%</p>", 100 * json_value_real_at(group, "count") / rows);
	}
	buf_addf(b, "</div>");
}

static void
put_time(struct buf *b, const json_t *stats)
{
	const json_t *all = total_of(stats, OF_TIME, "sum");
	if (!all)
		return;
	const json_t *group = largest_group(stats, html_member(all, "column"), "share_pct");
	begin_number(b, all, "sum", "total ");
	if (group) {
		put_group(b, "most of it: ", group);
		buf_addf(b, ", %.1f %%</p>", json_value_real_at(group, "share_pct"));
	}
	buf_addf(b, "</div>");
}

static void
put_efficiency(struct buf *b, const json_t *stats)
{
	const json_t *o, *all = NULL;
	size_t i;
	json_array_foreach((json_t *)stats, i, o)
		if (report_table_is_total(o) && isfinite(json_value_real_at(o, "ratio_of_sums")))
			all = o;
	if (!all)
		return;
	begin_number(b, all, "ratio_of_sums", "");
	buf_addf(b, "<p>ratio of the sums over all rows that have both</p></div>");
}

static void
put_peak(struct buf *b, const json_t *stats)
{
	const json_t *all = total_of(stats, OF_BYTES, "max");
	if (!all)
		return;
	const json_t *group = largest_group(stats, html_member(all, "column"), "max");
	begin_number(b, all, "max", "peak ");
	if (group) {
		put_group(b, "in ", group);
		buf_addf(b, "</p>");
	}
	buf_addf(b, "</div>");
}

void
report_table_numbers(struct buf *b, const json_t *stats)
{
	size_t begin = b->n;
	buf_addf(b, "<div class=\"numbers\">");
	size_t empty = b->n;
	put_rows(b, stats);
	put_time(b, stats);
	put_efficiency(b, stats);
	put_peak(b, stats);
	if (b->n == empty)
		b->n = begin;
	else
		buf_addf(b, "</div>\n");
}
