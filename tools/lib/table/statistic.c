/* statistic.c: the statistics of a group, their names and values. */
#include "table/statistic.h"
#include "base/die.h"
#include "json/json_value.h"

#include <ctype.h>

const struct statistic_def statistics[STATISTICS] = {
	[STAT_COUNT] = {"count", "count", "count", CELL_COUNT, true},
	[STAT_MISSING] = {"missing", "missing", "missing", CELL_COUNT, true},
	[STAT_INVALID] = {"invalid", "invalid", "invalid", CELL_COUNT},
	[STAT_UNIQUE] = {"n_unique", "unique", "n_unique", CELL_COUNT, .if_asked = true},
	[STAT_OUTLIERS] = {"outliers", "outliers", "outliers", CELL_COUNT, .if_asked = true},
	[STAT_SUM] = {"sum", "sum", "sum", CELL_VALUE, true},
	[STAT_SHARE] = {"share", "share", "share_pct", CELL_PCT, true},
	[STAT_CUMULATED] = {"cumulated", "cumulated", "cumulated_share_pct", CELL_PCT},
	[STAT_RATIO] = {"ratio", "ratio of sums", "ratio_of_sums", CELL_VALUE, .if_asked = true},
	[STAT_MEAN] = {"mean", "mean", "mean", CELL_VALUE, true},
	[STAT_STD] = {"std", "std", "std", CELL_VALUE, true},
	[STAT_MIN] = {"min", "min", "min", CELL_VALUE, true},
	[STAT_P25] = {"p25", "p25", "p25", CELL_VALUE},
	[STAT_MEDIAN] = {"median", "median", "median", CELL_VALUE, true},
	[STAT_P75] = {"p75", "p75", "p75", CELL_VALUE},
	[STAT_PERCENTILES] = {"percentiles", NULL, NULL, CELL_VALUE, true},
	[STAT_MAX] = {"max", "max", "max", CELL_VALUE, true},
	[STAT_IQR] = {"iqr", "iqr", "iqr", CELL_VALUE},
	[STAT_MAD] = {"mad", "mad", "mad", CELL_VALUE},
};

double
statistic_value(const struct stat_figure *f, enum statistic s)
{
	const double v[STATISTICS] = {
		[STAT_COUNT] = (double)f->d.n, [STAT_MISSING] = f->missing,
		[STAT_INVALID] = f->invalid, [STAT_UNIQUE] = f->n_unique,
		[STAT_OUTLIERS] = f->outliers, [STAT_SUM] = f->d.n ? f->d.sum : (double)NAN,
		[STAT_SHARE] = 100 * f->share, [STAT_CUMULATED] = 100 * f->cumulated,
		[STAT_RATIO] = f->ratio, [STAT_MEAN] = f->d.mean, [STAT_STD] = f->d.std,
		[STAT_MIN] = f->d.min, [STAT_P25] = f->p25, [STAT_MEDIAN] = f->median,
		[STAT_P75] = f->p75, [STAT_PERCENTILES] = NAN, [STAT_MAX] = f->d.max,
		[STAT_IQR] = f->p75 - f->p25, [STAT_MAD] = f->mad};
	return v[s];
}

json_t *
statistic_json(const struct stat_figure *f, enum statistic s)
{
	double x = statistic_value(f, s);
	return statistics[s].kind == CELL_COUNT ? json_integer((json_int_t)x) : json_value_real(x);
}

/* ---- as words say them ------------------------------------------------------------ */

bool
statistic_read(const char *word, struct statistic_of *m)
{
	static const struct {
		const char *word;
		enum statistic is;
	} known[] = {
		{"count", STAT_COUNT}, {"n", STAT_COUNT}, {"num", STAT_COUNT},
		{"number", STAT_COUNT}, {"rows", STAT_COUNT}, {"quanta", STAT_COUNT},
		{"size", STAT_COUNT}, {"sum", STAT_SUM}, {"total", STAT_SUM}, {"mean", STAT_MEAN},
		{"avg", STAT_MEAN}, {"average", STAT_MEAN}, {"std", STAT_STD}, {"sd", STAT_STD},
		{"stddev", STAT_STD}, {"stdev", STAT_STD}, {"min", STAT_MIN}, {"minimum", STAT_MIN},
		{"max", STAT_MAX}, {"maximum", STAT_MAX}, {"peak", STAT_MAX}, {"iqr", STAT_IQR},
		{"mad", STAT_MAD}, {"share", STAT_SHARE}, {"integrated", STAT_SUM},
	};
	for (size_t i = 0; i < COUNT(known); i++)
		if (strcmp(known[i].word, word) == 0) {
			m->is = known[i].is;
			return true;
		}
	bool q = (*word == 'p' || *word == 'q') && isdigit((unsigned char)word[1]);
	char *end;
	double x = strtod(word + q, &end);
	if (strcmp(word, "median") == 0)
		x = 50;
	else if (end == word + q || !(q || *end) || (*end && strcmp(end, "%") != 0 &&
	    strcmp(end, "th") != 0) || !(x >= 0 && x <= 100))
		return false;
	m->is = STAT_PERCENTILES;
	m->p = x / 100;
	return true;
}

size_t
statistic_column(const struct stat_table *s, const char *text, size_t n)
{
	size_t i = 0;
	while (i < s->n_of && !(strlen(s->of[i]->name) == n &&
	    strncmp(s->of[i]->name, text, n) == 0))
		i++;
	return i < s->n_of ? i : SIZE_MAX;
}

/* ---- of one group ------------------------------------------------------------------ */

double *
statistic_values(const struct stat_table *s, size_t of, size_t group, size_t *n)
{
	size_t invalid;
	double *v = xmalloc((s->g.first[group + 1] - s->g.first[group] + 1) * sizeof *v);
	*n = table_group_values(&s->g, group, s->of[of], v, &invalid);
	return v;
}

double
statistic_quantile(const struct stat_table *s, size_t of, size_t group, double p,
    enum quantile q)
{
	size_t n;
	double *v = statistic_values(s, of, group, &n), x = (double)NAN;
	if (n)
		quantile_many(v, n, &p, 1, q, &x);
	free(v);
	return x;
}

double
statistic_of_group(const struct stat_table *s, size_t group, const struct statistic_of *m)
{
	const struct stat_figure *f = stat_figure(s, group, m->of);
	const struct wanted *w = &s->wanted[m->of];
	if (m->is != STAT_PERCENTILES)
		return statistic_value(f, m->is);
	for (size_t i = 0; i < w->n; i++)
		if (fabs(w->p[i] - m->p) < 1e-9)
			return f->percentiles[i];
	return statistic_quantile(s, m->of, group, m->p, s->method);
}
