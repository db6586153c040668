/* explain_mismatch.c: why the figures of a summary differ from ours: another unit,
 * another interpolation, missing values taken for zero, rounding. */
#include "explain_mismatch.h"
#include "base/die.h"
#include "base/num.h"
#include "figure_definition.h"
#include "table/column_unit.h"
#include "text/text.h"

enum { MAX_DECIMALS = 9, NOT_ROUNDED = -1, GROUPS_PER_SPARE = 4 };

#define OTHER_ORDER "the values are those of other groups: the rows are in another order"

static const char *const unit_words[] = {"B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB",
    "ns", "us", "ms", "s", "min", "h", "d", "%", "J", "kJ", "Wh", "kWh"};

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
	    p->column.unit.quantity == own.quantity && p->column.is != STAT_COUNT;
	return known ? own.factor / p->column.unit.factor : 1;
}

/* The unit in which theirs = *k * ours, with its exact ratio into *k; NULL: none, or the expected
 * one.  The caller frees it. */
static char *
unit_of_ratio(const struct figure_pairs *p, double *k, double tolerance)
{
	double fitted = *k;
	struct unit own = column_unit(p->s->of[p->column.of]->name), u = own, v;
	const char *name = p->column.unit.quantity != OF_NOTHING ? p->column.unit.symbol : NULL;
	bool known = own.quantity != OF_NOTHING;
	if (is_near(fitted, expected_ratio(p), tolerance))
		return NULL;
	/* Where our own unit is unknown, any pair with the unit of the name may explain the ratio;
	 * at last, B with any unit. */
	size_t n = known ? 1 : COUNT(unit_words);
	for (size_t turn = 0; turn < n + !known; turn++)
		for (size_t i = turn % n, j = 0; j < COUNT(unit_words); j++) {
			if ((!known && (i == j || unit_parse(unit_words[i], &u) != 0)) ||
			    unit_parse(unit_words[j], &v) != 0 || u.quantity != v.quantity ||
			    !is_near(u.factor / v.factor, fitted, tolerance))
				continue;
			bool as_named = !name || strcmp(name, v.symbol) == 0;
			if (!known && !as_named && turn < n)
				continue;
			*k = u.factor / v.factor;
			return !as_named ? xasprintf("its name says %s, but it is in %s", name,
			    v.symbol) : !known ? xasprintf("the summary is in %s, the rows in %s",
			    v.symbol, u.symbol) : xasprintf("it is in %s, but the rows are in %s",
			    v.symbol, own.symbol);
		}
	if (!is_near(fitted, 100, tolerance) && !is_near(fitted, 0.01, tolerance))
		return NULL;
	*k = fitted > 1 ? 100 : 0.01;
	return xstrdup("one is in percent, the other a fraction");
}

/* Sets verdict and reason: another figure (`what`, or NULL), the unit of p->ratio (or NULL),
 * rounded to `decimals` (below 0: exact).  Frees the unit. */
static void
set_explained(struct figure_pairs *p, const char *what, char *unit, int decimals)
{
	struct buf b = {0};
	/* Relative to the unit of the name. */
	double k = p->ratio / expected_ratio(p);
	p->verdict = what || unit ? PAIRS_EXPLAINED : decimals >= 0 ? PAIRS_ROUNDED : PAIRS_SAME;
	p->differ = p->verdict == PAIRS_EXPLAINED ? p->n : 0;
	buf_add(&b, "", 0);
	if (unit && k < 1)
		buf_addf(&b, "a ratio of %.5g (1/%.5g): %s", k, 1 / k, unit);
	else if (unit)
		buf_addf(&b, "a ratio of %.5g: %s", k, unit);
	if (what)
		buf_addf(&b, "%s%s", b.n ? "; " : "", what);
	if (decimals >= 0)
		buf_addf(&b, "%srounded to %d decimal%s", b.n ? "; " : "", decimals,
		    text_plural((size_t)decimals));
	p->why = b.p;
	free(unit);
}

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
	if (isnan(k) || p->column.is == STAT_COUNT)
		return false;
	*unit = unit_of_ratio(p, &k, half > 0 ? 1e-2 : 1e-4);
	if (!*unit && any_unit)
		*unit = xstrdup("no known unit has this ratio");
	if (*unit && count_wrong(p, v, k, half) > p->spare) {
		free(*unit);
		*unit = NULL;
	}
	p->ratio = *unit ? k : p->ratio;
	return *unit;
}

/* Half of the last digit. */
static double
half_unit(int decimals)
{
	return 0.5 * pow(10, -decimals) * (1 + 1e-9);
}

/* Tries exact numbers first, then rounded ones, if decimals is not NOT_ROUNDED. */
static bool
try_figures(struct figure_pairs *p, const double *v, const char *what, int decimals, bool any_unit)
{
	char *unit;
	bool exact = is_explained(p, v, 0, any_unit, &unit);
	if (!exact && (decimals == NOT_ROUNDED || decimals > MAX_DECIMALS ||
	    !is_explained(p, v, half_unit(decimals), any_unit, &unit)))
		return false;
	set_explained(p, what, unit, exact ? NOT_ROUNDED : decimals);
	return true;
}

static bool
try_other(struct figure_pairs *p, const struct figure_definition *other, int decimals)
{
	if (!(other->suits >> p->column.is & 1))
		return false;
	double *v = xmalloc((p->n + 1) * sizeof *v);
	for (size_t i = 0; i < p->n; i++)
		v[i] = figure_definition_value(p->s, &p->column, other->is, p->group[i]);
	bool found = try_figures(p, v, other->text, decimals, false);
	free(v);
	return found;
}

/* Tries all methods for percentiles. */
static bool
try_methods(struct figure_pairs *p, int decimals)
{
	bool found = false;
	for (int q = 0; q < N_QUANTILES && !found; q++) {
		char *what = xasprintf("another interpolation: %s",
		    quantile_name((enum quantile)q));
		found = (enum quantile)q != p->s->method &&
		    try_other(p, &(struct figure_definition){what, FIGURE_METHOD + q,
		    1ul << STAT_PERCENTILES}, decimals);
		free(what);
	}
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
		double *v = statistic_values(p->s, p->column.of, p->group[i], &n);
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
	bool found = p->n > 1 && p->column.is != STAT_COUNT &&
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
	for (const struct figure_definition *d = figure_definitions; d->text; d++)
		if (d->before_rounding && try_other(p, d, NOT_ROUNDED))
			return true;
	if (try_figures(p, p->ours, NULL, decimals, false))
		return true;
	if (try_methods(p, decimals))
		return true;
	for (const struct figure_definition *d = figure_definitions; d->text; d++)
		if (try_other(p, d, decimals))
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
	if (p->column.is == STAT_PERCENTILES && is_between(p)) {
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
