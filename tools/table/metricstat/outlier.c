/* outlier.c: rows far from their group, and the parameters that they share. */
#include "outlier.h"
#include "base/die.h"
#include "json/json_value.h"
#include "base/num.h"
#include "base/str.h"
#include "stat_record.h"
#include "table/statistic.h"

enum { MAX_WORDS = 10000, MIN_OUTLIERS = 2, MAX_SHARED = 8 };
static const double min_share = 0.5, min_ratio = 1.5;

static bool
is_param(const char *name)
{
	return str_ends_with(name, "_param") && strlen(name) > strlen("_param");
}

/* A column whose values outliers may share: neither analysed nor grouped by.  If the
 * table has columns *_param, other columns of numbers are measurements. */
static bool
is_parameter(const struct stat_table *s, const struct column *c, bool params)
{
	for (size_t i = 0; i < s->n_by; i++)
		if (s->by[i] == c)
			return false;
	for (size_t i = 0; i < s->n_of; i++)
		if (s->of[i] == c)
			return false;
	return !stat_record_is_source(c) && (c->is_word || !params || is_param(c->name));
}

static bool
any_params(const struct stat_table *s)
{
	for (size_t i = 0; i < s->t.n_columns; i++)
		if (is_param(s->t.columns[i]->name))
			return true;
	return false;
}

/* Values of one column that at least half of the outliers have, and at least 1.5 times
 * as often as all rows. */
static void
add_shared(const struct stat_table *s, struct column *c, const struct stat_figure *f,
    json_t *shared)
{
	struct groups values;
	bool *keep = xmalloc(s->t.n_rows + 1);
	const double *v = s->of[f->column]->number;
	size_t from, to;
	stat_group_rows(s, f->group, &from, &to);
	memset(keep, 0, s->t.n_rows + 1);
	for (size_t k = from; k < to; k++)
		keep[s->g.rows[k]] = !isnan(v[s->g.rows[k]]);
	table_group_make(&values, &s->t, &c, 1, keep);
	for (size_t g = 0; values.n > 1 && values.n <= MAX_WORDS && g < values.n; g++) {
		size_t rows = values.first[g + 1] - values.first[g], outliers = 0;
		for (size_t k = values.first[g]; k < values.first[g + 1]; k++)
			outliers += stat_is_outlier(f, v[values.rows[k]]);
		double among = (double)outliers / (double)f->outliers, in_all = (double)rows /
		    (double)f->d.n;
		char *word = table_group_key(&values, g, 0);
		if (word && outliers >= MIN_OUTLIERS && among >= min_share && among >= min_ratio *
		    in_all)
			json_array_append_new(shared, json_pack("{s:s, s:s, s:i, s:f, s:f}",
			    "parameter", c->name, "value", word,
			    "outliers", (int)outliers, "of_outliers_pct", num_round(100 * among, 3),
			    "of_rows_pct",
			    num_round(100 * in_all, 3)));
		free(word);
	}
	table_group_free(&values);
	free(keep);
}

static json_t *
shared_by(const struct stat_table *s, const struct stat_figure *f, bool only_params)
{
	json_t *shared = json_array();
	for (size_t i = 0; f->outliers >= MIN_OUTLIERS && i < s->t.n_columns &&
	    json_array_size(shared) < MAX_SHARED; i++)
		if (is_parameter(s, s->t.columns[i], only_params))
			add_shared(s, s->t.columns[i], f, shared);
	return shared;
}

static json_t *
outlier_record(const struct stat_table *s, const struct stat_figure *f, size_t row,
    const struct list *shown, json_t *shared, bool params)
{
	static const enum statistic of_group[] = {STAT_COUNT, STAT_MEAN, STAT_MEDIAN, STAT_P25,
	    STAT_P75, STAT_MIN, STAT_MAX, STAT_MAD, STAT_OUTLIERS};
	const struct column *c = s->of[f->column];
	double x = c->number[row];
	json_t *r = json_pack("{s:s, s:s, s:o, s:s, s:o, s:f, s:s, s:o, s:o}", "type", "outlier",
	    "column", c->name, "unit",
	    stat_record_unit(c), "outlier_rule", s->rule.text, "of", stat_record_row_key(s, row,
	    shown), "value", x,
	    "side", x > f->high ? "high" : "low", "outlier_below", json_value_real(f->low),
	    "outlier_above", json_value_real(f->high));
	json_t *group = json_object();
	for (size_t i = 0; i < COUNT(of_group); i++)
		json_object_set_new(group, statistics[of_group[i]].member,
		    statistic_json(f, of_group[i]));
	json_object_set_new(r, "group", group);
	json_object_set_new(r, "times_median", json_value_real(f->median
	    ? x / f->median : (double)NAN));
	json_object_set(r, "shared", shared);
	json_t *values = json_object();
	for (size_t i = 0; params && i < s->t.n_columns; i++) {
		char *word = is_param(s->t.columns[i]->name) ? table_text(s->t.columns[i],
		    row) : NULL;
		if (word)
			json_object_set_new(values, s->t.columns[i]->name, json_string(word));
		free(word);
	}
	json_object_set_new(r, "params", values);
	stat_record_set_row(r, &s->t, row);
	return r;
}

json_t *
outlier_records(const struct stat_table *s, const struct list *shown)
{
	json_t *all = json_array();
	bool only_params = any_params(s);
	for (size_t i = 0; i < s->g.n * s->n_of; i++) {
		const struct stat_figure *f = stat_figure(s, i / s->n_of, i % s->n_of);
		const double *v = s->of[f->column]->number;
		if (f->outliers == 0 || !stat_is_chosen(s, f->group))
			continue;
		/* By their distance from the median. */
		struct num_at *far = xmalloc(f->outliers * sizeof *far);
		size_t n = 0;
		for (size_t k = s->g.first[f->group]; k < s->g.first[f->group + 1]; k++)
			if (stat_is_outlier(f, v[s->g.rows[k]]))
				far[n++] = (struct num_at){fabs(v[s->g.rows[k]] - f->median),
				    s->g.rows[k]};
		qsort(far, n, sizeof *far, num_descending);
		json_t *shared = shared_by(s, f, only_params);
		for (size_t k = 0; k < n; k++)
			json_array_append_new(all, outlier_record(s, f, far[k].at, shown, shared,
			    only_params));
		json_decref(shared);
		free(far);
	}
	return all;
}
