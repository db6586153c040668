/* checkwhy.c: why somebody's figures differ from ours: another unit, another
 * interpolation, missing values taken for zero, rounding. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DECIMALS = 9 };

/* ---- figures as others have them ------------------------------------------------ */

/* The group's values; *n of them.  The caller's. */
static double *
values_of(const struct stat *s, size_t of, size_t group, size_t *n)
{
	size_t invalid;
	double *v = xmalloc((s->g.first[group + 1] - s->g.first[group] + 1) * sizeof *v);
	*n = groups_values(&s->g, group, s->of[of], v, &invalid);
	return v;
}

static double
quantile_in(const struct stat *s, size_t of, size_t group, double p, enum quantile q)
{
	size_t n;
	double *v = values_of(s, of, group, &n), x = (double)NAN;
	if (n)
		quantiles(v, n, &p, 1, q, &x);
	free(v);
	return x;
}

double
our_figure(const struct stat *s, const struct meaning *m, size_t group)
{
	const struct figure *f = stat_figure(s, group, m->of);
	switch (m->told) {
	case TOLD_COUNT: return (double)f->d.n;
	case TOLD_SUM: return f->d.n ? f->d.sum : (double)NAN;
	case TOLD_MEAN: return f->d.mean;
	case TOLD_STD: return f->d.std;
	case TOLD_MIN: return f->d.min;
	case TOLD_MAX: return f->d.max;
	case TOLD_IQR: return f->p75 - f->p25;
	case TOLD_MAD: return f->mad;
	case TOLD_SHARE: return 100 * f->share;
	case TOLD_PERCENTILE: return quantile_in(s, m->of, group, m->p, s->method);
	default: return (double)NAN;
	}
}

/* Other ways to come to a figure of such a name. */
struct other {
	const char *text;
	double (*value)(const struct stat *, const struct meaning *, size_t group);
	bool (*suits)(const struct meaning *);
};

static bool is_mean(const struct meaning *m) { return m->told == TOLD_MEAN; }
static bool is_std(const struct meaning *m) { return m->told == TOLD_STD; }
static bool is_count(const struct meaning *m) { return m->told == TOLD_COUNT; }
static bool is_spread(const struct meaning *m) { return m->told == TOLD_MAD; }
static bool is_any(const struct meaning *m) { return m->told != TOLD_COUNT; }

static double
mean_with_zeros(const struct stat *s, const struct meaning *m, size_t group)
{
	const struct figure *f = stat_figure(s, group, m->of);
	return f->rows ? f->d.sum / (double)f->rows : (double)NAN;
}

static double
ratio_of_sums(const struct stat *s, const struct meaning *m, size_t group)
{
	return stat_figure(s, group, m->of)->ratio;
}

static double
std_of_n(const struct stat *s, const struct meaning *m, size_t group)
{
	const struct figure *f = stat_figure(s, group, m->of);
	return f->d.n == 1 ? 0 : f->d.std * sqrt((double)(f->d.n - 1) / (double)f->d.n);
}

static double
all_rows(const struct stat *s, const struct meaning *m, size_t group)
{
	return (double)stat_figure(s, group, m->of)->rows;
}

static double
scaled_mad(const struct stat *s, const struct meaning *m, size_t group)
{
	return 1.482602218505602 * stat_figure(s, group, m->of)->mad;
}

static double its_mean(const struct stat *s, const struct meaning *m, size_t g) { return stat_figure(s, g, m->of)->d.mean; }
static double its_median(const struct stat *s, const struct meaning *m, size_t g) { return stat_figure(s, g, m->of)->median; }
static double its_sum(const struct stat *s, const struct meaning *m, size_t g) { return stat_figure(s, g, m->of)->d.sum; }
static double its_max(const struct stat *s, const struct meaning *m, size_t g) { return stat_figure(s, g, m->of)->d.max; }
static double its_min(const struct stat *s, const struct meaning *m, size_t g) { return stat_figure(s, g, m->of)->d.min; }

static const struct other others[] = {
	{"rows whose value is missing are counted", all_rows, is_count},
	{"missing values are taken for zero", mean_with_zeros, is_mean},
	{"it is the ratio of sums, not the mean of ratios", ratio_of_sums, is_mean},
	{"it is the deviation of a whole population (divided by n, not n - 1)", std_of_n, is_std},
	{"the deviation is scaled by 1.4826", scaled_mad, is_spread},
	{"it is the mean", its_mean, is_any}, {"it is the median", its_median, is_any}, {"it is the sum", its_sum, is_any},
	{"it is the maximum", its_max, is_any}, {"it is the minimum", its_min, is_any},
};

/* ---- units ------------------------------------------------------------------------- */

static const char *const unit_words[] = {"B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "ns", "us", "ms", "s", "min", "h",
	"d", "%", "J", "kJ", "Wh", "kWh"};

static bool
near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fabs(b);
}

/* theirs = k ours: in which unit is it?  NULL: no unit has that. */
static char *
unit_text(const struct pairs *p, double k, double tolerance)
{
	struct unit own = stat_unit(p->s->of[p->m.of]->name), u, v;
	bool named = p->m.unit.quantity != OF_NOTHING;
	for (size_t i = 0; own.quantity != OF_NOTHING && i < COUNT(unit_words); i++) {
		if (unit_parse(unit_words[i], &v) != 0 || v.quantity != own.quantity || !near(own.factor / v.factor, k, tolerance))
			continue;
		return named && strcmp(p->m.unit.symbol, v.symbol) != 0 ? xasprintf("its name says %s and it is in %s", p->m.unit.symbol, v.symbol)
			: xasprintf("it is in %s, the rows are in %s", v.symbol, own.symbol);
	}
	for (size_t i = 0; own.quantity == OF_NOTHING && i < COUNT(unit_words); i++)
		for (size_t j = 0; j < COUNT(unit_words); j++)
			if (i != j && unit_parse(unit_words[i], &u) == 0 && unit_parse(unit_words[j], &v) == 0 && u.quantity == v.quantity &&
			    near(u.factor / v.factor, k, tolerance) && (!named || strcmp(p->m.unit.symbol, v.symbol) == 0))
				return xasprintf("%s against %s (the summary against the rows)", v.symbol, u.symbol);
	return near(k, 100, tolerance) || near(k, 0.01, tolerance) ? xstrdup("percent against a fraction") : NULL;
}

/* ---- agreement ----------------------------------------------------------------------- */

/* How many decimals all of theirs have at most; MOST_DECIMALS + 1: more. */
static int
decimals_of(const struct pairs *p)
{
	int most = 0;
	for (size_t i = 0; i < p->n; i++) {
		int k = 0;
		for (double ten = 1; k <= MOST_DECIMALS; k++, ten *= 10)
			if (fabs(p->theirs[i] * ten - rint(p->theirs[i] * ten)) <= 1e-9 * fabs(p->theirs[i] * ten))
				break;
		most = k > most ? k : most;
	}
	return most;
}

/* How many of theirs are no k times v, apart from half a unit of rounding. */
static size_t
count_wrong(const struct pairs *p, const double *v, double k, double half)
{
	size_t wrong = 0;
	for (size_t i = 0; i < p->n; i++)
		wrong += !(fabs(p->theirs[i] - k * v[i]) <= p->tolerance * fabs(k * v[i]) + half);
	return wrong;
}

/* The one ratio that all have, by the middle one; NaN: there is none. */
static double
one_ratio(const struct pairs *p, const double *v, double half)
{
	double *r = xmalloc((p->n + 1) * sizeof *r), k = (double)NAN;
	size_t n = 0;
	for (size_t i = 0; i < p->n; i++)
		if (v[i] != 0 && isfinite(v[i]) && fabs(p->theirs[i]) > 4 * half)
			r[n++] = p->theirs[i] / v[i];
	if (n > 1) {
		qsort(r, n, sizeof *r, compare_reals);
		k = r[n / 2];
	}
	free(r);
	return k > 0 && isfinite(k) && count_wrong(p, v, k, half) == 0 ? k : (double)NAN;
}

/* What theirs are to ours if the summary is in the unit that its name says. */
static double
expected_ratio(const struct pairs *p)
{
	struct unit own = stat_unit(p->s->of[p->m.of]->name);
	bool told = p->m.unit.quantity != OF_NOTHING && p->m.unit.quantity == own.quantity && p->m.told != TOLD_COUNT;
	return told ? own.factor / p->m.unit.factor : 1;
}

/* Does it explain them?  In the same unit, that of the name, another one, or, if
 * `any_unit`, by a ratio that is none of any. */
static bool
fits(struct pairs *p, const double *v, double half, bool any_unit, char **unit)
{
	double expected = expected_ratio(p);
	*unit = NULL;
	p->ratio = expected;
	if (count_wrong(p, v, expected, half) == 0)
		return true;
	double k = one_ratio(p, v, half);
	if (isnan(k) || p->m.told == TOLD_COUNT)
		return false;
	p->ratio = k;
	*unit = unit_text(p, k, half > 0 ? 1e-2 : 1e-4);
	if (!*unit && any_unit)
		*unit = xstrdup("no unit is known that has it");
	return *unit;
}

static double *
figures_by(const struct pairs *p, double (*value)(const struct stat *, const struct meaning *, size_t))
{
	double *v = xmalloc((p->n + 1) * sizeof *v);
	for (size_t i = 0; i < p->n; i++)
		v[i] = value(p->s, &p->m, p->group[i]);
	return v;
}

static void
conclude(struct pairs *p, const char *what, char *unit, int decimals)
{
	/* To what the name promises. */
	double k = p->ratio / expected_ratio(p);
	char *ratio = !unit ? NULL : k < 1 ? xasprintf("a ratio of %.5g (1/%.5g): %s", k, 1 / k, unit) : xasprintf("a ratio of %.5g: %s", k, unit);
	p->verdict = what || unit ? EXPLAINED : decimals >= 0 ? ROUNDED : SAME;
	p->differ = p->verdict == EXPLAINED ? p->n : 0;
	p->why = xasprintf("%s%s%s", ratio ? ratio : "", ratio && what ? "; " : "", what ? what : "");
	if (decimals >= 0) {
		char *more = xasprintf("%s%srounded to %d decimals", p->why, *p->why ? "; " : "", decimals);
		free(p->why);
		p->why = more;
	}
	free(ratio);
}

/* With exact numbers first, then as if theirs were rounded. */
static bool
try(struct pairs *p, const double *v, const char *what, int decimals, bool any_unit)
{
	char *unit;
	if (fits(p, v, 0, any_unit, &unit)) {
		conclude(p, what, unit, -1);
		return true;
	}
	if (decimals > MOST_DECIMALS || !fits(p, v, 0.5 * pow(10, -decimals) * (1 + 1e-9), any_unit, &unit))
		return false;
	conclude(p, what, unit, decimals);
	return true;
}

/* Percentiles by every method that has a name. */
static bool
try_methods(struct pairs *p, int decimals)
{
	double *v = xmalloc((p->n + 1) * sizeof *v);
	bool found = false;
	for (int q = 0; q < N_QUANTILES && !found; q++) {
		if ((enum quantile)q == p->s->method)
			continue;
		for (size_t i = 0; i < p->n; i++)
			v[i] = quantile_in(p->s, p->m.of, p->group[i], p->m.p, (enum quantile)q);
		char *what = xasprintf("another interpolation: %s", quantile_name((enum quantile)q));
		found = try(p, v, what, decimals, false);
		free(what);
	}
	free(v);
	return found;
}

/* Is each of theirs between the two values next to where the percentile lies? */
static bool
is_between(const struct pairs *p)
{
	size_t inside = 0;
	double k = isfinite(p->ratio) ? p->ratio : 1;
	for (size_t i = 0; i < p->n; i++) {
		size_t n;
		double *v = values_of(p->s, p->m.of, p->group[i], &n);
		sort_numbers(v, n);
		double at = p->m.p * (double)(n ? n - 1 : 0);
		size_t low = at >= 1 ? (size_t)at - 1 : 0, high = n && low + 3 < n ? low + 3 : n ? n - 1 : 0;
		inside += n && p->theirs[i] >= k * v[low] * (1 - 1e-12) && p->theirs[i] <= k * v[high] * (1 + 1e-12);
		free(v);
	}
	return inside == p->n;
}

void
explain(struct pairs *p)
{
	int decimals = decimals_of(p);
	p->why = NULL;
	if (p->n == 0 || try(p, p->ours, NULL, decimals, false))
		return;
	if (p->m.told == TOLD_PERCENTILE && try_methods(p, decimals))
		return;
	for (size_t i = 0; i < COUNT(others); i++) {
		if (!others[i].suits(&p->m))
			continue;
		double *v = figures_by(p, others[i].value);
		bool found = try(p, v, others[i].text, decimals, false);
		free(v);
		if (found)
			return;
	}
	if (p->n > 2 && try(p, p->ours, NULL, decimals, true))
		return;
	p->ratio = expected_ratio(p);
	p->verdict = DIFFERENT;
	p->differ = count_wrong(p, p->ours, p->ratio, 0);
	if (p->m.told == TOLD_PERCENTILE && is_between(p)) {
		p->verdict = EXPLAINED;
		p->why = xasprintf("between neighbouring values: another interpolation, of no known name");
	}
}
