/* figure_definition.c: our figures, and what others may mean by the same names. */
#include "figure_definition.h"
#include "base/die.h"

static double
figure_with_zeros(const struct stat_table *s, const struct statistic_of *m, size_t group)
{
	static const double quartiles[] = {0.25, 0.5, 0.75};
	size_t n, rows = stat_figure(s, group, m->of)->rows;
	double *v = statistic_values(s, m->of, group, &n), x = (double)NAN;
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
figure_definition_value(const struct stat_table *s, const struct statistic_of *m, int is,
    size_t group)
{
	const struct stat_figure *f = stat_figure(s, group, m->of);
	double n = (double)f->d.n;
	switch (is) {
	case FIGURE_ROWS: return (double)f->rows;
	case FIGURE_WITH_ZEROS: return figure_with_zeros(s, m, group);
	case FIGURE_POPULATION_STD: return n > 1 ? f->d.std * sqrt((n - 1) / n) : 0;
	case FIGURE_SCALED_MAD: return 1.482602218505602 * f->mad;
	case FIGURE_ROUGH_MAD: return 1.4826 * f->mad;
	default:
		return is < FIGURE_METHOD ? statistic_of_group(s, group, &(struct statistic_of){
		    .of = m->of, .is = (enum statistic)is, .p = m->p}) :
		    statistic_quantile(s, m->of, group, m->p, (enum quantile)(is - FIGURE_METHOD));
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
