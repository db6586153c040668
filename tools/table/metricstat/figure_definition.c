/* figure_definition.c: our figures, and what others may mean by the same names. */
#include "figure_definition.h"
#include "base/die.h"
#include "base/nbscope.h"

#include <math.h>
#include <stdlib.h>

double *
figure_definition_values(const struct stat_table *s, size_t of, size_t group, size_t *n)
{
	size_t invalid;
	double *v = xmalloc((s->g.first[group + 1] - s->g.first[group] + 1) * sizeof *v);
	*n = table_group_values(&s->g, group, s->of[of], v, &invalid);
	return v;
}

double
figure_definition_quantile(const struct stat_table *s, size_t of, size_t group, double p,
    enum quantile q)
{
	size_t n;
	double *v = figure_definition_values(s, of, group, &n), x = (double)NAN;
	if (n)
		quantile_many(v, n, &p, 1, q, &x);
	free(v);
	return x;
}

double
figure_definition_ours(const struct stat_table *s, const struct summary_column *m, size_t group)
{
	const struct stat_figure *f = stat_figure(s, group, m->of);
	switch (m->kind) {
	case FIGURE_COUNT: return (double)f->d.n;
	case FIGURE_SUM: return f->d.n ? f->d.sum : (double)NAN;
	case FIGURE_MEAN: return f->d.mean;
	case FIGURE_STD: return f->d.std;
	case FIGURE_MIN: return f->d.min;
	case FIGURE_MAX: return f->d.max;
	case FIGURE_IQR: return f->p75 - f->p25;
	case FIGURE_MAD: return f->mad;
	case FIGURE_SHARE: return 100 * f->share;
	case FIGURE_PERCENTILE: return figure_definition_quantile(s, m->of, group, m->p, s->method);
	default: return (double)NAN;
	}
}

static bool is_mean(const struct summary_column *m) { return m->kind == FIGURE_MEAN; }

static bool
is_of_values(const struct summary_column *m)
{
	return m->kind != FIGURE_COUNT && m->kind != FIGURE_SUM && m->kind != FIGURE_SHARE;
}

static bool is_std(const struct summary_column *m) { return m->kind == FIGURE_STD; }
static bool is_count(const struct summary_column *m) { return m->kind == FIGURE_COUNT; }
static bool is_spread(const struct summary_column *m) { return m->kind == FIGURE_MAD; }
static bool is_any(const struct summary_column *m) { return m->kind != FIGURE_COUNT; }

static double
figure_with_zeros(const struct stat_table *s, const struct summary_column *m, size_t group)
{
	static const double quartiles[] = {0.25, 0.5, 0.75};
	size_t n, rows = stat_figure(s, group, m->of)->rows;
	double *v = figure_definition_values(s, m->of, group, &n), x = (double)NAN;
	double q[COUNT(quartiles)];
	struct descriptive d;
	while (n < rows)
		v[n++] = 0;
	descriptive_of(&d, v, n);
	if (n && m->kind == FIGURE_PERCENTILE)
		quantile_many(v, n, &m->p, 1, s->method, &x);
	else if (n)
		quantile_many(v, n, quartiles, COUNT(quartiles), s->method, q);
	switch (n ? m->kind : FIGURE_UNKNOWN) {
	case FIGURE_MEAN: x = d.mean; break;
	case FIGURE_STD: x = d.std; break;
	case FIGURE_MIN: x = d.min; break;
	case FIGURE_MAX: x = d.max; break;
	case FIGURE_IQR: x = q[2] - q[0]; break;
	case FIGURE_MAD: x = quantile_mad(v, n, q[1]); break;
	default: break;
	}
	free(v);
	return x;
}

static double
ratio_of_sums(const struct stat_table *s, const struct summary_column *m, size_t group)
{
	return stat_figure(s, group, m->of)->ratio;
}

static double
std_of_n(const struct stat_table *s, const struct summary_column *m, size_t group)
{
	const struct stat_figure *f = stat_figure(s, group, m->of);
	return f->d.n == 1 ? 0 : f->d.std * sqrt((double)(f->d.n - 1) / (double)f->d.n);
}

static double
all_rows(const struct stat_table *s, const struct summary_column *m, size_t group)
{
	return (double)stat_figure(s, group, m->of)->rows;
}

static double
scaled_mad(const struct stat_table *s, const struct summary_column *m, size_t group)
{
	return 1.482602218505602 * stat_figure(s, group, m->of)->mad;
}

static double
roughly_scaled_mad(const struct stat_table *s, const struct summary_column *m, size_t group)
{
	return 1.4826 * stat_figure(s, group, m->of)->mad;
}

static double its_mean(const struct stat_table *s, const struct summary_column *m,
    size_t g) { return stat_figure(s, g, m->of)->d.mean; }
static double its_median(const struct stat_table *s, const struct summary_column *m,
    size_t g) { return stat_figure(s, g, m->of)->median; }
static double its_sum(const struct stat_table *s, const struct summary_column *m,
    size_t g) { return stat_figure(s, g, m->of)->d.sum; }
static double its_max(const struct stat_table *s, const struct summary_column *m,
    size_t g) { return stat_figure(s, g, m->of)->d.max; }
static double its_min(const struct stat_table *s, const struct summary_column *m,
    size_t g) { return stat_figure(s, g, m->of)->d.min; }

const struct figure_definition figure_definitions[] = {
	{"rows whose value is missing are counted", all_rows, is_count},
	{"missing values are taken for zero", figure_with_zeros, is_of_values, true},
	{"it is the ratio of sums, not the mean of ratios", ratio_of_sums, is_mean},
	{"it is the standard deviation of a population (divided by n, not n - 1)", std_of_n,
	    is_std},
	{"the deviation is scaled by 1.4826", roughly_scaled_mad, is_spread},
	    {"the deviation is scaled by 1.4826", scaled_mad, is_spread},
	{"it is the mean", its_mean, is_any}, {"it is the median", its_median, is_any},
	    {"it is the sum", its_sum, is_any},
	{"it is the maximum", its_max, is_any}, {"it is the minimum", its_min, is_any},
	{0},
};
