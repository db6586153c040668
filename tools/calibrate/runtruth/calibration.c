/* calibration.c: comparisons of measured values with the truth. */
#include "calibration.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/num.h"
#include "json/scan.h"
#include "stats/quantile.h"

#include <stdio.h>
#include <unistd.h>

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
	[CAL_SHARE] = {2, 0, 0.5, true, 1},
	[CAL_SHOWN] = {1, 0, 0.5, true, 0},
	[CAL_FRAME] = {FRAME_MS, 0, 0.5, true, 1},
	[CAL_GESTURE] = {FRAME_MS, 0, 0.5, true, 1},
	[CAL_RECORDED] = {1000, 0, 1, true, 1},
	[CAL_UNATTRIBUTED] = {0, 0, 0.99, false, 1},
	[CAL_ADDED] = {20, 0, 0.5, false, 1},
	[CAL_ADDED_PART] = {INFINITY, 0, 0, false, 1},
	[CAL_ADDED_OUTPUT] = {0, 0, 0.5, false, 1},
	[CAL_MOVING] = {INFINITY, 0, 0, false, 1},
	[CAL_SCRIPT] = {INFINITY, 0, 0, false, 1},
};

/* Rules by prefix and suffix of the field's name; the first match applies. */
static const struct { const char *begin, *end; enum calibration_kind kind; } kinds[] = {
	{"page.long_animation_frames.", "_ms", CAL_FRAME},
	{"page.", "frames_shown", CAL_SHOWN},
	{"interaction.", "_ms", CAL_GESTURE},
	{"interaction.", "", CAL_EXACT},
	{"console.", "", CAL_EXACT},
	{"lines.", ".hits", CAL_EXACT},
	{"lines.", ".share_pct", CAL_SHARE},
	{"workers.lines.", ".hits", CAL_EXACT},
	{"workers.lines.", ".share_pct", CAL_SHARE},
	{"profile_reasons", "", CAL_EXACT},
	{"page.", "widget_views", CAL_EXACT},
	{"", "messages_received", CAL_EXACT},
	{"", "messages_sent", CAL_EXACT},
	{"", "cpu_s", CAL_CPU},
	{"", "_ms", CAL_TIME},
	{"", "", CAL_COUNTED},
};

static struct calibration *rows;
static size_t n_rows;
static int metric_width = 12, cell_width = 12;	/* of the table */
static bool any_interval;	/* a truth is not exact */

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
calibration_add(const struct calibration *c)
{
	const struct calibration_rule *rule = &rules[c->kind];
	struct calibration *row = XAPPEND(rows, n_rows);
	*row = *c;
	row->metric = xstrdup(c->metric);
	row->cell = rule->each ? xstrdup(c->cell) : NULL;
	row->marks = c->marks ? xstrdup(c->marks) : NULL;
	if (!(c->limit > 0))
		row->limit = rule->part > 0 ? rule->part * fabs(c->truth) : rule->limit;
	return row;
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

/* The quantile of n sorted values; NaN: there is none. */
static double
quantile_or_nan(const double *sorted, size_t n, double p)
{
	return n ? quantile_sorted(sorted, n, p, Q_LINEAR) : (double)NAN;
}

/* How the values of a row are judged. */
struct judgement {
	enum exit_status status;	/* ST_UNKNOWN: the values that are off have a mark each */
	size_t in;
	const char *marks;	/* of the first of them */
};

static struct judgement
judge(const struct calibration *c, size_t n)
{
	struct judgement j = {ST_OK, 0, NULL};
	size_t marked = 0;
	for (size_t i = 0; i < n; i++)
		if (calibration_ok(&c[i]))
			j.in++;
		else if (c[i].marks && ++marked && !j.marks)
			j.marks = c[i].marks;
	if ((double)j.in < rules[c->kind].share * (double)n)
		j.status = j.in + marked == n ? ST_UNKNOWN : ST_DIFFERS;
	return j;
}

/* The intervals in which the truths are known that are not exact, sorted; their number. */
static size_t
resolutions(const struct calibration *c, size_t n, double *room)
{
	size_t known = 0;
	for (size_t i = 0; i < n; i++)
		if (!isnan(c[i].resolution))
			room[known++] = c[i].resolution;
	qsort(room, known, sizeof *room, num_compare);
	return known;
}

static struct earlier_error {
	char *metric, *cell;
	double error;
} *errors;
static size_t n_errors;

static void
read_earlier_error(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	xscan_record(s, in, line, len);
	if (!scan_type_is(s, "truth"))
		return;
	struct earlier_error e = {.cell = scan_string(s, "cell_id"),
		.metric = scan_string(s, "metric"), .error = span_number(scan_get(s, "error"))};
	if (!e.metric || !e.cell || isnan(e.error)) {
		free(e.metric);
		free(e.cell);
		return;
	}
	*XAPPEND(errors, n_errors) = e;
}

void
xcalibration_read_before(const char *path)
{
	char *files[] = {(char *)(uintptr_t)path, NULL};
	if (access(path, F_OK) == 0)
		xscan_files(files, read_earlier_error);
}

/* The median error of a metric in it; `cell` NULL: of all cells.  NaN: it is not known. */
static double
bias_before(const char *metric, const char *cell)
{
	double *v = xmalloc((n_errors + 1) * sizeof *v);
	size_t n = 0;
	for (size_t i = 0; i < n_errors; i++)
		if (strcmp(errors[i].metric, metric) == 0 &&
		    (!cell || strcmp(errors[i].cell, cell) == 0))
			v[n++] = errors[i].error;
	double median = n ? quantile_median(v, n) : (double)NAN;
	free(v);
	return median;
}

/* One row of the table: the values of one metric, of one cell (NULL: of all). */
static void
put_calibration_row(const struct calibration *c, size_t n, const char *cell,
    const struct judgement *j, bool before)
{
	const struct calibration_rule *rule = &rules[c->kind];
	double *room = xmalloc((n + 1) * sizeof *room), median[3], worst = 0;
	size_t known = 0;
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
	for (size_t i = 0; i < known; i++)
		worst = fabs(room[i]) > fabs(worst) ? room[i] : worst;
	/* The limit of unattributed time is each cell's own. */
	const double rest[] = {median[2], quantile_or_nan(room, known, 0.05),
	    quantile_or_nan(room, known, 0.95), worst,
	    c->kind == CAL_UNATTRIBUTED ? (double)NAN : c->limit};
	printf("%-*s %-*s %4zu", metric_width, c->metric, cell_width, cell ? cell : "all", n);
	print_real(9, rule->decimals, median[0]);
	print_real(9, rule->decimals, median[1]);
	if (before)
		print_real(8, rule->decimals, bias_before(c->metric, cell));
	for (size_t i = 0; i < COUNT(rest); i++)
		print_real(8, rule->decimals, rest[i]);
	if (any_interval)
		print_real(9, rule->decimals,
		    quantile_or_nan(room, resolutions(c, n, room), 0.5));
	printf(" %6.0f %%", 100 * (double)j->in / (double)n);
	if (!isinf(c->limit))
		printf(" %7.0f %%  %s%s", 100 * rule->share, j->status == ST_OK ? "ok" :
		    j->status == ST_UNKNOWN ? "marked: " : "NOT",
		    j->status == ST_UNKNOWN ? j->marks : "");
	putchar('\n');
	free(room);
}

/* What the rows come to: how many are judged, and which of them are off or marked. */
struct calibration_verdict {
	size_t n, n_bad;
	struct buf bad, marked;
};

static void
add_judged(struct calibration_verdict *v, const struct calibration *c, const char *cell,
    const struct judgement *j)
{
	v->n += !isinf(c->limit);	/* NaN: a part of a truth that is unknown */
	if (j->status == ST_DIFFERS)
		buf_addf(&v->bad, "%s%s%s%s", v->n_bad++ ? ", " : "", c->metric,
		    cell ? " of " : "", cell ? cell : "");
	else if (j->status == ST_UNKNOWN)
		buf_addf(&v->marked, "%s%s", v->marked.n ? ", " : "", cell ? cell : "all");
}

static void
put_verdict(const struct calibration_verdict *v)
{
	if (v->n_bad)
		printf("verdict: %zu of %zu metrics can be trusted here; not within their limits: "
		    "%s", v->n - v->n_bad, v->n, v->bad.p);
	else
		printf("verdict: all %zu metrics can be trusted here: "
		    "each is within its limit", v->n);
	if (v->marked.n)
		printf("%s marked: %s", v->n_bad ? ";" : ", or", v->marked.p);
	putchar('\n');
}

/* Adds a row for all cells together, where each has a row and the share is of all values. */
static void
put_all(const struct calibration *c, size_t n, bool table, bool before,
    struct calibration_verdict *v)
{
	struct judgement j = judge(c, n);
	if (j.status == ST_UNKNOWN)
		j.status = ST_DIFFERS;
	if (table)
		put_calibration_row(c, n, NULL, &j, before);
	add_judged(v, c, NULL, &j);
}

static void
put_head(bool before)
{
	for (size_t i = 0; i < n_rows; i++) {
		int metric = (int)strlen(rows[i].metric);
		int cell = rows[i].cell ? (int)strlen(rows[i].cell) : 0;
		metric_width = metric > metric_width ? metric : metric_width;
		cell_width = cell > cell_width ? cell : cell_width;
		any_interval = any_interval || !isnan(rows[i].resolution);
	}
	printf("%-*s %-*s %4s %9s %9s%s %8s %8s %8s %8s %8s%s %8s %9s\n", metric_width, "metric",
	    cell_width, "cell", "n", "truth", "measured", before ? "   before" : "", "bias", "p05",
	    "p95", "worst", "limit", any_interval ? "  interval" : "", "within", "required");
}

/* How well the truths are known that are not exact: in a long interval, no small error is seen. */
static void
put_resolution(void)
{
	double *room = xmalloc((n_rows + 1) * sizeof *room);
	size_t n = resolutions(rows, n_rows, room), n_short = 0;
	for (size_t i = 0; i < n; i++)
		n_short += room[i] <= FRAME_MS;
	if (n)
		printf("%zu truths are known within %.1f ms (median), %.1f ms (p95); "
		    "%zu of them within one frame\n", n,
		    quantile_or_nan(room, n, 0.5), quantile_or_nan(room, n, 0.95), n_short);
	free(room);
}

enum exit_status
calibration_rows(bool table, bool before)
{
	struct calibration_verdict v = {0};
	if (n_rows)
		qsort(rows, n_rows, sizeof *rows, by_row);
	if (table && n_rows)
		put_head(before);
	for (size_t i = 0, k, first = 0; i < n_rows; i = k) {
		for (k = i + 1; k < n_rows && by_row(&rows[i], &rows[k]) == 0; k++)
			continue;
		struct judgement j = judge(&rows[i], k - i);
		if (table)
			put_calibration_row(&rows[i], k - i, rows[i].cell, &j, before);
		add_judged(&v, &rows[i], rows[i].cell, &j);
		if (rows[first].kind != rows[i].kind)
			first = i;
		if (rows[i].kind == CAL_SETTLED && first < i &&
		    (k == n_rows || rows[k].kind != CAL_SETTLED))
			put_all(&rows[first], k - first, table, before, &v);
	}
	if (table && n_rows) {
		put_resolution();
		put_verdict(&v);
	}
	buf_free(&v.bad);
	buf_free(&v.marked);
	return n_rows == 0 ? ST_UNKNOWN : v.n_bad ? ST_DIFFERS : ST_OK;
}
