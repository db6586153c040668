/* stat_show.c: the columns of metricstat's tables. */
#include "stat_show.h"
#include "stat_record.h"
#include "base/die.h"
#include "base/num.h"

/* STATISTICS: there is none of this name. */
static enum statistic
statistic_of(const char *name)
{
	size_t k = 0;
	while (k < STATISTICS && strcmp(statistics[k].name, name) != 0)
		k++;
	return (enum statistic)k;
}

/* By what groups can be sorted; false: it is no statistic. */
static bool
read_key(const char *name, struct statistic_of *m)
{
	m->is = statistic_of(name);
	return m->is < STATISTICS && m->is != STAT_PERCENTILES ? true : statistic_read(name, m);
}

void
xstat_show_known(const char *option, const struct list *names, const struct list *columns)
{
	struct statistic_of m;
	for (size_t i = 0; i < names->n; i++)
		if (columns ? !read_key(names->v[i], &m) && !list_has(columns, names->v[i]) :
		    statistic_of(names->v[i]) == STATISTICS)
			die(ST_USAGE, "%s: unknown '%s': expected %scount, missing, invalid, "
			    "n_unique, outliers, sum, share, cumulated, ratio, mean, std, min, "
			    "p25, median, p75, %s, max, iqr or mad", option, names->v[i],
			    columns && columns->n ? "a column of --by, " : "", columns ? "p95" :
			    "percentiles");
}

static void
add_keys(struct table_format *s, const struct stat_table *st, const char *outer,
    const struct list *more)
{
	for (size_t i = 0; i < st->n_by + (more ? more->n : 0); i++) {
		const char *name = i < st->n_by ? st->by[i]->name : more->v[i - st->n_by];
		size_t k = 0;
		while (k < st->n_by && strcmp(st->by[k]->name, name) != 0)
			k++;
		if (i < st->n_by || k == st->n_by)
			table_format_column(s, name, xasprintf("%s\n%s", outer, name), CELL_TEXT);
	}
}

/* All percentiles of all columns. */
static void
add_percentiles(struct table_format *s, const struct stat_table *st)
{
	struct wanted all = {0};
	for (size_t c = 0; c < st->n_of; c++) {
		all.p = xrealloc(all.p, (all.n + st->wanted[c].n + 1) * sizeof *all.p);
		for (size_t i = 0; i < st->wanted[c].n; i++)
			all.p[all.n++] = st->wanted[c].p[i];
	}
	qsort(all.p, all.n, sizeof *all.p, num_compare);
	for (size_t i = 0; i < all.n; i++) {
		if (i && !(all.p[i] > all.p[i - 1]))
			continue;
		char name[24];
		stat_percentile_name(name, all.p[i]);
		char *path = xasprintf("percentiles\n%s", name);
		table_format_column(s, strchr(path, '\n') + 1, path, CELL_VALUE);
	}
	free(all.p);
}

/* Whether one that is not shown by default has something to show, or one that is has not. */
static bool
is_useful(const struct stat_table *st, enum statistic i)
{
	if (i == STAT_OUTLIERS)
		return st->rule.kind != NO_RULE;
	if (i == STAT_SHARE)
		return st->n_by;
	for (size_t c = 0; i == STAT_MEDIAN && c < st->n_of; c++)
		if (st->wanted[c].n)
			return false;
	if (i != STAT_RATIO && i != STAT_INVALID)
		return statistics[i].by_default;
	for (size_t k = 0; k < st->n_figures; k++) {
		const struct stat_figure *f = stat_figure(st, k / st->n_of, k % st->n_of);
		if (i == STAT_RATIO ? isfinite(f->ratio) : f->invalid)
			return true;
	}
	return false;
}

void
stat_show_groups(struct table_format *s, const struct stat_table *st, const struct list *stats,
    bool flat)
{
	*s = (struct table_format){0};
	add_keys(s, st, "group", NULL);
	table_format_column(s, "column", "column", CELL_TEXT);
	if (flat) {
		table_format_column(s, "unit", "unit", CELL_TEXT);
		table_format_column(s, "total", "total", CELL_TEXT);
	}
	for (enum statistic i = 0; i < STATISTICS; i++) {
		const struct statistic_def *w = &statistics[i];
		if (stats->n ? !list_has(stats, w->name) : !(flat && !w->if_asked) &&
		    !is_useful(st, i))
			continue;
		if (i == STAT_PERCENTILES)
			add_percentiles(s, st);
		else
			table_format_column(s, flat && w->kind == CELL_PCT ? w->member : w->title,
			    w->member, w->kind);
	}
}

/* A column of a table of rows.  Without a path: the keys of the group, and --show. */
struct show_column {
	const char *title, *path;
	enum cell_kind kind;
	enum { SHOW_ALWAYS, SHOW_FLAT, SHOW_PEOPLE } where;
};

static void
add_columns(struct table_format *s, const struct show_column *c, const struct stat_table *st,
    const char *outer, const struct list *more, bool flat)
{
	for (; c->title; c++) {
		if (!c->path)
			add_keys(s, st, outer, more);
		else if (c->where != (flat ? SHOW_PEOPLE : SHOW_FLAT))
			table_format_column(s, c->title, c->path, c->kind);
	}
}

void
stat_show_largest(struct table_format *s, const struct stat_table *st, const struct list *more,
    bool flat)
{
	static const struct show_column columns[] = {
		{"column", "column"}, {"rank", "rank", CELL_COUNT}, {"keys"},
		{"value", "value", CELL_VALUE}, {"unit", "unit", CELL_TEXT, SHOW_FLAT},
		{"share_pct", "share_pct", CELL_PCT, SHOW_FLAT},
		{"cumulated_share_pct", "cumulated_share_pct", CELL_PCT, SHOW_FLAT},
		{"share", "share_pct", CELL_PCT, SHOW_PEOPLE},
		{"cumulated", "cumulated_share_pct", CELL_PCT, SHOW_PEOPLE},
		{"file", "file"}, {"row", "row", CELL_COUNT}, {0}};
	*s = (struct table_format){.caption = "Largest rows"};
	add_columns(s, columns, st, "of", more, flat);
}

void
stat_show_outliers(struct table_format *s, const struct stat_table *st, const struct list *more,
    bool flat)
{
	static const struct show_column columns[] = {
		{"column", "column"}, {"keys"}, {"value", "value", CELL_VALUE},
		{"unit", "unit", CELL_TEXT, SHOW_FLAT}, {"below", "outlier_below", CELL_VALUE},
		{"above", "outlier_above", CELL_VALUE}, {"count", "group\ncount", CELL_COUNT},
		{"outliers", "group\noutliers", CELL_COUNT}, {"p25", "group\np25", CELL_VALUE},
		{"median", "group\nmedian", CELL_VALUE}, {"p75", "group\np75", CELL_VALUE},
		{"max", "group\nmax", CELL_VALUE}, {"shared", "shared"}, {"file", "file"},
		{"row", "row", CELL_COUNT}, {0}};
	*s = (struct table_format){.caption = "Outliers, each with its group"};
	add_columns(s, columns, st, "of", more, flat);
}

void
stat_show_requests(struct table_format *s, const struct stat_table *st, bool flat)
{
	static const struct show_column columns[] = {
		{"keys"}, {"executions", "executions", CELL_COUNT},
		{"killed", "killed", CELL_COUNT}, {"attempts", "attempts", CELL_COUNT},
		{"memory_bytes", "memory_bytes", CELL_BYTES},
		{"last_memory_bytes", "last_memory_bytes", CELL_BYTES},
		{"time_s", "time_s", CELL_TIME}, {"cores", "cores", CELL_COUNT}, {"basis", "basis"},
		{"executions_needed", "executions_needed", CELL_COUNT},
		{"risk_low_pct", "risk_low_pct", CELL_PCT},
		{"risk_high_pct", "risk_high_pct", CELL_PCT}, {"gb_hours", "gb_hours", CELL_VALUE},
		{"max_gb_hours", "max_gb_hours", CELL_VALUE}, {0}};
	*s = (struct table_format){.caption = "Requests"};
	add_columns(s, columns, st, "group", NULL, flat);
}

void
stat_show_check(struct table_format *s, const struct stat_table *st)
{
	static const struct show_column columns[] = {
		{"keys"}, {"summary's", "summary_column"}, {"is", "means"}, {"verdict", "verdict"},
		{"groups", "groups", CELL_COUNT}, {"differ", "differ", CELL_COUNT},
		{"difference: min", "difference_min", CELL_VALUE},
		{"mean", "difference_mean", CELL_VALUE}, {"max", "difference_max", CELL_VALUE},
		{"explanation", "explanation"}, {0}};
	*s = (struct table_format){0};
	add_columns(s, columns, st, "group", NULL, false);
}

/* ---- order ------------------------------------------------------------------------ */

struct figure_list {
	const struct stat_table *s;
	uint32_t *order;	/* of figures, by group and column; NULL: as they are */
};

static void
list_record(const void *of, size_t i, struct buf *b)
{
	const struct figure_list *l = of;
	size_t k = l->order ? l->order[i] : i;
	stat_record_figure(b, l->s, stat_figure(l->s, k / l->s->n_of, k % l->s->n_of));
}

/* For each row, a number that is larger the earlier its value of a key is in order. */
static double *
order_of_key(const struct stat_table *s, const char *name)
{
	struct column *by = table_column(&s->t, name);
	struct groups g;
	double *of = xmalloc((s->t.n_rows + 1) * sizeof *of);
	table_group_make(&g, &s->t, &by, 1, s->keep);
	for (size_t i = 0; i < g.n; i++)
		for (size_t k = g.first[i]; k < g.first[i + 1]; k++)
			of[g.rows[k]] = -(double)i;
	table_group_free(&g);
	return of;
}

/* Sorts groups by one key, and leaves those that are equal in their order; the total is last. */
static void
sort_groups(const struct stat_table *s, size_t column, const char *key, struct num_at *v, size_t n)
{
	struct statistic_of by = {.of = column};
	double *of = read_key(key, &by) ? NULL : order_of_key(s, key);
	size_t *before = xmalloc((n + 1) * sizeof *before);
	for (size_t i = 0; i < n; i++) {
		size_t g = before[i] = v[i].at;
		double x = g == s->g.n ? 0 : of ? of[s->g.rows[s->g.first[g]]] :
		    statistic_of_group(s, g, &by);
		v[i] = (struct num_at){g == s->g.n ? (double)NAN : isfinite(x) ? x :
		    (double)-INFINITY, i};
	}
	qsort(v, n, sizeof *v, num_descending);
	for (size_t i = 0; i < n; i++)
		v[i].at = before[v[i].at];
	free(before);
	free(of);
}

/* The chosen groups in order, of one column, the total last; returns how many. */
static size_t
rank_groups(const struct stat_table *s, size_t column, const struct list *keys, struct num_at *v)
{
	size_t n = 0;
	for (size_t g = 0; g < s->n_figures / s->n_of; g++)
		if (stat_is_chosen(s, g))
			v[n++].at = g;
	for (size_t k = keys->n; k-- > 0; )
		sort_groups(s, column, keys->v[k], v, n);
	return n;
}

struct record_list
stat_show_records(const struct stat_table *s, const struct list *keys, size_t from, size_t most)
{
	static struct figure_list l;
	size_t groups = s->n_figures / s->n_of, kept = 0;
	l = (struct figure_list){s, NULL};
	if (!keys->n && !most && !s->chosen)
		return (struct record_list){s->n_figures, list_record, &l};
	struct num_at *v = xmalloc((groups + 1) * sizeof *v);
	l.order = xmalloc((s->n_figures + 1) * sizeof *l.order);
	for (size_t c = 0; c < s->n_of; c++) {
		size_t n = rank_groups(s, c, keys, v);
		for (size_t i = 0; i < n; i++)
			if (v[i].at == s->g.n || (i + 1 >= from && (!most || i < most)))
				l.order[kept++] = (uint32_t)(v[i].at * s->n_of + c);
	}
	free(v);
	return (struct record_list){kept, list_record, &l};
}
