/* calibration.c: comparisons of measured values with the truth. */
#include "calibration.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/num.h"
#include "bias_before.h"
#include "stats/quantile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_MS = 17 };

/* The limit as such, or as a part of the truth (the caller gives it where both are 0), and the
 * share of values that must be within it.  The machine delays a kernel or a browser now and then,
 * which is no error of the measurement: there the median counts. */
static const struct calibration_rule {
	double limit, part, share;
	bool each;	/* a row for each cell */
	int decimals;
} rules[] = {
	[CAL_TIME] = {10, 0, 0.5, true, 1},
	[CAL_SETTLED] = {FRAME_MS, 0, 0.95, true, 1},
	[CAL_CPU] = {0, 0.02, 0.5, true, 3},
	[CAL_COUNTED] = {0, 0.01, 1, true, 0},
	[CAL_EXACT] = {0, 0, 1, true, 0},
	[CAL_SHOWN] = {1, 0, 0.5, true, 0},
	[CAL_FRAME] = {FRAME_MS, 0, 0.5, true, 1},
	[CAL_RECORDED] = {1000, 0, 1, true, 1},
	[CAL_UNATTRIBUTED] = {0, 0, 0.99, false, 1},
	[CAL_ADDED] = {20, 0, 0.5, false, 1},
	[CAL_ADDED_PART] = {INFINITY, 0, 0, false, 1},
	[CAL_ADDED_OUTPUT] = {0, 0, 0.5, false, 1},
	[CAL_MOVING] = {INFINITY, 0, 0, false, 1},
	[CAL_SCRIPT] = {INFINITY, 0, 0, false, 1},
};

/* By how a field begins and ends; the first row that fits counts. */
static const struct { const char *begin, *end; enum calibration_kind kind; } kinds[] = {
	{"page.long_animation_frames.", "_ms", CAL_FRAME},
	{"page.", "frames_shown", CAL_SHOWN},
	{"console.", "", CAL_EXACT},
	{"page.", "widget_views", CAL_EXACT},
	{"", "messages_received", CAL_EXACT},
	{"", "messages_sent", CAL_EXACT},
	{"", "cpu_s", CAL_CPU},
	{"", "_ms", CAL_TIME},
	{"", "", CAL_COUNTED},
};

static struct calibration *rows;
static size_t n_rows, cap;

bool
calibration_ok(const struct calibration *s)
{
	return fabs(s->measured - s->truth) <= s->limit;
}

static bool
field_matches(const char *field, const char *begin, const char *end)
{
	size_t n = strlen(field), b = strlen(begin), e = strlen(end);
	return n >= b && n >= e && strncmp(field, begin, b) == 0 && strcmp(field + n - e, end) == 0;
}

enum calibration_kind
calibration_kind(const char *field)
{
	size_t i = 0;
	while (!field_matches(field, kinds[i].begin, kinds[i].end))
		i++;
	return kinds[i].kind;
}

const struct calibration *
calibration_add(enum calibration_kind kind, const char *metric, const char *cell, double truth,
    double measured, double limit)
{
	const struct calibration_rule *rule = &rules[kind];
	if (!(limit > 0))
		limit = rule->part > 0 ? rule->part * fabs(truth) : rule->limit;
	rows = xgrow(rows, n_rows, &cap, sizeof *rows);
	rows[n_rows] = (struct calibration){kind, xstrdup(metric),
	    rule->each ? xstrdup(cell) : NULL, truth, measured, limit};
	return &rows[n_rows++];
}

static int
by_row(const void *a, const void *b)
{
	const struct calibration *x = a, *y = b;
	int d = (x->kind > y->kind) - (x->kind < y->kind);
	d = d ? d : strcmp(x->metric, y->metric);
	if (d == 0 && x->cell && y->cell)
		d = strcmp(x->cell, y->cell);
	return d;
}

static void
print_real(int width, int decimals, double x)
{
	if (isfinite(x))
		printf(" %*.*f", width, decimals, x);
	else
		printf(" %*s", width, "-");
}

/* Of n sorted values; NaN: there is none. */
static double
quantile_or_nan(const double *sorted, size_t n, double p)
{
	return n ? quantile_sorted(sorted, n, p, Q_LINEAR) : (double)NAN;
}

/* One row: the values of one metric, of one cell where each cell has its truth. */
static bool
put_calibration_row(const struct calibration *c, size_t n, double *room, bool table, bool before,
    int width)
{
	const struct calibration_rule *rule = &rules[c->kind];
	size_t in = 0, known = 0;
	double median[3], worst = 0;
	for (size_t column = 0; column < 3; column++) {
		known = 0;
		for (size_t i = 0; i < n; i++) {
			double v[3] = {c[i].truth, c[i].measured, c[i].measured - c[i].truth};
			if (!isnan(v[column]))
				room[known++] = v[column];
		}
		qsort(room, known, sizeof *room, num_compare);
		median[column] = quantile_or_nan(room, known, 0.5);
	}
	for (size_t i = 0; i < n; i++)
		in += calibration_ok(&c[i]);
	for (size_t i = 0; i < known; i++)
		worst = fabs(room[i]) > fabs(worst) ? room[i] : worst;
	bool ok = (double)in >= rule->share * (double)n;
	if (!table)
		return ok;
	/* The limit of unattributed time is each cell's own. */
	const double rest[] = {median[2], quantile_or_nan(room, known, 0.05),
	    quantile_or_nan(room, known, 0.95), worst,
	    c->kind == CAL_UNATTRIBUTED ? (double)NAN : c->limit};
	printf("%-*s %-12s %4zu", width, c->metric, c->cell ? c->cell : "all", n);
	print_real(9, rule->decimals, median[0]);
	print_real(9, rule->decimals, median[1]);
	if (before)
		print_real(8, rule->decimals, bias_before(c->metric, c->cell));
	for (size_t i = 0; i < COUNT(rest); i++)
		print_real(8, rule->decimals, rest[i]);
	printf(" %6.0f %%", 100 * (double)in / (double)n);
	if (isfinite(c->limit))
		printf(" %7.0f %%  %s", 100 * rule->share, ok ? "ok" : "NOT");
	putchar('\n');
	return ok;
}

static void
put_verdict(size_t n, size_t n_bad, const char *bad)
{
	if (!n_bad)
		printf("verdict: all %zu metrics can be trusted here: "
		    "each is within its limit\n", n);
	else
		printf("verdict: %zu of %zu metrics can be trusted here; not within their limits: "
		    "%s\n", n - n_bad, n, bad);
}

enum exit_status
calibration_rows(bool table, bool before)
{
	double *room = xmalloc((n_rows + 1) * sizeof *room);
	struct buf bad = {0};
	size_t n_bad = 0, n_metrics = 0;
	int width = 12;
	if (n_rows)
		qsort(rows, n_rows, sizeof *rows, by_row);
	for (size_t i = 0; i < n_rows; i++) {
		int n = (int)strlen(rows[i].metric);
		width = n > width ? n : width;
	}
	if (table && n_rows)
		printf("%-*s %-12s %4s %9s %9s%s %8s %8s %8s %8s %8s %8s %9s\n", width,
		    "metric", "cell", "n", "truth", "measured", before ? "   before" : "", "bias",
		    "p05", "p95", "worst", "limit", "within", "required");
	for (size_t i = 0, k; i < n_rows; i = k) {
		for (k = i + 1; k < n_rows && by_row(&rows[i], &rows[k]) == 0; k++)
			continue;
		n_metrics += isfinite(rows[i].limit);
		if (!put_calibration_row(&rows[i], k - i, room, table, before, width))
			buf_addf(&bad, "%s%s%s%s", n_bad++ ? ", " : "", rows[i].metric,
			    rows[i].cell ? " of " : "", rows[i].cell ? rows[i].cell : "");
	}
	if (table && n_rows)
		put_verdict(n_metrics, n_bad, bad.n ? bad.p : "");
	buf_free(&bad);
	free(room);
	return n_rows == 0 ? ST_UNKNOWN : n_bad ? ST_DIFFERS : ST_OK;
}
