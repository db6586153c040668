/* stat_figure.c: statistics of each column in each group of rows. */
#include "table/stat_figure.h"
#include "stats/exact_sum.h"
#include "base/die.h"
#include "base/num.h"
#include "base/opt.h"
#include "base/threads.h"
#include "table/table_numbers.h"

#include <stdio.h>

enum { MAX_PERCENTILES = 100000 };
static const double half = 0.5, tukey = 1.5, iglewicz = 3.5, normal_mad = 1.482602218505602;

/* ---- percentiles ---------------------------------------------------------------- */

static void
add_percentile(struct wanted *w, double p)
{
	if (w->n == MAX_PERCENTILES)
		die(ST_USAGE, "--percentiles: more than %d", (int)MAX_PERCENTILES);
	w->p = xgrow(w->p, w->n, sizeof *w->p);
	w->p[w->n++] = p;
}

static void
sort_unique(struct wanted *w)
{
	size_t n = 0;
	qsort(w->p, w->n, sizeof *w->p, num_compare);
	for (size_t i = 0; i < w->n; i++)
		if (n == 0 || w->p[i] > w->p[n - 1])
			w->p[n++] = w->p[i];
	w->n = n;
}

static double
xpercent(const char *text)
{
	return xopt_real(text + (*text == 'p'), 0, 100, "a percentile");
}

/* "0:100" or "0:100:5". */
static void
add_range(struct wanted *w, char *text)
{
	char *to = strchr(text, ':'), *step = strchr(to + 1, ':');
	*to++ = '\0';
	if (step)
		*step++ = '\0';
	double lo = xpercent(text), hi = xpercent(to), by = step ? xopt_real(step, 1e-6, 100,
	    "a step") : 1;
	for (long i = 0; lo + (double)i * by <= hi + by * 1e-9; i++)
		add_percentile(w, fmin(lo + (double)i * by, 100) / 100);
}

void
xstat_percentiles(struct wanted *w, const char *text)
{
	struct list parts = {0};
	xlist_split(&parts, text, "--percentiles");
	for (size_t i = 0; i < parts.n; i++) {
		if (strchr(parts.v[i], ':'))
			add_range(w, parts.v[i]);
		else
			add_percentile(w, xpercent(parts.v[i]) / 100);
	}
	sort_unique(w);
}

void
stat_percentile_name(char name[24], double p)
{
	snprintf(name, 24, "p%.10g", p * 100);
	for (char *c = name; *c; c++)
		if (*c == '.')
			*c = '_';
}

/* ---- outliers ---------------------------------------------------------------------- */

void
xstat_rule(struct rule *r, const char *text)
{
	char *copy = xstrdup(text), *colon = strchr(copy, ':'), *dash = strchr(copy, '-');
	*r = (struct rule){.text = text};
	if (colon)
		*colon++ = '\0';
	if (strcmp(copy, "iqr") == 0 || strcmp(copy, "mad") == 0) {
		r->kind = *copy == 'i' ? RULE_IQR : RULE_MAD;
		r->factor = colon ? xopt_real(colon, 0, 1e9, "--outliers") : *copy == 'i'
		    ? tukey : iglewicz;
	} else if (*copy == 'p' && dash && dash[1] == 'p' && !colon) {
		*dash = '\0';
		r->kind = RULE_PERCENTILES;
		r->low = xpercent(copy) / 100;
		r->high = xpercent(dash + 1) / 100;
		if (r->low >= r->high)
			die(ST_USAGE, "--outliers: '%s' is an empty range", text);
	} else {
		die(ST_USAGE, "--outliers: expected iqr, mad, iqr:3, mad:5 or p05-p95, not "
		    "'%s'", text);
	}
	free(copy);
}

static double
quantile_of(const struct wanted *all, const double *out, double p)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->p[i] >= p)
			return out[i];
	return (double)NAN;
}

static void
set_limits(struct stat_figure *f, const struct rule *r, const struct wanted *all, const double *out)
{
	double middle = f->median, reach = r->factor * normal_mad * f->mad;
	switch (r->kind) {
	case NO_RULE:
		return;
	case RULE_IQR:
		f->low = f->p25 - r->factor * (f->p75 - f->p25);
		f->high = f->p75 + r->factor * (f->p75 - f->p25);
		return;
	case RULE_MAD:	/* 0 if more than half of the values are equal */
		if (f->mad > 0) {
			f->low = middle - reach;
			f->high = middle + reach;
		}
		return;
	case RULE_PERCENTILES:
		f->low = quantile_of(all, out, r->low);
		f->high = quantile_of(all, out, r->high);
	}
}

/* ---- figures -------------------------------------------------------------------------- */

static struct wanted
all_wanted(const struct wanted *w, const struct rule *r)
{
	struct wanted all = {0};
	static const double quartiles[] = {0.25, 0.5, 0.75};
	for (size_t i = 0; i < COUNT(quartiles); i++)
		add_percentile(&all, quartiles[i]);
	for (size_t i = 0; i < w->n; i++)
		add_percentile(&all, w->p[i]);
	if (r->kind == RULE_PERCENTILES) {
		add_percentile(&all, r->low);
		add_percentile(&all, r->high);
	}
	sort_unique(&all);
	return all;
}

static uint32_t
count_unique(double *v, size_t n)
{
	uint32_t unique = n > 0;
	quantile_sort(v, n);
	for (size_t i = 1; i < n; i++)
		unique += v[i] > v[i - 1];
	return unique;
}

static void
figure_of(const struct stat_table *s, struct stat_figure *f, double *v, const struct wanted *all,
    double *out)
{
	const struct wanted *w = &s->wanted[f->column];
	double *percentiles = stat_percentiles(s, f);
	descriptive_of(&f->d, v, f->d.n);
	f->median = f->p25 = f->p75 = f->mad = f->low = f->high = (double)NAN;
	for (size_t i = 0; i < w->n; i++)
		percentiles[i] = (double)NAN;
	if (f->d.n == 0)
		return;
	if (s->unique)
		f->n_unique = count_unique(v, f->d.n);
	quantile_many(v, f->d.n, all->p, all->n, s->method, out);
	f->p25 = quantile_of(all, out, 0.25);
	f->median = quantile_of(all, out, 0.5);
	f->p75 = quantile_of(all, out, 0.75);
	for (size_t i = 0, k = 0; i < w->n; i++) {
		while (all->p[k] < w->p[i])
			k++;
		percentiles[i] = out[k];
	}
	for (size_t i = 0; i < f->d.n; i++)
		v[i] = fabs(v[i] - f->median);
	quantile_many(v, f->d.n, &half, 1, s->method, &f->mad);
	set_limits(f, &s->rule, all, out);
}

/* Group g.n: all rows. */
static size_t
values_of(const struct stat_table *s, size_t group, const struct column *c, double *v, size_t *rows,
    size_t *invalid)
{
	if (group < s->g.n) {
		*rows = s->g.first[group + 1] - s->g.first[group];
		return table_group_values(&s->g, group, c, v, invalid);
	}
	size_t n = 0, each;
	*invalid = *rows = 0;
	for (size_t g = 0; g < s->g.n; g++) {
		*rows += s->g.first[g + 1] - s->g.first[g];
		n += table_group_values(&s->g, g, c, v + n, &each);
		*invalid += each;
	}
	return n;
}

void
stat_group_rows(const struct stat_table *s, size_t group, size_t *from, size_t *to)
{
	*from = group < s->g.n ? s->g.first[group] : 0;
	*to = s->g.first[group < s->g.n ? group + 1 : s->g.n];
}

bool
stat_is_outlier(const struct stat_figure *f, double x)
{
	return x < f->low || x > f->high;
}

static uint32_t
count_outliers(const struct stat_table *s, const struct stat_figure *f)
{
	size_t from, to;
	uint32_t n = 0;
	const double *v = s->of[f->column]->number;
	stat_group_rows(s, f->group, &from, &to);
	for (size_t k = from; k < to; k++)
		n += stat_is_outlier(f, v[s->g.rows[k]]);
	return n;
}

double
stat_ratio_of_sums(const struct stat_table *s, size_t group, const double *above,
    const double *below, double scale)
{
	struct exact a = {0}, b = {0};
	size_t from, to;
	stat_group_rows(s, group, &from, &to);
	for (size_t k = from; k < to; k++) {
		uint32_t row = s->g.rows[k];
		if (isnan(above[row]) || isnan(below[row]))
			continue;
		exact_add(&a, above[row]);
		exact_add(&b, below[row]);
	}
	double x = scale * exact_value(&a) / exact_value(&b);
	return isfinite(x) ? x : (double)NAN;
}

static double
ratio_of(const struct stat_table *s, size_t group, size_t column)
{
	const double *below, *above;
	double scale;
	above = derive_parts(s->of[column]->name, &below, &scale);
	return above ? stat_ratio_of_sums(s, group, above, below, scale) : (double)NAN;
}

struct stat_figure *
stat_figure(const struct stat_table *s, size_t group, size_t column)
{
	return &s->figures[group * s->n_of + column];
}

double *
stat_percentiles(const struct stat_table *s, const struct stat_figure *f)
{
	return s->percentiles[f->column] + f->group * s->wanted[f->column].n;
}

static const struct stat_table *sorting;
static size_t sorting_column;

static int
by_sum(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	double p = stat_figure(sorting, x, sorting_column)->d.sum, q = stat_figure(sorting, y,
	    sorting_column)->d.sum;
	return p != q ? p < q ? 1 : -1 : (x > y) - (x < y);
}

/* Shares of the column's sum, in descending order.  Unknown if a value is negative. */
static void
set_shares(struct stat_table *s, size_t column)
{
	struct exact all = {0}, so_far = {0};
	const double *below;
	double scale;
	bool any_negative = false, is_ratio = derive_parts(s->of[column]->name, &below,
	    &scale);
	uint32_t *order = xmalloc((s->g.n + 1) * sizeof *order);
	for (uint32_t g = 0; g < s->g.n; g++) {
		const struct stat_figure *f = stat_figure(s, g, column);
		order[g] = g;
		exact_add(&all, f->d.sum);
		any_negative |= f->d.min < 0;
	}
	double total = exact_value(&all);
	sorting = s;
	sorting_column = column;
	qsort(order, s->g.n, sizeof *order, by_sum);
	for (size_t g = 0; g < s->g.n; g++) {
		struct stat_figure *f = stat_figure(s, order[g], column);
		exact_add(&so_far, f->d.sum);
		bool known = f->d.n && total > 0 && !any_negative && isfinite(total) && !is_ratio;
		f->share = known ? f->d.sum / total : (double)NAN;
		f->cumulated = known ? exact_value(&so_far) / total : (double)NAN;
	}
	free(order);
}

/* The work on one column: all its groups. */
struct column_work {
	struct stat_table *s;
	size_t groups, most;	/* rows of the largest */
};

static void
figures_of(void *arg, size_t column)
{
	const struct column_work *all_columns = arg;
	struct stat_table *s = all_columns->s;
	struct wanted all = all_wanted(&s->wanted[column], &s->rule);
	double *out = xmalloc(all.n * sizeof *out), *v = xmalloc((all_columns->most + 1) *
	    sizeof *v);
	size_t n_wanted = s->wanted[column].n, rows, invalid;
	s->percentiles[column] = xmalloc((all_columns->groups * n_wanted + 1) *
	    sizeof **s->percentiles);
	for (size_t group = 0; group < all_columns->groups; group++) {
		struct stat_figure *f = stat_figure(s, group, column);
		*f = (struct stat_figure){.group = (uint32_t)group, .column = (uint32_t)column,
		    .share = (double)NAN, .cumulated = (double)NAN};
		f->d.n = values_of(s, group, s->of[column], v, &rows, &invalid);
		f->rows = (uint32_t)rows;
		f->invalid = (uint32_t)invalid;
		f->missing = (uint32_t)(rows - f->d.n - invalid);
		figure_of(s, f, v, &all, out);
		f->outliers = s->rule.kind == NO_RULE ? 0 : count_outliers(s, f);
		f->ratio = ratio_of(s, group, column);
	}
	free(all.p);
	free(out);
	free(v);
}

bool
stat_is_chosen(const struct stat_table *s, size_t group)
{
	return !s->chosen || group == s->g.n || s->chosen[group];
}

void
stat_figures(struct stat_table *s, bool total)
{
	struct column_work all = {.s = s, .groups = s->g.n + total, .most = total
	    ? s->t.n_rows : 0};
	for (size_t g = 0; g < s->g.n; g++)
		if (s->g.first[g + 1] - s->g.first[g] > all.most)
			all.most = s->g.first[g + 1] - s->g.first[g];
	s->n_figures = all.groups * s->n_of;
	s->figures = xmalloc((s->n_figures + 1) * sizeof *s->figures);
	s->percentiles = xmalloc((s->n_of + 1) * sizeof *s->percentiles);
	threads_run(s->n_of, figures_of, &all);
	for (size_t column = 0; column < s->n_of; column++)
		set_shares(s, column);
}

void
stat_figures_free(struct stat_table *s)
{
	for (size_t i = 0; i < s->n_of; i++) {
		free(s->wanted[i].p);
		free(s->percentiles[i]);
	}
	free(s->wanted);
	free(s->percentiles);
	free(s->figures);
	free(s->of);
	table_group_free(&s->g);
}
