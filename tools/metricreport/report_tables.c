/* report_tables.c: the results of metricstat for any table: groups, the check of a summary,
 * the largest rows. */
#include "base/nbscope.h"
#include "base/die.h"
#include "base/str.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "metric/metric_column.h"
#include "text/unit.h"
#include "html.h"
#include "report_table_numbers.h"
#include "report_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LARGEST = 50, MAX_DIFFERENCES = 200, MAX_KEYS = 8, MAX_COLUMNS = 160 };

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
	buf_addf(&b, "%s", html_member(stat, "column"));
	return b.p;
}

static double
sum_of_member(const json_t *list, const char *key)
{
	size_t i;
	json_t *o;
	double sum = 0;
	json_array_foreach(list, i, o)
		sum += json_value_real_at(o, key);
	return sum;
}

static void
put_group_keys(struct buf *b, const json_t *stat, size_t n)
{
	const char *key;
	json_t *v;
	if (report_table_is_total(stat))
		buf_addf(b, "<th scope=\"row\" colspan=\"%zu\">all</th>", n);
	else
		json_object_foreach(json_object_get(stat, "group"), key, v) {
			buf_addf(b, "<th scope=\"row\">");
			html_text(b, json_string_value(v) && *json_string_value(v)
			    ? json_string_value(v) : "(empty)");
			buf_addf(b, "</th>");
		}
}

/* The columns of a table; some only where they have a value. */
static const struct group_column {
	const char *key, *head;
	enum { COUNT_OF, SHARE_OF, AMOUNT_OF } as;
	enum { ALWAYS, IF_ANY, IF_SUM } when;
} figures[] = {
	{"count", "#rows", COUNT_OF, ALWAYS}, {"missing", "#missing", COUNT_OF, IF_ANY},
	    {"invalid", "#not a number", COUNT_OF, IF_ANY},
	{"sum", "#total", AMOUNT_OF, IF_SUM}, {"share_pct", "#share", SHARE_OF, IF_SUM},
	    {"cumulated_share_pct", "#cumulative", SHARE_OF, IF_SUM},
	{"ratio_of_sums", "#ratio of sums", AMOUNT_OF, IF_ANY},
	    {"mean", "#mean", AMOUNT_OF, ALWAYS}, {"std", "#std", AMOUNT_OF, ALWAYS},
	{"min", "#min", AMOUNT_OF, ALWAYS}, {"median", "#median", AMOUNT_OF, ALWAYS},
	    {"max", "#max", AMOUNT_OF, ALWAYS},
	{"iqr", "#IQR", AMOUNT_OF, ALWAYS}, {"mad", "#MAD", AMOUNT_OF, ALWAYS},
	    {"outliers", "#outliers", COUNT_OF, IF_ANY},
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

static void
put_group_row(struct buf *b, const json_t *stat, const json_t *rows, const char *column,
    size_t n_keys)
{
	json_t *p = json_object_get(stat, "percentiles");
	const char *key;
	json_t *v;
	buf_addf(b, "<tr>");
	put_group_keys(b, stat, n_keys);
	for (const struct group_column *f = figures; f < figures + COUNT(figures); f++) {
		if (!is_column_used(f, rows))
			continue;
		if (f->as == COUNT_OF)
			html_td_number(b, json_value_real_at(stat, f->key), 0);
		else
			html_td_amount(b, stat, f->key, f->as == SHARE_OF ? f->key : column);
	}
	json_object_foreach(p, key, v)
		html_td_amount(b, p, key, column);
	buf_addf(b, "</tr>\n");
}

static void
put_group_table(struct buf *b, const json_t *rows)
{
	const json_t *head = json_array_get(rows, 0), *group = json_object_get(head, "group");
	const char *columns[MAX_COLUMNS + 1] = {0}, *key;
	char *column = html_column(head), *title = metric_column_title(column);
	struct buf caption = {0};
	size_t n = 0, n_keys = 0, i;
	json_t *o, *v;
	buf_addf(&caption, "%s", title);
	json_object_foreach((json_t *)group, key, v) {
		buf_addf(&caption, "%s%s", n_keys == 0 ? " by " : ", ", key);
		if (n_keys++ < MAX_KEYS)
			columns[n++] = key;
	}
	for (const struct group_column *f = figures; f < figures + COUNT(figures); f++)
		if (is_column_used(f, rows))
			columns[n++] = f->head;
	json_t *named = json_array();
	json_object_foreach(json_object_get(head, "percentiles"), key, v)
		if (n < MAX_COLUMNS) {
			json_array_append_new(named, json_sprintf("#%s", key));
			columns[n++] = json_string_value(json_array_get(named,
			    json_array_size(named) - 1));
		}
	if (json_object_size(json_object_get(head, "percentiles")))
		buf_addf(&caption, "; percentiles: %s", html_member(head, "percentile_method"));
	html_table(b, "live", caption.p, columns);
	for (int totals = 0; totals < 2; totals++)
		json_array_foreach(rows, i, o)
			if (report_table_is_total(o) == totals)
				put_group_row(b, o, rows, column, n_keys);
	html_table_end(b);
	json_decref(named);
	buf_free(&caption);
	free(title);
	free(column);
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

void
report_groups(struct buf *b, const struct report *r)
{
	json_t *kinds = group_tables(r->stats), *rows;
	const char *kind;
	if (!json_object_size(kinds))
		buf_addf(b, "<p>No groups: use <code>metricstat --by COLUMN --format "
		    "json</code>.</p>\n");
	json_object_foreach(kinds, kind, rows)
		put_group_table(b, rows);
	json_decref(kinds);
}

/* ---- the overview ------------------------------------------------------------------- */

static void
put_key_counts(struct buf *b, const json_t *stats)
{
	json_t *keys = json_object(), *o, *v;
	const char *key;
	size_t i;
	json_array_foreach(stats, i, o)
		json_object_foreach(json_object_get(o, "group"), key, v) {
			if (report_table_is_total(o))
				continue;
			if (!json_object_get(keys, key))
				json_object_set_new(keys, key, json_object());
			json_object_set_new(json_object_get(keys, key), json_string_value(v)
			    ? json_string_value(v) : "", json_true());
		}
	json_object_foreach(keys, key, v)
		if (!report_table_is_derived(key)) {
			buf_addf(b, ", ");
			html_count(b, json_object_size(v), "value");
			buf_addf(b, " of ");
			html_text(b, key);
		}
	json_decref(keys);
}

/* The ratio of sums over all groups, which only the record of the total has. */
static void
put_total_ratio(struct buf *b, const json_t *rows, const char *column, const char *title)
{
	size_t i;
	json_t *o;
	json_array_foreach(rows, i, o) {
		double ratio = json_value_real_at(o, "ratio_of_sums");
		if (!report_table_is_total(o) || !isfinite(ratio))
			continue;
		buf_addf(b, "; ");
		html_text(b, title);
		buf_addf(b, " ");
		html_amount(b, ratio, column);
	}
}

/* Each text once: several calls of metricstat note the same. */
static void
put_notes(struct buf *b, const json_t *notes)
{
	json_t *seen = json_object(), *o;
	size_t i;
	json_array_foreach(notes, i, o) {
		const char *text = html_member(o, "text");
		if (json_object_get(seen, text))
			continue;
		json_object_set_new(seen, text, json_true());
		buf_addf(b, "<p class=\"note\">");
		html_text(b, text);
		buf_addf(b, ".</p>\n");
	}
	json_decref(seen);
}

/* The number of rows, and the sums of times and energies, of the first set of keys. */
static void
put_table_lead(struct buf *b, const struct report *r)
{
	json_t *kinds = group_tables(r->stats), *rows, *o;
	const char *kind, *set = NULL;
	size_t i, set_n = 0;
	buf_addf(b, "<p class=\"lead\">");
	json_object_foreach(kinds, kind, rows) {
		const char *end = strrchr(kind, ',');
		size_t n = end ? (size_t)(end - kind) : 0;
		if (set && (n != set_n || strncmp(kind, set, n) != 0))
			continue;
		json_t *groups = json_array();
		json_array_foreach(rows, i, o)
			if (!report_table_is_total(o))
				json_array_append(groups, o);
		if (!set) {
			html_count(b, (size_t)(sum_of_member(groups,
			    "count") + sum_of_member(groups, "missing") + sum_of_member(groups,
			    "invalid")), "row");
			put_key_counts(b, r->stats);
		}
		set = kind;
		set_n = n;
		char *column = html_column(json_array_get(groups, 0));
		char *title = metric_column_title(column);
		enum quantity what = metric_unit_of(column).quantity;
		if (what == OF_TIME || what == OF_ENERGY) {
			buf_addf(b, "; ");
			html_amount(b, sum_of_member(groups, "sum"), column);
			buf_addf(b, " of ");
			html_text(b, title);
		}
		put_total_ratio(b, rows, column, title);
		free(title);
		free(column);
		json_decref(groups);
	}
	buf_addf(b, set ? ".</p>\n" : "No rows.</p>\n");
	json_decref(kinds);
}

void
report_table_overview(struct buf *b, const struct report *r)
{
	report_table_numbers(b, r->stats);
	put_table_lead(b, r);
	put_notes(b, r->notes);
}

/* ---- the check of a summary --------------------------------------------------------- */

/* About a whole column; otherwise about one group. */
static bool
is_of_column(const json_t *check)
{
	return *html_member(check, "summary_column") &&
	    !json_object_size(json_object_get(check, "group"));
}

void
report_check(struct buf *b, const struct report *r)
{
	static const char *const columns[] =
	    {"column of the summary", "meaning", "verdict", "#groups", "#different", "#ratio",
	    "explanation", NULL};
	static const char *const others[] =
	    {"group", "verdict", "#in the summary", "#from the rows", NULL};
	size_t i, n = 0, other = 0;
	json_t *o;
	if (!json_array_size(r->check)) {
		buf_addf(b, "<p>No summary was checked: <code>metricstat --check SUMMARY</code> "
		    "compares one with the rows.</p>\n");
		return;
	}
	html_table(b, "live", "A summary that another program computed, compared with the rows",
	    columns);
	json_array_foreach(r->check, i, o) {
		const char *verdict = html_member(o, "verdict");
		if (!is_of_column(o)) {
			other++;
			continue;
		}
		buf_addf(b, "<tr><th scope=\"row\"><code>");
		html_text(b, html_member(o, "summary_column"));
		buf_addf(b, "</code></th>");
		html_td_text(b, html_member(o, "means"), NULL);
		buf_addf(b, "<td class=\"status %s\">", strcmp(verdict, "differs") == 0 ? "bad"
		    : "good");
		html_text(b, verdict);
		buf_addf(b, "</td>");
		html_td_number(b, json_value_real_at(o, "groups"), 0);
		html_td_number(b, json_value_real_at(o, "differ"), 0);
		buf_addf(b, isfinite(json_value_real_at(o, "ratio")) ? "<td class=\"n\">%.6g</td>"
		    : "<td class=\"n none\">&ndash;</td>", json_value_real_at(o, "ratio"));
		html_td_text(b, html_member(o, "explanation"), NULL);
		buf_addf(b, "</tr>\n");
	}
	html_table_end(b);
	if (other)
		html_table(b, "live",
		    "Groups that only one side has, or that differ without an explanation", others);
	json_array_foreach(r->check, i, o) {
		if (is_of_column(o) || n++ >= MAX_DIFFERENCES)
			continue;
		buf_addf(b, "<tr><td>");
		html_members(b, json_object_get(o, "group"));
		buf_addf(b, "%s", *html_member(o, "summary_column") ? ": " : "");
		html_text(b, html_member(o, "summary_column"));
		buf_addf(b, "</td>");
		char *verdict = xstrdup(html_member(o, "verdict"));
		for (char *c = verdict; *c; c++)
			*c = *c == '_' ? ' ' : *c;
		html_td_text(b, verdict, NULL);
		free(verdict);
		for (int theirs = 1; theirs >= 0; theirs--) {
			double v = json_value_real_at(o, theirs ? "theirs" : "ours");
			buf_addf(b, isfinite(v) ? "<td class=\"n\">%.9g</td>"
			    : "<td class=\"n none\">&ndash;</td>", v);
		}
		buf_addf(b, "</tr>\n");
	}
	if (other)
		html_table_end(b);
	html_more(b, n, MAX_DIFFERENCES, "<code>metricstat --check</code> lists all");
}

/* ---- the largest rows --------------------------------------------------------------- */

void
report_largest(struct buf *b, const struct report *r)
{
	static const char *const columns[] =
	    {"column", "#rank", "row", "#value", "#share", "#cumulative", "source", NULL};
	size_t i, n = json_array_size(r->largest);
	json_t *o;
	if (!n) {
		buf_addf(b, "<p>None: use <code>metricstat --largest 10 --format "
		    "json</code>.</p>\n");
		return;
	}
	html_table(b, "live", "The rows with the largest values", columns);
	json_array_foreach(r->largest, i, o) {
		if (i >= MAX_LARGEST)
			break;
		char *column = html_column(o), *title = metric_column_title(column);
		buf_addf(b, "<tr>");
		html_td_text(b, title, NULL);
		html_td_number(b, json_value_real_at(o, "rank"), 0);
		buf_addf(b, "<td>");
		html_members(b, json_object_get(o, "of"));
		buf_addf(b, "</td>");
		html_td_amount(b, o, "value", column);
		html_td_amount(b, o, "share_pct", "share_pct");
		html_td_amount(b, o, "cumulated_share_pct", "share_pct");
		const char *slash = strrchr(html_member(o, "file"), '/');
		char *where = xasprintf("%s, row %.0f", slash ? slash + 1 : html_member(o, "file"),
		    json_value_real_at(o, "row"));
		html_td_text(b, where, NULL);
		buf_addf(b, "</tr>\n");
		free(where);
		free(title);
		free(column);
	}
	html_table_end(b);
	html_more(b, n, MAX_LARGEST, "<code>metricstat --largest</code> lists all");
}
