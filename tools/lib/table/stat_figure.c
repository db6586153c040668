/* stat_figure.c: statistics of each column in each group of rows. */
#include "table/stat_figure.h"
#include "stats/exact_sum.h"
#include "base/die.h"
#include "base/num.h"
#include "base/opt.h"
#include "base/threads.h"
#include "table/table_memory.h"
#include "table/table_numbers.h"

#include <stdio.h>

enum { MAX_PERCENTILES = 100000, MAX_HELD = 1 << 16, MANY_ROWS = 1 << 22 };
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
	descriptive_of(&f->d, v, f->d.n);
	f->median = f->p25 = f->p75 = f->mad = f->low = f->high = (double)NAN;
	for (size_t i = 0; i < w->n; i++)
		f->percentiles[i] = (double)NAN;
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
		f->percentiles[i] = out[k];
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

/* ---- of all groups ----------------------------------------------------------------------- */

/* What the figures of a column need. */
struct figure_work {
	struct wanted all;
	double *v, *out;	/* values of a group; its percentiles of `all` */
	double *percentiles;	/* of all figures that are held */
	double *cumulated;	/* shares of each group and the larger ones; NULL: unknown */
	double total;		/* of the sums */
};

/* The place of a figure that is held. */
static struct stat_figure *
place_of(const struct stat_table *s, size_t group, size_t column)
{
	return &s->figures[(s->held ? 0 : group) * s->n_of + column];
}

/* What is of the whole, and of other columns: the values of its own are not needed any more. */
static void
set_share(const struct stat_table *s, struct stat_figure *f)
{
	const struct figure_work *w = &s->work[f->column];
	f->ratio = ratio_of(s, f->group, f->column);
	bool known = w->cumulated && f->group < s->g.n && f->d.n;
	f->share = known ? f->d.sum / w->total : (double)NAN;
	f->cumulated = known ? w->cumulated[f->group] : (double)NAN;
}

static void
compute_figure(const struct stat_table *s, size_t group, size_t column)
{
	struct figure_work *w = &s->work[column];
	struct stat_figure *f = place_of(s, group, column);
	size_t rows, invalid;
	*f = (struct stat_figure){.group = (uint32_t)group, .column = (uint32_t)column,
	    .percentiles = w->percentiles + (s->held ? 0 : group) * s->wanted[column].n};
	f->d.n = values_of(s, group, s->of[column], w->v, &rows, &invalid);
	f->rows = (uint32_t)rows;
	f->invalid = (uint32_t)invalid;
	f->missing = (uint32_t)(rows - f->d.n - invalid);
	figure_of(s, f, w->v, &w->all, w->out);
	f->outliers = s->rule.kind == NO_RULE ? 0 : count_outliers(s, f);
}

const struct stat_figure *
stat_figure(const struct stat_table *s, size_t group, size_t column)
{
	for (size_t c = 0; s->held && *s->held != group && c < s->n_of; c++) {
		compute_figure(s, group, c);
		set_share(s, place_of(s, group, c));
	}
	if (s->held)
		*s->held = group;
	return place_of(s, group, column);
}

/* Shares of the column's sum, in descending order.  Unknown if a value is negative. */
static void
find_shares(const struct stat_table *s, size_t column)
{
	struct figure_work *w = &s->work[column];
	struct exact all = {0}, so_far = {0};
	const double *below;
	double scale;
	bool any_negative = false, is_ratio = derive_parts(s->of[column]->name, &below,
	    &scale);
	struct num_at *sums = xmalloc((s->g.n + 1) * sizeof *sums);
	for (uint32_t g = 0; g < s->g.n; g++) {
		struct descriptive d;
		size_t invalid;
		if (s->held)
			descriptive_of(&d, w->v, table_group_values(&s->g, g, s->of[column], w->v,
			    &invalid));
		else
			d = place_of(s, g, column)->d;
		sums[g] = (struct num_at){d.sum, g};
		exact_add(&all, d.sum);
		any_negative |= d.min < 0;
	}
	w->total = exact_value(&all);
	bool known = w->total > 0 && !any_negative && isfinite(w->total) && !is_ratio;
	w->cumulated = known ? xmalloc((s->g.n + 1) * sizeof *w->cumulated) : NULL;
	if (known)
		qsort(sums, s->g.n, sizeof *sums, num_descending);
	for (size_t g = 0; known && g < s->g.n; g++) {
		exact_add(&so_far, sums[g].x);
		w->cumulated[sums[g].at] = exact_value(&so_far) / w->total;
	}
	free(sums);
}

/* What is done for a column: its shares, and the figures of all groups if they are held. */
static void
begin_column(void *arg, size_t column)
{
	const struct stat_table *s = arg;
	struct figure_work *w = &s->work[column];
	size_t most = 0, groups = s->n_figures / s->n_of, held = s->held ? 0 : groups;
	for (size_t g = 0; g < s->g.n; g++)
		if (s->g.first[g + 1] - s->g.first[g] > most)
			most = s->g.first[g + 1] - s->g.first[g];
	most = groups > s->g.n ? s->g.first[s->g.n] : most;
	w->all = all_wanted(&s->wanted[column], &s->rule);
	w->out = xmalloc(w->all.n * sizeof *w->out);
	w->v = table_memory_resize(NULL, most * sizeof *w->v);
	w->percentiles = xmalloc(((held ? held : 1) * s->wanted[column].n + 1) *
	    sizeof *w->percentiles);
	for (size_t g = 0; g < held; g++)
		compute_figure(s, g, column);
	find_shares(s, column);
	if (s->held)
		return;
	table_memory_free(w->v);
	w->v = NULL;
	table_memory_release(s->of[column]->number);
	for (size_t g = 0; g < held; g++)
		set_share(s, place_of(s, g, column));
}

bool
stat_is_chosen(const struct stat_table *s, size_t group)
{
	return !s->chosen || group == s->g.n || s->chosen[group];
}

void
stat_figures(struct stat_table *s, bool total)
{
	s->n_figures = (s->g.n + total) * s->n_of;
	if (s->n_figures > MAX_HELD) {
		s->held = xmalloc(sizeof *s->held);
		*s->held = SIZE_MAX;
	}
	s->figures = xmalloc(((s->held ? s->n_of : s->n_figures) + 1) * sizeof *s->figures);
	s->work = xmalloc((s->n_of + 1) * sizeof *s->work);
	memset(s->work, 0, (s->n_of + 1) * sizeof *s->work);
	/* One column needs less memory than all. */
	if (s->t.n_rows < MANY_ROWS)
		threads_run(s->n_of, begin_column, s);
	for (size_t column = 0; s->t.n_rows >= MANY_ROWS && column < s->n_of; column++)
		begin_column(s, column);
}

void
stat_figures_free(struct stat_table *s)
{
	for (size_t i = 0; i < s->n_of; i++) {
		free(s->wanted[i].p);
		free(s->work[i].all.p);
		free(s->work[i].out);
		free(s->work[i].percentiles);
		free(s->work[i].cumulated);
		table_memory_free(s->work[i].v);
	}
	free(s->wanted);
	free(s->work);
	free(s->held);
	free(s->figures);
	free(s->of);
	table_group_free(&s->g);
}
