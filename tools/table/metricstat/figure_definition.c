/* figure_definition.c: our figures, and what others may mean by the same names. */
#include "figure_definition.h"
#include "base/die.h"

double *
figure_definition_values(const struct stat_table *s, size_t of, size_t group, size_t *n)
{
	size_t invalid;
	double *v = xmalloc((s->g.first[group + 1] - s->g.first[group] + 1) * sizeof *v);
	*n = table_group_values(&s->g, group, s->of[of], v, &invalid);
	return v;
}

static double
quantile_of_group(const struct stat_table *s, size_t of, size_t group, double p,
    enum quantile q)
{
	size_t n;
	double *v = figure_definition_values(s, of, group, &n), x = (double)NAN;
	if (n)
		quantile_many(v, n, &p, 1, q, &x);
	free(v);
	return x;
}

static double
figure_with_zeros(const struct stat_table *s, const struct summary_column *m, size_t group)
{
	static const double quartiles[] = {0.25, 0.5, 0.75};
	size_t n, rows = stat_figure(s, group, m->of)->rows;
	double *v = figure_definition_values(s, m->of, group, &n), x = (double)NAN;
	struct stat_figure f = {0};
	while (n < rows)
		v[n++] = 0;
	descriptive_of(&f.d, v, n);
	if (n && m->is == STAT_PERCENTILES) {
		quantile_many(v, n, &m->p, 1, s->method, &x);
	} else if (n) {
		double q[COUNT(quartiles)];
		quantile_many(v, n, quartiles, COUNT(quartiles), s->method, q);
		f.p25 = q[0];
		f.p75 = q[2];
		f.mad = quantile_mad(v, n, q[1]);
		x = statistic_value(&f, m->is);
	}
	free(v);
	return x;
}

double
figure_definition_value(const struct stat_table *s, const struct summary_column *m, int is,
    size_t group)
{
	const struct stat_figure *f = stat_figure(s, group, m->of);
	double n = (double)f->d.n;
	switch (is) {
	case STAT_PERCENTILES:
		return quantile_of_group(s, m->of, group, m->p, s->method);
	case FIGURE_ROWS: return (double)f->rows;
	case FIGURE_WITH_ZEROS: return figure_with_zeros(s, m, group);
	case FIGURE_POPULATION_STD: return n > 1 ? f->d.std * sqrt((n - 1) / n) : 0;
	case FIGURE_SCALED_MAD: return 1.482602218505602 * f->mad;
	case FIGURE_ROUGH_MAD: return 1.4826 * f->mad;
	default:
		return is < FIGURE_METHOD ? statistic_value(f, (enum statistic)is) :
		    quantile_of_group(s, m->of, group, m->p, (enum quantile)(is - FIGURE_METHOD));
	}
}

#define IF(statistic) (1ul << (statistic))
#define ANY (~IF(STAT_COUNT))
const struct figure_definition figure_definitions[] = {
	{"rows whose value is missing are counted", FIGURE_ROWS, IF(STAT_COUNT)},
	{"missing values are taken for zero", FIGURE_WITH_ZEROS,
	    ANY & ~IF(STAT_SUM) & ~IF(STAT_SHARE), true},
	{"it is the ratio of sums, not the mean of ratios", STAT_RATIO, IF(STAT_MEAN)},
	{"it is the standard deviation of a population (divided by n, not n - 1)",
	    FIGURE_POPULATION_STD, IF(STAT_STD)},
	{"the deviation is scaled by 1.4826", FIGURE_ROUGH_MAD, IF(STAT_MAD)},
	{"the deviation is scaled by 1.4826", FIGURE_SCALED_MAD, IF(STAT_MAD)},
	{"it is the mean", STAT_MEAN, ANY}, {"it is the median", STAT_MEDIAN, ANY},
	{"it is the sum", STAT_SUM, ANY}, {"it is the maximum", STAT_MAX, ANY},
	{"it is the minimum", STAT_MIN, ANY},
	{0},
};
