/* score.c: comparisons of what was measured with its truth, and their table. */
#include "score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_MS = 17 };

/* What may be how far off, as such or as a part of the truth, and in which share
 * of its values; a comment: the caller says how far.  The machine itself delays a kernel or a browser now and
 * then, which is no error of the measurement: there the median counts. */
static const struct rule { double limit, part, share; bool each; int decimals; } rules[] = {
	[TIME] = {10, 0, 0.5, true, 1},
	[SETTLED] = {FRAME_MS, 0, 0.95, true, 1},
	[CPU] = {0, 0.02, 0.5, true, 3},
	[COUNTED] = {0, 0.01, 1, true, 0},
	[EXACT] = {0, 0, 1, true, 0},
	[SHOWN] = {1, 0, 0.5, true, 0},
	[FRAME] = {FRAME_MS, 0, 0.5, true, 1},
	[RECORDED] = {1000, 0, 1, true, 1},
	[RESIDUAL] = {0, 0, 0.99, false, 1},	/* 5 ms, or 2 % of the client time */
	[ADDED] = {20, 0, 0.5, false, 1},
	[ADDED_VIEWER] = {0, 0, 0.5, false, 1},	/* the run's quiet window */
	[MOVING] = {INFINITY, 0, 0, false, 1},
	[SCRIPT] = {INFINITY, 0, 0, false, 1},
};

/* The first that fits, by how a field begins and ends. */
static const struct { const char *begin, *end; enum metric_kind kind; } kinds[] = {
	{"page.long_frames.", "_ms", FRAME}, {"page.", "frames_shown", SHOWN}, {"console.", "", EXACT},
	{"page.", "widget_views", EXACT},
	{"", "messages_received", EXACT}, {"", "messages_sent", EXACT}, {"", "cpu_s", CPU}, {"", "_ms", TIME}, {"", "", COUNTED},
};

static struct score *scores;
static size_t n_scores;

bool
score_ok(const struct score *s)
{
	return fabs(s->measured - s->truth) <= s->limit;
}

static bool
fits(const char *field, const char *begin, const char *end)
{
	size_t n = strlen(field), b = strlen(begin), e = strlen(end);
	return n >= b && n >= e && strncmp(field, begin, b) == 0 && strcmp(field + n - e, end) == 0;
}

enum metric_kind
score_kind(const char *field)
{
	size_t i = 0;
	while (!fits(field, kinds[i].begin, kinds[i].end))
		i++;
	return kinds[i].kind;
}

const struct score *
score_add(enum metric_kind kind, const char *metric, const char *cell, double truth, double measured, double limit)
{
	if ((n_scores & (n_scores - 1)) == 0)
		scores = xrealloc(scores, (n_scores ? 2 * n_scores : 1) * sizeof *scores);
	scores[n_scores] = (struct score){kind, xstrdup(metric), rules[kind].each ? xstrdup(cell) : NULL,
	    truth, measured, limit > 0 ? limit : rules[kind].part > 0 ? rules[kind].part * fabs(truth) : rules[kind].limit};
	return &scores[n_scores++];
}

static int
by_row(const void *a, const void *b)
{
	const struct score *x = a, *y = b;
	int d = x->kind != y->kind ? (x->kind > y->kind) - (x->kind < y->kind) : strcmp(x->metric, y->metric);
	if (d == 0 && x->cell && y->cell)
		d = strcmp(x->cell, y->cell);
	return d;
}

/* The value below which a share p of the n sorted ones lies. */
static double
quantile(const double *v, size_t n, double p)
{
	if (n == 0)
		return NAN;
	double at = p * (double)(n - 1);
	size_t i = (size_t)at;
	return i + 1 < n ? v[i] + (at - (double)i) * (v[i + 1] - v[i]) : v[i];
}

static void
show(int width, int decimals, double x)
{
	if (isfinite(x))
		printf(" %*.*f", width, decimals, x);
	else
		printf(" %*s", width, "-");
}

/* One row: the scores of one metric, of one cell where each cell has its truth. */
static bool
put_row(const struct score *s, size_t n, double *room, bool table, int width)
{
	size_t in = 0, known = 0;
	double median[3], worst = 0;
	for (size_t what = 0; what < 3; what++) {
		known = 0;
		for (size_t i = 0; i < n; i++) {
			double v[3] = {s[i].truth, s[i].measured, s[i].measured - s[i].truth};
			if (!isnan(v[what]))
				room[known++] = v[what];
		}
		qsort(room, known, sizeof *room, compare_reals);
		median[what] = quantile(room, known, 0.5);
	}
	double low = quantile(room, known, 0.05), high = quantile(room, known, 0.95);
	for (size_t i = 0; i < n; i++)
		in += score_ok(&s[i]);
	for (size_t i = 0; i < known; i++)
		worst = fabs(room[i]) > fabs(worst) ? room[i] : worst;
	bool ok = (double)in >= rules[s->kind].share * (double)n;
	if (!table)
		return ok;
	int decimals = rules[s->kind].decimals;
	printf("%-*s %-12s %4zu", width, s->metric, s->cell ? s->cell : "all", n);
	show(9, decimals, median[0]);
	show(9, decimals, median[1]);
	/* The residual's limit is each cell's own. */
	const double rest[] = {median[2], low, high, worst, s->kind == RESIDUAL ? NAN : s->limit};
	for (size_t i = 0; i < COUNT(rest); i++)
		show(8, decimals, rest[i]);
	printf(" %6.0f %%", 100 * (double)in / (double)n);
	if (isfinite(s->limit))
		printf(" %5.0f %%  %s", 100 * rules[s->kind].share, ok ? "ok" : "NOT");
	putchar('\n');
	return ok;
}

enum status
score_rows(bool table)
{
	double *room = xmalloc((n_scores + 1) * sizeof *room);
	bool ok = true;
	int width = 12;
	if (n_scores)
		qsort(scores, n_scores, sizeof *scores, by_row);
	for (size_t i = 0; i < n_scores; i++)
		width = strlen(scores[i].metric) > (size_t)width ? (int)strlen(scores[i].metric) : width;
	if (table && n_scores)
		printf("%-*s %-12s %4s %9s %9s %8s %8s %8s %8s %8s %8s %7s\n", width, "metric", "cell", "n", "truth", "measured", "bias",
		    "p05", "p95", "worst", "limit", "within", "wanted");
	for (size_t i = 0, k; i < n_scores; i = k) {
		for (k = i + 1; k < n_scores && by_row(&scores[i], &scores[k]) == 0; k++)
			continue;
		ok = put_row(&scores[i], k - i, room, table, width) && ok;
	}
	free(room);
	return n_scores == 0 ? ST_UNKNOWN : ok ? ST_OK : ST_DIFFERS;
}
