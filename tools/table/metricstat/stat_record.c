/* stat_record.c: statistics of groups, and the largest rows, as records. */
#include "stat_record.h"
#include "stats/exact_sum.h"
#include "base/die.h"
#include "json/json_value.h"
#include "table/column_unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *
json_share(double x)
{
	return isfinite(x) ? json_real(100 * x) : json_null();
}

static json_t *
json_text_or_null(char *text)
{
	json_t *j = text ? json_string(text) : json_null();
	free(text);
	return j;
}

json_t *
stat_record_group(const struct stat_table *s, size_t group)
{
	json_t *key = json_object();
	for (size_t i = 0; i < s->n_by; i++)
		json_object_set_new(key, s->by[i]->name, group < s->g.n
		    ? json_text_or_null(table_group_key(&s->g, group, i)) : json_null());
	return key;
}

json_t *
stat_record_row_key(const struct stat_table *s, size_t row, const struct list *shown)
{
	json_t *key = json_object();
	for (size_t i = 0; i < s->n_by; i++)
		json_object_set_new(key, s->by[i]->name,
		    json_text_or_null(table_text(s->by[i], row)));
	for (size_t i = 0; i < shown->n; i++)
		json_object_set_new(key, shown->v[i],
		    json_text_or_null(table_text(table_column(&s->t, shown->v[i]), row)));
	return key;
}

json_t *
stat_record_unit(const struct column *c)
{
	struct unit u = column_unit(c->name);
	return *u.symbol ? json_string(u.symbol) : json_null();
}

json_t *
stat_record_figure(const struct stat_table *s, const struct stat_figure *f)
{
	const struct column *c = s->of[f->column];
	bool any = f->d.n > 0 && column_adds_up(c->name);
	json_t *r = json_pack("{s:s, s:o, s:b, s:s, s:o}", "type", "stat", "group",
	    stat_record_group(s, f->group), "total",
	    f->group == s->g.n, "column", c->name, "unit", stat_record_unit(c));
	json_object_set_new(r, "count", json_integer((json_int_t)f->d.n));
	json_object_set_new(r, "missing", json_integer((json_int_t)f->missing));
	json_object_set_new(r, "invalid", json_integer((json_int_t)f->invalid));
	json_object_set_new(r, "sum", any ? json_value_real(f->d.sum) : json_null());
	json_object_set_new(r, "share_pct", json_share(any ? f->share : (double)NAN));
	json_object_set_new(r, "cumulated_share_pct", json_share(any ? f->cumulated : (double)NAN));
	json_object_set_new(r, "mean", json_value_real(f->d.mean));
	json_object_set_new(r, "std", json_value_real(f->d.std));
	json_object_set_new(r, "min", json_value_real(f->d.min));
	json_object_set_new(r, "p25", json_value_real(f->p25));
	json_object_set_new(r, "median", json_value_real(f->median));
	json_object_set_new(r, "p75", json_value_real(f->p75));
	json_object_set_new(r, "max", json_value_real(f->d.max));
	json_object_set_new(r, "iqr", json_value_real(f->p75 - f->p25));
	json_object_set_new(r, "mad", json_value_real(f->mad));
	const struct wanted *w = &s->wanted[f->column];
	const double *percentile = stat_percentiles(s, f);
	json_t *percentiles = json_object();
	for (size_t i = 0; i < w->n; i++) {
		char name[24];
		stat_percentile_name(name, w->p[i]);
		json_object_set_new(percentiles, name, json_value_real(percentile[i]));
	}
	json_object_set_new(r, "percentiles", percentiles);
	json_object_set_new(r, "percentile_method", json_string(quantile_name(s->method)));
	if (s->unique)
		json_object_set_new(r, "n_unique", json_integer((json_int_t)f->n_unique));
	const double *below;
	double scale;
	if (derive_parts(s->derived, c->name, &below, &scale))
		json_object_set_new(r, "ratio_of_sums", json_value_real(f->ratio));
	if (s->rule.kind != NO_RULE) {
		json_object_set_new(r, "outlier_rule", json_string(s->rule.text));
		json_object_set_new(r, "outlier_below", json_value_real(f->low));
		json_object_set_new(r, "outlier_above", json_value_real(f->high));
		json_object_set_new(r, "outliers", json_integer((json_int_t)f->outliers));
	}
	return r;
}

/* ---- the largest rows ------------------------------------------------------------ */

void
stat_record_set_row(json_t *r, const struct table *t, size_t row)
{
	const struct table_file *f = table_file_of(t, row);
	json_object_set_new(r, "file", json_string(f->path));
	json_object_set_new(r, "row", json_integer((json_int_t)(row - f->first_row + 1)));
}

struct top_rows {
	uint32_t *rows;
	size_t n, most;
	const double *v;
};

/* Orders the heap whose root is the smallest of the largest rows.  Of two equal values
 * the later row is smaller. */
static bool
is_smaller(const struct top_rows *t, uint32_t a, uint32_t b)
{
	return t->v[a] != t->v[b] ? t->v[a] < t->v[b] : a > b;
}

static void
top_sift(struct top_rows *t, size_t at)
{
	for (size_t child; (child = 2 * at + 1) < t->n; at = child) {
		if (child + 1 < t->n && is_smaller(t, t->rows[child + 1], t->rows[child]))
			child++;
		if (!is_smaller(t, t->rows[child], t->rows[at]))
			return;
		uint32_t row = t->rows[at];
		t->rows[at] = t->rows[child];
		t->rows[child] = row;
	}
}

static void
top_add(struct top_rows *t, uint32_t row)
{
	if (t->n < t->most) {
		t->rows[t->n++] = row;
		for (size_t i = t->n == t->most ? t->n / 2 : 0; i-- > 0; )
			top_sift(t, i);
	} else if (t->most && is_smaller(t, t->rows[0], row)) {
		t->rows[0] = row;
		top_sift(t, 0);
	}
}

static int
by_size(const void *a, const void *b, void *arg)
{
	const struct top_rows *t = arg;
	return is_smaller(t, *(const uint32_t *)a, *(const uint32_t *)b) ? 1 : -1;
}

static void
add_largest(const struct stat_table *s, size_t column, size_t from, size_t most,
    const struct list *shown, json_t *all)
{
	const struct column *c = s->of[column];
	struct top_rows top = {.rows = xmalloc((most + 1) * sizeof *top.rows), .most = most,
	    .v = c->number};
	struct exact sum = {0}, so_far = {0};
	bool negative = false;
	for (size_t g = 0; g < s->g.n; g++)
		for (size_t k = s->g.first[g]; stat_is_chosen(s, g) && k < s->g.first[g + 1]; k++) {
			uint32_t row = s->g.rows[k];
			if (isnan(c->number[row]))
				continue;
			exact_add(&sum, c->number[row]);
			negative |= c->number[row] < 0;
			top_add(&top, row);
		}
	qsort_r(top.rows, top.n, sizeof *top.rows, by_size, &top);
	double total = exact_value(&sum);
	for (size_t i = 0; i < top.n; i++) {
		double x = c->number[top.rows[i]];
		exact_add(&so_far, x);
		if (i + 1 < from)
			continue;
		bool shares = !negative && total > 0 && column_adds_up(c->name);
		json_t *r = json_pack("{s:s, s:s, s:o, s:i, s:o, s:f, s:o, s:o}", "type", "largest",
		    "column", c->name, "unit",
		    stat_record_unit(c), "rank", (int)i + 1, "of", stat_record_row_key(s,
		    top.rows[i], shown), "value", x, "share_pct",
		    json_share(shares ? x / total : (double)NAN), "cumulated_share_pct",
		    json_share(shares ? exact_value(&so_far) / total : (double)NAN));
		stat_record_set_row(r, &s->t, top.rows[i]);
		json_array_append_new(all, r);
	}
	free(top.rows);
}

json_t *
stat_record_largest(const struct stat_table *s, size_t from, size_t n, const struct list *shown)
{
	json_t *all = json_array();
	for (size_t column = 0; column < s->n_of; column++)
		add_largest(s, column, from, n, shown, all);
	return all;
}
