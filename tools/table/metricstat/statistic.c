/* statistic.c: the statistics of a group, their names and values. */
#include "statistic.h"
#include "json/json_value.h"

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
