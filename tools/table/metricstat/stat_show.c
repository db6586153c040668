/* stat_show.c: the columns of metricstat's tables. */
#include "stat_show.h"
#include "stat_record.h"
#include "base/nbscope.h"
#include "base/die.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct shown {
	const char *name, *title, *path;
	enum cell_kind kind;
	bool by_default;	/* shown without --stats */
} shown[] = {
	{"count", "count", "count", CELL_COUNT, true},
	{"missing", "missing", "missing", CELL_COUNT, true},
	{"invalid", "invalid", "invalid", CELL_COUNT, false},
	{"n_unique", "unique", "n_unique", CELL_COUNT, false},
	{"outliers", "outliers", "outliers", CELL_COUNT, false},
	{"sum", "sum", "sum", CELL_VALUE, true},
	{"share", "share", "share_pct", CELL_PCT, true},
	{"cumulated", "cumulated", "cumulated_share_pct", CELL_PCT, false},
	{"ratio", "ratio of sums", "ratio_of_sums", CELL_VALUE, false},
	{"mean", "mean", "mean", CELL_VALUE, true},
	{"std", "std", "std", CELL_VALUE, true},
	{"min", "min", "min", CELL_VALUE, true},
	{"p25", "p25", "p25", CELL_VALUE, false},
	{"median", "median", "median", CELL_VALUE, true},
	{"p75", "p75", "p75", CELL_VALUE, false},
	{"percentiles", NULL, NULL, 0, true},
	{"max", "max", "max", CELL_VALUE, true},
	{"iqr", "iqr", "iqr", CELL_VALUE, false},
	{"mad", "mad", "mad", CELL_VALUE, false},
};

void
xstat_show_known(const struct list *stats)
{
	for (size_t i = 0; i < stats->n; i++) {
		size_t k = 0;
		while (k < COUNT(shown) && strcmp(shown[k].name, stats->v[i]) != 0)
			k++;
		if (k == COUNT(shown))
			die(ST_USAGE, "--stats: unknown '%s': expected count, missing, invalid, "
			    "n_unique, outliers, "
			    "sum, share, cumulated, ratio, mean, std, min, p25, median, p75, "
			    "percentiles, max, iqr or mad", stats->v[i]);
	}
}

static void
add_keys(struct table_format *s, const struct stat_table *st, const char *outer,
    const struct list *more)
{
	for (size_t i = 0; i < st->n_by + (more ? more->n : 0); i++) {
		const char *name = i < st->n_by ? st->by[i]->name : more->v[i - st->n_by];
		char *path = xasprintf("%s\n%s", outer, name);
		table_format_column(s, name, path, CELL_TEXT);
		free(path);
	}
}

/* All percentiles of all columns. */
static void
add_percentiles(struct table_format *s, const struct stat_table *st)
{
	struct wanted all = {0};
	for (size_t c = 0; c < st->n_of; c++)
		for (size_t i = 0; i < st->wanted[c].n; i++) {
			size_t k = 0;
			while (k < all.n && all.p[k] < st->wanted[c].p[i])
				k++;
			if (k < all.n && all.p[k] <= st->wanted[c].p[i])
				continue;
			all.p = xrealloc(all.p, (all.n + 1) * sizeof *all.p);
			memmove(all.p + k + 1, all.p + k, (all.n - k) * sizeof *all.p);
			all.p[k] = st->wanted[c].p[i];
			all.n++;
		}
	for (size_t i = 0; i < all.n; i++) {
		char name[24], *path;
		stat_percentile_name(name, all.p[i]);
		path = xasprintf("percentiles\n%s", name);
		table_format_column(s, name, path, CELL_VALUE);
		free(path);
	}
	free(all.p);
}

/* True if the table has such values. */
static bool
has_values(const struct stat_table *st, const char *name)
{
	bool ratio = strcmp(name, "ratio") == 0, invalid = strcmp(name, "invalid") == 0;
	if (strcmp(name, "outliers") == 0)
		return st->rule.kind != NO_RULE;
	for (size_t i = 0; i < st->n_figures; i++)
		if ((ratio && isfinite(st->figures[i].ratio)) ||
		    (invalid && st->figures[i].invalid))
			return true;
	return false;
}

static bool
is_redundant(const struct stat_table *st, const char *name)
{
	for (size_t c = 0; strcmp(name, "median") == 0 && c < st->n_of; c++)
		if (st->wanted[c].n)
			return true;
	return strcmp(name, "share") == 0 && st->n_by == 0;
}

void
stat_show_groups(struct table_format *s, const struct stat_table *st, const struct list *stats,
    bool flat)
{
	bool all = flat && !stats->n;
	*s = (struct table_format){0};
	add_keys(s, st, "group", NULL);
	table_format_column(s, "column", "column", CELL_TEXT);
	if (flat) {
		table_format_column(s, "unit", "unit", CELL_TEXT);
		table_format_column(s, "total", "total", CELL_TEXT);
	}
	for (size_t i = 0; i < COUNT(shown); i++) {
		const struct shown *w = &shown[i];
		bool asked = stats->n ? list_has(stats, w->name) : (w->by_default &&
		    !is_redundant(st, w->name)) || has_values(st, w->name);
		if (!asked && !(all && strcmp(w->name, "outliers") != 0 &&
		    strcmp(w->name, "ratio") != 0 && strcmp(w->name, "n_unique") != 0))
			continue;
		if (!w->title)
			add_percentiles(s, st);
		else
			table_format_column(s, flat && w->kind == CELL_PCT ? w->path : w->title,
			    w->path, w->kind);
	}
}

static void
add_place(struct table_format *s)
{
	table_format_column(s, "file", "file", CELL_TEXT);
	table_format_column(s, "row", "row", CELL_COUNT);
}

void
stat_show_largest(struct table_format *s, const struct stat_table *st, const struct list *more,
    bool flat)
{
	*s = (struct table_format){.caption = "Largest rows"};
	table_format_column(s, "column", "column", CELL_TEXT);
	table_format_column(s, "rank", "rank", CELL_COUNT);
	add_keys(s, st, "of", more);
	table_format_column(s, "value", "value", CELL_VALUE);
	if (flat)
		table_format_column(s, "unit", "unit", CELL_TEXT);
	table_format_column(s, flat ? "share_pct" : "share", "share_pct", CELL_PCT);
	table_format_column(s, flat ? "cumulated_share_pct" : "cumulated", "cumulated_share_pct",
	    CELL_PCT);
	add_place(s);
}

void
stat_show_outliers(struct table_format *s, const struct stat_table *st, const struct list *more,
    bool flat)
{
	static const char *const of_group[] = {"count", "outliers", "p25", "median", "p75", "max"};
	*s = (struct table_format){.caption = "Outliers, each with its group"};
	table_format_column(s, "column", "column", CELL_TEXT);
	add_keys(s, st, "of", more);
	table_format_column(s, "value", "value", CELL_VALUE);
	if (flat)
		table_format_column(s, "unit", "unit", CELL_TEXT);
	table_format_column(s, "below", "outlier_below", CELL_VALUE);
	table_format_column(s, "above", "outlier_above", CELL_VALUE);
	for (size_t i = 0; i < COUNT(of_group); i++) {
		char *path = xasprintf("group\n%s", of_group[i]);
		table_format_column(s, of_group[i], path, i < 2 ? CELL_COUNT : CELL_VALUE);
		free(path);
	}
	table_format_column(s, "shared", "shared", CELL_TEXT);
	add_place(s);
}

void
stat_show_check(struct table_format *s, const struct stat_table *st)
{
	*s = (struct table_format){0};
	add_keys(s, st, "group", NULL);
	table_format_column(s, "summary's", "summary_column", CELL_TEXT);
	table_format_column(s, "is", "means", CELL_TEXT);
	table_format_column(s, "verdict", "verdict", CELL_TEXT);
	table_format_column(s, "groups", "groups", CELL_COUNT);
	table_format_column(s, "differ", "differ", CELL_COUNT);
	table_format_column(s, "explanation", "explanation", CELL_TEXT);
}

/* ---- order ------------------------------------------------------------------------ */

static double
sort_value(const struct stat_figure *f, enum stat_sort by)
{
	switch (by) {
	case STAT_SORT_COUNT: return (double)f->d.n;
	case STAT_SORT_MISSING: return f->missing;
	case STAT_SORT_UNIQUE: return f->n_unique;
	case STAT_SORT_SUM: return f->d.n ? f->d.sum : (double)NAN;
	case STAT_SORT_MEAN: return f->d.mean;
	case STAT_SORT_STD: return f->d.std;
	case STAT_SORT_MIN: return f->d.min;
	case STAT_SORT_MEDIAN: return f->median;
	case STAT_SORT_MAX: return f->d.max;
	case STAT_SORT_IQR: return f->p75 - f->p25;
	case STAT_SORT_MAD: return f->mad;
	case STAT_SORTS: break;
	}
	return 0;
}

struct figure_list {
	const struct stat_table *s;
	enum stat_sort by;
	uint32_t *order;	/* of figures; NULL: as they are */
};

static json_t *
list_record(const void *of, size_t i)
{
	const struct figure_list *l = of;
	return stat_record_figure(l->s, &l->s->figures[l->order ? l->order[i] : i]);
}

/* The total is last, unknown values before it. */
static int
compare_figures(const void *a, const void *b, void *arg)
{
	const struct figure_list *l = arg;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct stat_figure *x = &l->s->figures[i], *y = &l->s->figures[k];
	bool p = x->group == l->s->g.n, q = y->group == l->s->g.n;
	if (p != q)
		return p ? 1 : -1;
	double v = sort_value(x, l->by), w = sort_value(y, l->by);
	v = isfinite(v) ? v : (double)-INFINITY;
	w = isfinite(w) ? w : (double)-INFINITY;
	return v < w ? 1 : v > w ? -1 : (i > k) - (i < k);
}

struct record_list
stat_show_records(const struct stat_table *s, enum stat_sort by, size_t from, size_t most)
{
	static struct figure_list l;
	size_t n = s->n_figures / s->n_of, kept = 0;
	l = (struct figure_list){s, by, NULL};
	if (by == STAT_SORTS && !most && !s->chosen)
		return (struct record_list){s->n_figures, list_record, &l};
	uint32_t *order = xmalloc((n + 1) * sizeof *order);
	l.order = xmalloc((s->n_figures + 1) * sizeof *l.order);
	for (size_t c = 0; c < s->n_of; c++) {
		for (size_t i = 0; i < n; i++)
			order[i] = (uint32_t)(i * s->n_of + c);
		qsort_r(order, n, sizeof *order, compare_figures, &l);
		for (size_t i = 0, rank = 1; i < n; i++) {
			uint32_t group = s->figures[order[i]].group;
			if (!stat_is_chosen(s, group))
				continue;
			if (group == s->g.n || (rank >= from && (!most || rank <= most)))
				l.order[kept++] = order[i];
			rank++;
		}
	}
	free(order);
	return (struct record_list){kept, list_record, &l};
}
