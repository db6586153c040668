/* looking.c: what procsample adds to a cell's time.
 *
 * Of each run, the median of its cells of a kind; then the k-th run with against
 * the k-th without.  What is told of those differences is Hodges' and Lehmann's
 * estimate with Wilcoxon's interval: the median of the means of any two.
 */
#include "looking.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double most_pct = 1, confidence = 0.95;

struct look {
	char *kind, *metric;
	bool sampled;
	double run_t, ms;
};
static struct look *looks;
static size_t n_looks;

void
looking_add(const char *kind, const char *metric, bool sampled, double run_t, double ms)
{
	if (!isfinite(ms) || isnan(run_t))
		return;
	if ((n_looks & (n_looks - 1)) == 0)
		looks = xrealloc(looks, (n_looks ? 2 * n_looks : 1) * sizeof *looks);
	looks[n_looks++] = (struct look){xstrdup(kind), xstrdup(metric), sampled, run_t, ms};
}

bool
looking_any(void)
{
	return n_looks > 0;
}

static int
by_number(double x, double y)
{
	return (x > y) - (x < y);
}

static int
same_row(const struct look *x, const struct look *y)
{
	int d = strcmp(x->kind, y->kind);
	return d ? d : strcmp(x->metric, y->metric);
}

static int
by_run(const void *a, const void *b)
{
	const struct look *x = a, *y = b;
	int d = same_row(x, y);
	if (d == 0)
		d = (x->sampled > y->sampled) - (x->sampled < y->sampled);
	if (d == 0)
		d = by_number(x->run_t, y->run_t);
	return d ? d : by_number(x->ms, y->ms);
}

static int
by_value(const void *a, const void *b)
{
	return by_number(*(const double *)a, *(const double *)b);
}

static double
median(const double *sorted, size_t n)
{
	return n ? (sorted[(n - 1) / 2] + sorted[n / 2]) / 2 : NAN;
}

static double
median_of(const double *v, size_t n)
{
	double *sorted = xmalloc((n + 1) * sizeof *sorted);
	if (n)
		memcpy(sorted, v, n * sizeof *v);
	qsort(sorted, n, sizeof *sorted, by_value);
	double m = median(sorted, n);
	free(sorted);
	return m;
}

/* Medians of the runs with or without, in the order of their begin. */
static size_t
medians(const struct look *l, size_t n, bool sampled, double *to)
{
	size_t runs = 0;
	for (size_t i = 0, k; i < n; i = k) {
		double ms[2];
		for (k = i + 1; k < n && l[k].sampled == l[i].sampled && by_number(l[k].run_t, l[i].run_t) == 0; k++)
			continue;
		ms[0] = l[i + (k - i - 1) / 2].ms;
		ms[1] = l[i + (k - i) / 2].ms;
		if (l[i].sampled == sampled)
			to[runs++] = median(ms, 2);
	}
	return runs;
}

/* How many of the sorted means of two lie outside of the interval at each end;
 * -1: there are too few pairs for one. */
static long
outside(size_t pairs)
{
	size_t sums = pairs * (pairs + 1) / 2;
	double *chance = xmalloc((sums + 1) * sizeof *chance), below = 0;
	long k = -1;
	for (size_t i = 0; i <= sums; i++)
		chance[i] = i == 0;
	/* Each rank is added or is not, with the same chance. */
	for (size_t rank = 1; rank <= pairs; rank++)
		for (size_t i = sums + 1; i-- > 0; )
			chance[i] = (chance[i] + (i >= rank ? chance[i - rank] : 0)) / 2;
	for (size_t i = 0; i <= sums && below + chance[i] <= (1 - confidence) / 2; i++) {
		below += chance[i];
		k = (long)i;
	}
	free(chance);
	return k;
}

struct row {
	size_t pairs;
	double with, without, difference, low, high, noise;	/* ms, then percent */
};

static void
compare(const double *with, const double *without, struct row *r)
{
	size_t n = r->pairs, sums = n * (n + 1) / 2, k = 0;
	double *pct = xmalloc((n + 1) * sizeof *pct), *means = xmalloc((sums + 1) * sizeof *means);
	for (size_t i = 0; i < n; i++)
		pct[i] = 100 * (with[i] / without[i] - 1);
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			means[k++] = (pct[i] + pct[j]) / 2;
	qsort(means, sums, sizeof *means, by_value);
	long out = outside(n);
	r->difference = median(means, sums);
	r->low = out < 0 ? NAN : means[out];
	r->high = out < 0 ? NAN : means[sums - 1 - (size_t)out];
	/* One run without against the next one without. */
	for (size_t i = 0; i + 1 < n; i++)
		pct[i] = 100 * fabs(without[i + 1] / without[i] - 1);
	r->noise = n > 1 ? median_of(pct, n - 1) : NAN;
	free(pct);
	free(means);
}

static struct row
row_of(const struct look *l, size_t n)
{
	double *with = xmalloc(n * sizeof *with), *without = xmalloc(n * sizeof *without);
	size_t a = medians(l, n, true, with), b = medians(l, n, false, without);
	struct row r = {.pairs = a < b ? a : b};
	r.with = median_of(with, a);
	r.without = median_of(without, b);
	compare(with, without, &r);
	free(with);
	free(without);
	return r;
}

static enum status
judge(const struct row *r)
{
	return r->high <= most_pct ? ST_OK : r->low > most_pct ? ST_DIFFERS : ST_UNKNOWN;
}

static const char *
why(const struct row *r)
{
	return isnan(r->low) ? "too few pairs of runs" : judge(r) == ST_UNKNOWN ? "the runs differ too much among themselves" : NULL;
}

static void
put_row(const struct look *l, const struct row *r)
{
	enum status s = judge(r);
	json_t *o = json_pack("{s:s, s:o, s:s, s:s, s:I}", "type", "looking", "t", json_t_of(now_t()), "kind", l->kind,
	    "metric", l->metric, "pairs", (json_int_t)r->pairs);
	json_object_set_new(o, "without", json_ms(r->without));
	json_object_set_new(o, "with", json_ms(r->with));
	json_object_set_new(o, "difference_pct", json_ms(r->difference));
	json_object_set_new(o, "low_pct", json_ms(r->low));
	json_object_set_new(o, "high_pct", json_ms(r->high));
	json_object_set_new(o, "noise_pct", json_ms(r->noise));
	json_object_set_new(o, "limit_pct", json_ms(most_pct));
	json_object_set_new(o, "ok", s == ST_UNKNOWN ? json_null() : json_boolean(s == ST_OK));
	json_object_set_new(o, "reason", why(r) ? json_string(why(r)) : json_null());
	xput_record(o);
	json_decref(o);
}

static void
show(bool sign, int decimals, double x)
{
	if (isnan(x))
		printf("         -");
	else
		printf(sign ? " %+9.*f" : " %9.*f", decimals, x);
}

static void
show_row(const struct look *l, const struct row *r)
{
	static const char *const words[] = {[ST_OK] = "ok", [ST_DIFFERS] = "NOT", [ST_UNKNOWN] = "cannot tell: "};
	/* Milliseconds, or seconds. */
	int decimals = r->without < 100 ? 3 : 1;
	printf("%-20s %-8s %5zu", l->metric, l->kind, r->pairs);
	show(false, decimals, r->without);
	show(false, decimals, r->with);
	show(true, 2, r->difference);
	show(true, 2, r->low);
	show(true, 2, r->high);
	show(false, 2, r->noise);
	printf(" %9.2f  %s%s\n", most_pct, words[judge(r)], why(r) ? why(r) : "");
}

enum status
looking_rows(bool table)
{
	enum status all = n_looks ? ST_OK : ST_UNKNOWN;
	if (n_looks)
		qsort(looks, n_looks, sizeof *looks, by_run);
	if (n_looks && table)
		printf("procsample adds:\n%-20s %-8s %5s %9s %9s %9s %9s %9s %9s %9s\n", "metric", "cell", "pairs", "without", "with",
		    "adds %", "from", "to", "noise", "limit");
	for (size_t i = 0, k; i < n_looks; i = k) {
		for (k = i + 1; k < n_looks && same_row(&looks[i], &looks[k]) == 0; k++)
			continue;
		struct row r = row_of(&looks[i], k - i);
		enum status s = judge(&r);
		if (table)
			show_row(&looks[i], &r);
		else
			put_row(&looks[i], &r);
		if (s == ST_DIFFERS || all == ST_OK)
			all = s;
	}
	return all;
}
