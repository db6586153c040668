/* sampling_overhead.c: how much sampling slows cells down.
 * Of each run, the median of its cells of a kind; then the k-th run with sampling against the k-th
 * without.  The estimate is Hodges' and Lehmann's, the median of the means of any two of those
 * differences, with Wilcoxon's interval. */
#include "sampling_overhead.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/num.h"
#include "json/json_value.h"
#include "json/lines.h"
#include "stats/quantile.h"

#include <stdio.h>

static const double max_pct = 1, confidence = 0.95;

struct timing {
	char *kind, *metric;
	bool sampled;
	double run_t, ms;
};
static struct timing *timings;
static size_t n_timings;

void
sampling_overhead_add(const char *kind, const char *metric, bool sampled, double run_t, double ms)
{
	if (!isfinite(ms) || isnan(run_t))
		return;
	*XAPPEND(timings, n_timings) =
	    (struct timing){xstrdup(kind), xstrdup(metric), sampled, run_t, ms};
}

bool
sampling_overhead_any(void)
{
	return n_timings > 0;
}

static int
same_row(const struct timing *x, const struct timing *y)
{
	int d = strcmp(x->kind, y->kind);
	return d ? d : strcmp(x->metric, y->metric);
}

static int
by_run(const void *a, const void *b)
{
	const struct timing *x = a, *y = b;
	int d = same_row(x, y);
	if (d == 0)
		d = (x->sampled > y->sampled) - (x->sampled < y->sampled);
	if (d == 0)
		d = num_compare(&x->run_t, &y->run_t);
	return d ? d : num_compare(&x->ms, &y->ms);
}

/* Reorders v; NaN of none. */
static double
median_or_nan(double *v, size_t n)
{
	return n ? quantile_median(v, n) : (double)NAN;
}

/* Medians of the runs with or without, in the order of their begin. */
static size_t
run_medians(const struct timing *l, size_t n, bool sampled, double *to)
{
	size_t runs = 0;
	for (size_t i = 0, k; i < n; i = k) {
		for (k = i + 1; k < n; k++)
			if (l[k].sampled != l[i].sampled || l[k].run_t != l[i].run_t)
				break;
		/* Sorted by run and time. */
		if (l[i].sampled == sampled)
			to[runs++] = (l[i + (k - i - 1) / 2].ms + l[i + (k - i) / 2].ms) / 2;
	}
	return runs;
}

/* How many of the sorted means lie outside of the interval at each end; -1: there are too few
 * pairs for one. */
static long
means_outside(size_t pairs)
{
	size_t sums = pairs * (pairs + 1) / 2;
	double *chance = xmalloc((sums + 1) * sizeof *chance), below = 0;
	long k = -1;
	for (size_t i = 0; i <= sums; i++)
		chance[i] = i == 0;
	/* Each rank is added or not, with equal chance. */
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

struct overhead {
	size_t pairs;
	double with, without, difference, low, high, noise;	/* ms, then percent */
};

static void
compare_runs(const double *with, const double *without, struct overhead *r)
{
	size_t n = r->pairs, sums = n * (n + 1) / 2, k = 0;
	double *pct = xmalloc((n + 1) * sizeof *pct), *means = xmalloc((sums + 1) * sizeof *means);
	for (size_t i = 0; i < n; i++)
		pct[i] = 100 * (with[i] / without[i] - 1);
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			means[k++] = (pct[i] + pct[j]) / 2;
	qsort(means, sums, sizeof *means, num_compare);
	long out = means_outside(n);
	r->difference = median_or_nan(means, sums);
	r->low = out < 0 ? NAN : means[out];
	r->high = out < 0 ? NAN : means[sums - 1 - (size_t)out];
	/* One run without samples against the next one without. */
	for (size_t i = 0; i + 1 < n; i++)
		pct[i] = 100 * fabs(without[i + 1] / without[i] - 1);
	r->noise = median_or_nan(pct, n ? n - 1 : 0);
	free(pct);
	free(means);
}

static struct overhead
overhead_of(const struct timing *l, size_t n)
{
	double *with = xmalloc(n * sizeof *with), *without = xmalloc(n * sizeof *without);
	size_t a = run_medians(l, n, true, with), b = run_medians(l, n, false, without);
	struct overhead r = {.pairs = a < b ? a : b};
	compare_runs(with, without, &r);
	r.with = median_or_nan(with, a);
	r.without = median_or_nan(without, b);
	free(with);
	free(without);
	return r;
}

static enum exit_status
status_of(const struct overhead *r)
{
	return r->high <= max_pct ? ST_OK : r->low > max_pct ? ST_DIFFERS : ST_UNKNOWN;
}

static const char *
reason_of(const struct overhead *r)
{
	if (isnan(r->low))
		return "too few pairs of runs";
	return status_of(r) == ST_UNKNOWN ? "the runs differ too much among themselves" : NULL;
}

static void
put_overhead_row(const struct timing *l, const struct overhead *r)
{
	enum exit_status s = status_of(r);
	json_t *o = json_pack("{s:s, s:o, s:s, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
	    "s:o}", "type", "sampling_overhead", "t", json_value_time(clock_unix_s()),
	    "kind", l->kind, "metric", l->metric, "pairs", (json_int_t)r->pairs,
	    "without", json_value_ms(r->without), "with", json_value_ms(r->with),
	    "difference_pct", json_value_ms(r->difference), "low_pct", json_value_ms(r->low),
	    "high_pct", json_value_ms(r->high), "noise_pct", json_value_ms(r->noise),
	    "limit_pct", json_value_ms(max_pct), "ok", s == ST_UNKNOWN ? json_null() :
	    json_boolean(s == ST_OK), "reason", json_value_text(reason_of(r)));
	xlines_write_new(o);
}

static void
print_real(bool sign, int decimals, double x)
{
	if (isnan(x))
		printf("         -");
	else
		printf(sign ? " %+9.*f" : " %9.*f", decimals, x);
}

static void
show_row(const struct timing *l, const struct overhead *r)
{
	static const char *const words[] = {[ST_OK] = "ok", [ST_DIFFERS] = "NOT",
	    [ST_UNKNOWN] = "cannot tell: "};
	/* Milliseconds, or seconds. */
	int decimals = r->without < 100 ? 3 : 1;
	printf("%-20s %-8s %5zu", l->metric, l->kind, r->pairs);
	print_real(false, decimals, r->without);
	print_real(false, decimals, r->with);
	print_real(true, 2, r->difference);
	print_real(true, 2, r->low);
	print_real(true, 2, r->high);
	print_real(false, 2, r->noise);
	printf(" %9.2f  %s%s\n", max_pct, words[status_of(r)], reason_of(r) ? reason_of(r) : "");
}

enum exit_status
sampling_overhead_rows(bool table)
{
	enum exit_status all = n_timings ? ST_OK : ST_UNKNOWN;
	if (n_timings)
		qsort(timings, n_timings, sizeof *timings, by_run);
	if (n_timings && table)
		printf("sampling overhead:\n%-20s %-8s %5s %9s %9s %9s %9s %9s %9s %9s\n",
		    "metric", "cell", "pairs", "without", "with", "adds %", "low %", "high %",
		    "noise %", "limit %");
	for (size_t i = 0, k; i < n_timings; i = k) {
		for (k = i + 1; k < n_timings && same_row(&timings[i], &timings[k]) == 0; k++)
			continue;
		struct overhead r = overhead_of(&timings[i], k - i);
		enum exit_status s = status_of(&r);
		if (table)
			show_row(&timings[i], &r);
		else
			put_overhead_row(&timings[i], &r);
		if (s == ST_DIFFERS || all == ST_OK)
			all = s;
	}
	return all;
}
