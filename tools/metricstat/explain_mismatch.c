/* explain_mismatch.c: why the figures of a summary differ from ours: another unit,
 * another interpolation, missing values taken for zero, rounding. */
#include "explain_mismatch.h"
#include "base/nbscope.h"
#include "base/die.h"
#include "base/num.h"
#include "table/column_unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DECIMALS = 9, NOT_ROUNDED = -1, GROUPS_PER_SPARE = 4 };

#define WITH_ZEROS "missing values are taken for zero"
#define OTHER_ORDER "the values are those of other groups: the rows are in another order"

/* ---- other definitions of a figure ------------------------------------------------ */

/* The group's values; *n of them.  The caller frees them. */
static double *
values_of(const struct stat_table *s, size_t of, size_t group, size_t *n)
{
	size_t invalid;
	double *v = xmalloc((s->g.first[group + 1] - s->g.first[group] + 1) * sizeof *v);
	*n = table_group_values(&s->g, group, s->of[of], v, &invalid);
	return v;
}

static double
quantile_in(const struct stat_table *s, size_t of, size_t group, double p, enum quantile q)
{
	size_t n;
	double *v = values_of(s, of, group, &n), x = (double)NAN;
	if (n)
		quantile_many(v, n, &p, 1, q, &x);
	free(v);
	return x;
}

double
explain_figure(const struct stat_table *s, const struct summary_column *m, size_t group)
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
	case FIGURE_PERCENTILE: return quantile_in(s, m->of, group, m->p, s->method);
	default: return (double)NAN;
	}
}

/* Another definition of a figure of this name. */
struct definition {
	const char *text;
	double (*value)(const struct stat_table *, const struct summary_column *, size_t group);
	bool (*suits)(const struct summary_column *);
};

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
	double *v = values_of(s, m->of, group, &n), x = (double)NAN, q[COUNT(quartiles)];
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

static const struct definition others[] = {
	{"rows whose value is missing are counted", all_rows, is_count},
	{WITH_ZEROS, figure_with_zeros, is_of_values},
	{"it is the ratio of sums, not the mean of ratios", ratio_of_sums, is_mean},
	{"it is the standard deviation of a population (divided by n, not n - 1)", std_of_n,
	    is_std},
	{"the deviation is scaled by 1.4826", roughly_scaled_mad, is_spread},
	    {"the deviation is scaled by 1.4826", scaled_mad, is_spread},
	{"it is the mean", its_mean, is_any}, {"it is the median", its_median, is_any},
	    {"it is the sum", its_sum, is_any},
	{"it is the maximum", its_max, is_any}, {"it is the minimum", its_min, is_any},
};

/* ---- units ------------------------------------------------------------------------- */

static const char *const unit_words[] = {"B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB",
    "ns", "us", "ms", "s", "min", "h",
	"d", "%", "J", "kJ", "Wh", "kWh"};

static bool
is_near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fabs(b);
}

/* theirs / ours if the summary is in the unit that its name says. */
static double
expected_ratio(const struct figure_pairs *p)
{
	struct unit own = column_unit(p->s->of[p->column.of]->name);
	bool known = p->column.unit.quantity != OF_NOTHING &&
	    p->column.unit.quantity == own.quantity && p->column.kind != FIGURE_COUNT;
	return known ? own.factor / p->column.unit.factor : 1;
}

/* The unit in which theirs = *k * ours, with its exact ratio into *k; NULL: none, or the expected
 * one. */
static char *
unit_text(const struct figure_pairs *p, double *k, double tolerance)
{
	double fitted = *k;
	if (is_near(fitted, expected_ratio(p), tolerance))
		return NULL;
	struct unit own = column_unit(p->s->of[p->column.of]->name), u, v;
	bool named = p->column.unit.quantity != OF_NOTHING;
	for (size_t i = 0; own.quantity != OF_NOTHING && i < COUNT(unit_words); i++) {
		if (unit_parse(unit_words[i], &v) != 0 || v.quantity != own.quantity ||
		    !is_near(own.factor / v.factor, fitted, tolerance))
			continue;
		*k = own.factor / v.factor;
		return named && strcmp(p->column.unit.symbol, v.symbol) != 0
		    ? xasprintf("its name says %s, but it is in %s", p->column.unit.symbol,
		    v.symbol)
			: xasprintf("it is in %s, but the rows are in %s", v.symbol, own.symbol);
	}
	for (size_t i = 0; own.quantity == OF_NOTHING && i < COUNT(unit_words); i++)
		for (size_t j = 0; j < COUNT(unit_words); j++)
			if (i != j && unit_parse(unit_words[i], &u) == 0 &&
			    unit_parse(unit_words[j], &v) == 0 && u.quantity == v.quantity &&
			    is_near(u.factor / v.factor, fitted, tolerance) &&
			    (!named || strcmp(p->column.unit.symbol, v.symbol) == 0)) {
				*k = u.factor / v.factor;
				return xasprintf("the summary is in %s, the rows in %s", v.symbol,
				    u.symbol);
			}
	if (!is_near(fitted, 100, tolerance) && !is_near(fitted, 0.01, tolerance))
		return NULL;
	*k = fitted > 1 ? 100 : 0.01;
	return xstrdup("one is in percent, the other a fraction");
}

/* ---- agreement ----------------------------------------------------------------------- */

/* The largest number of decimals in theirs, except for the spare ones; MAX_DECIMALS + 1:
 * more. */
static int
decimals_of(const struct figure_pairs *p)
{
	size_t with[MAX_DECIMALS + 2] = {0}, more = 0;
	for (size_t i = 0; i < p->n; i++) {
		int k = 0;
		for (double ten = 1; k <= MAX_DECIMALS; k++, ten *= 10)
			if (fabs(p->theirs[i] * ten - rint(p->theirs[i] * ten)) <= 1e-9 *
			    fabs(p->theirs[i] * ten))
				break;
		with[k]++;
	}
	int most = MAX_DECIMALS + 1;
	while (most > 0 && (more += with[most]) <= p->spare)
		most--;
	return most;
}

/* Counts and marks those of theirs that are not k * v within half a unit of rounding. */
static size_t
count_wrong(struct figure_pairs *p, const double *v, double k, double half)
{
	size_t wrong = 0;
	for (size_t i = 0; i < p->n; i++)
		wrong += p->wrong[i] = !(fabs(p->theirs[i] - k * v[i]) <= p->tolerance *
		    fabs(k * v[i]) + half);
	return wrong;
}

/* The ratio of most, their median; NaN: none.  With a single group it is accepted only for our
 * own figure, since it would fit any other figure as well. */
static double
median_ratio(const struct figure_pairs *p, const double *v, double half)
{
	double *r = xmalloc((p->n + 1) * sizeof *r), k = (double)NAN;
	size_t n = 0;
	for (size_t i = 0; i < p->n; i++)
		if (v[i] != 0 && isfinite(v[i]) && fabs(p->theirs[i]) > 4 * half)
			r[n++] = p->theirs[i] / v[i];
	if (n > 1 || (n == 1 && p->n == 1 && v == p->ours && !(half > 0))) {
		qsort(r, n, sizeof *r, num_compare);
		k = r[n / 2];
	}
	free(r);
	return k > 0 && isfinite(k) ? k : (double)NAN;
}

/* True if v explains theirs: in the expected unit, another one, or, if `any_unit`, by a
 * ratio that belongs to no unit. */
static bool
is_explained(struct figure_pairs *p, const double *v, double half, bool any_unit, char **unit)
{
	double expected = expected_ratio(p);
	*unit = NULL;
	p->ratio = expected;
	if (count_wrong(p, v, expected, half) <= p->spare)
		return true;
	double k = median_ratio(p, v, half);
	if (isnan(k) || p->column.kind == FIGURE_COUNT)
		return false;
	*unit = unit_text(p, &k, half > 0 ? 1e-2 : 1e-4);
	if (!*unit && any_unit)
		*unit = xstrdup("no known unit has this ratio");
	if (*unit && count_wrong(p, v, k, half) > p->spare) {
		free(*unit);
		*unit = NULL;
	}
	p->ratio = *unit ? k : p->ratio;
	return *unit;
}

static double *
figures_by(const struct figure_pairs *p, double (*value)(const struct stat_table *,
    const struct summary_column *, size_t))
{
	double *v = xmalloc((p->n + 1) * sizeof *v);
	for (size_t i = 0; i < p->n; i++)
		v[i] = value(p->s, &p->column, p->group[i]);
	return v;
}

static void
set_explained(struct figure_pairs *p, const char *what, char *unit, int decimals)
{
	/* Relative to the unit of the name. */
	double k = p->ratio / expected_ratio(p);
	char *ratio = !unit ? NULL : k < 1 ? xasprintf("a ratio of %.5g (1/%.5g): %s", k, 1 / k,
	    unit) : xasprintf("a ratio of %.5g: %s", k, unit);
	p->verdict = what || unit ? PAIRS_EXPLAINED : decimals >= 0 ? PAIRS_ROUNDED : PAIRS_SAME;
	p->differ = p->verdict == PAIRS_EXPLAINED ? p->n : 0;
	p->why = xasprintf("%s%s%s", ratio ? ratio : "", ratio && what ? "; " : "", what
	    ? what : "");
	if (decimals >= 0) {
		char *more = xasprintf("%s%srounded to %d decimal%s", p->why, *p->why ? "; " : "",
		    decimals, decimals == 1 ? "" : "s");
		free(p->why);
		p->why = more;
	}
	free(ratio);
}

/* Half of the last digit. */
static double
half_unit(int decimals)
{
	return 0.5 * pow(10, -decimals) * (1 + 1e-9);
}

/* Tries exact numbers first, then rounded ones. */
static bool
try_figures(struct figure_pairs *p, const double *v, const char *what, int decimals, bool any_unit)
{
	char *unit;
	if (is_explained(p, v, 0, any_unit, &unit)) {
		set_explained(p, what, unit, NOT_ROUNDED);
		return true;
	}
	if (decimals == NOT_ROUNDED)
		return false;
	if (decimals > MAX_DECIMALS || !is_explained(p, v, half_unit(decimals), any_unit, &unit))
		return false;
	set_explained(p, what, unit, decimals);
	return true;
}

/* Tries all methods for percentiles. */
static bool
try_methods(struct figure_pairs *p, int decimals)
{
	double *v = xmalloc((p->n + 1) * sizeof *v);
	bool found = false;
	for (int q = 0; q < N_QUANTILES && !found; q++) {
		if ((enum quantile)q == p->s->method)
			continue;
		for (size_t i = 0; i < p->n; i++)
			v[i] = quantile_in(p->s, p->column.of, p->group[i], p->column.p,
			    (enum quantile)q);
		char *what = xasprintf("another interpolation: %s",
		    quantile_name((enum quantile)q));
		found = try_figures(p, v, what, decimals, false);
		free(what);
	}
	free(v);
	return found;
}

/* True if each of theirs is between the values on both sides of the percentile. */
static bool
is_between(const struct figure_pairs *p)
{
	size_t inside = 0;
	double k = isfinite(p->ratio) ? p->ratio : 1;
	for (size_t i = 0; i < p->n; i++) {
		size_t n;
		double *v = values_of(p->s, p->column.of, p->group[i], &n);
		quantile_sort(v, n);
		double at = p->column.p * (double)(n ? n - 1 : 0);
		size_t low = at >= 1 ? (size_t)at - 1 : 0, high = n && low + 3 < n ? low + 3 : n
		    ? n - 1 : 0;
		inside += n && p->theirs[i] >= k * v[low] * (1 - 1e-12) && p->theirs[i] <= k *
		    v[high] * (1 + 1e-12);
		free(v);
	}
	return inside == p->n;
}

static bool
try_other(struct figure_pairs *p, const struct definition *other, int decimals)
{
	if (!other->suits(&p->column))
		return false;
	double *v = figures_by(p, other->value);
	bool found = try_figures(p, v, other->text, decimals, false);
	free(v);
	return found;
}

/* Whether the values are right, but belong to other groups. */
static bool
try_order(struct figure_pairs *p, int decimals)
{
	struct figure_pairs sorted = *p;
	size_t bytes = (p->n + 1) * sizeof *p->theirs;
	sorted.theirs = memcpy(xmalloc(bytes), p->theirs, p->n * sizeof *p->theirs);
	sorted.ours = memcpy(xmalloc(bytes), p->ours, p->n * sizeof *p->ours);
	qsort(sorted.theirs, p->n, sizeof *p->theirs, num_compare);
	qsort(sorted.ours, p->n, sizeof *p->ours, num_compare);
	bool found = p->n > 1 && p->column.kind != FIGURE_COUNT &&
	    try_figures(&sorted, sorted.ours, OTHER_ORDER, decimals, false);
	if (found) {
		double half = decimals >= 0 && decimals <= MAX_DECIMALS ? half_unit(decimals) : 0;
		p->verdict = PAIRS_EXPLAINED;
		p->ratio = sorted.ratio;
		p->why = sorted.why;
		p->differ = count_wrong(p, p->ours, p->ratio, half);
	}
	free(sorted.theirs);
	free(sorted.ours);
	return found;
}

/* Tries what explains all groups but the spare ones.  Zeros come before rounding: a
 * minimum of 0 is not a rounded 0.3. */
static bool
explain_most(struct figure_pairs *p)
{
	int decimals = decimals_of(p);
	if (try_figures(p, p->ours, NULL, NOT_ROUNDED, false))
		return true;
	for (size_t i = 0; i < COUNT(others); i++)
		if (others[i].value == figure_with_zeros && try_other(p, &others[i], NOT_ROUNDED))
			return true;
	if (try_figures(p, p->ours, NULL, decimals, false))
		return true;
	if (p->column.kind == FIGURE_PERCENTILE && try_methods(p, decimals))
		return true;
	for (size_t i = 0; i < COUNT(others); i++)
		if (try_other(p, &others[i], decimals))
			return true;
	if (!p->spare && try_order(p, decimals))
		return true;
	return p->n > 2 && try_figures(p, p->ours, NULL, decimals, true);
}

/* A wrong group does not hide what the others have in common. */
static bool
explain_but_few(struct figure_pairs *p)
{
	p->spare = p->n / GROUPS_PER_SPARE;
	if (!p->spare || !explain_most(p))
		return false;
	p->verdict = PAIRS_DIFFER;
	p->differ = 0;
	for (size_t i = 0; i < p->n; i++)
		p->differ += p->wrong[i];
	char *rest = p->why;
	p->why = xasprintf("%zu of %zu groups differ for no known reason%s%s", p->differ, p->n,
	    *rest ? "; the others: " : "", rest);
	free(rest);
	return true;
}

void
explain_mismatch(struct figure_pairs *p)
{
	p->why = NULL;
	p->spare = 0;
	if (p->n == 0 || explain_most(p))
		return;
	p->ratio = expected_ratio(p);
	if (p->column.kind == FIGURE_PERCENTILE && is_between(p)) {
		p->verdict = PAIRS_EXPLAINED;
		p->differ = count_wrong(p, p->ours, p->ratio, 0);
		p->why = xasprintf("between neighbouring values: an unknown interpolation");
		return;
	}
	if (explain_but_few(p))
		return;
	p->ratio = expected_ratio(p);
	p->verdict = PAIRS_DIFFER;
	p->differ = count_wrong(p, p->ours, p->ratio, 0);
	p->why = xasprintf("%zu of %zu groups differ for no known reason", p->differ, p->n);
}
