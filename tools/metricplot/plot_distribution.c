/* plot_distribution.c: figures of the distribution of a group's values. */
#include "base/nbscope.h"
#include "base/die.h"
#include "text/unit.h"
#include "plot_distribution.h"
#include "plot_figure.h"
#include "plot_groups.h"
#include "plot_scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_SPREAD = 50, RIDGE_POINTS = 240, RIDGE_BINS = 512, HALTON_BASE = 2, OUTLIERS_MOST = 400, WAITING = 3, CROWD = 8 };
#define RIDGE_HEIGHT 1.9
#define BELL_REACH 4.0

/* The sorted values of a measure, by group. */
struct spread {
	double **v;
	size_t *n, groups;
	double least, most;
};

static struct spread
spread_of(const struct plotting *p, const struct measure *m, const size_t *shown, size_t n)
{
	struct spread s = {xmalloc((n + 1) * sizeof(double *)), xmalloc((n + 1) * sizeof(size_t)), n, INFINITY, -INFINITY};
	for (size_t i = 0; i < n; i++) {
		s.v[i] = plot_sorted_values(p, shown[i], m->column, &s.n[i]);
		if (s.n[i]) {
			s.least = fmin(s.least, s.v[i][0]);
			s.most = fmax(s.most, s.v[i][s.n[i] - 1]);
		}
	}
	return s;
}

static void
spread_free(struct spread *s)
{
	for (size_t i = 0; i < s->groups; i++)
		free(s->v[i]);
	free(s->v);
	free(s->n);
}

static double
quantile_at(const struct spread *s, size_t i, double percent)
{
	return quantile_sorted(s->v[i], s->n[i], percent / 100, Q_LINEAR);
}

/* The range that a figure shows: from percentile lo to hi of each group. */
static void
reach(const struct spread *s, double lo, double hi, double *least, double *most)
{
	*least = INFINITY, *most = -INFINITY;
	for (size_t i = 0; i < s->groups; i++)
		if (s->n[i]) {
			*least = fmin(*least, quantile_at(s, i, lo));
			*most = fmax(*most, quantile_at(s, i, hi));
		}
}

static struct scale
value_scale(const struct plotting *p, const char *title, const struct unit *u, double least, double most, double room, double *ratio)
{
	struct scale x = {0};
	bool log = plot_wants_log(p, least, most, LOG_SPREAD);
	x.title = plot_axis_title(title, u, log ? sqrt(least * most) : fmax(fabs(least), fabs(most)), log, p->binary, ratio);
	plot_scale_fit(&x, least * *ratio, most * *ratio, log, room, false);
	return x;
}

/* ---- rows: the marks of one group at height y ------------------------------------------- */

struct value_row {
	struct plotting *p;
	struct pane *pane;
	const struct spread *s;
	const struct measure *m;
	const char *name;
	size_t i;
	double y, ratio, half;
	size_t nth;	/* style */
};

static void
say_spread(const struct value_row *r)
{
	if (!r->p->f->wants_tips)
		return;
	double at[] = {5, 25, 50, 75, 95};
	char *text[6], *title = unit_title(r->m->name);
	for (size_t k = 0; k < 5; k++)
		text[k] = plot_value_text(r->p, &r->m->unit, quantile_at(r->s, r->i, at[k]));
	text[5] = plot_value_text(r->p, &r->m->unit, exact_sum(r->s->v[r->i], r->s->n[r->i]) / (double)r->s->n[r->i]);
	plot_tip(r->p->f, r->pane, quantile_at(r->s, r->i, 5) * r->ratio, quantile_at(r->s, r->i, 95) * r->ratio, r->y - r->half, r->y + r->half,
	        "%s, %s: median %s, p5 %s, p25 %s, p75 %s, p95 %s, mean %s, n %zu", r->name, title, text[2], text[0], text[1], text[3], text[4], text[5], r->s->n[r->i]);
	for (size_t k = 0; k < 6; k++)
		free(text[k]);
	free(title);
}

static void
line(const struct value_row *r, double from, double to, double up, double width, unsigned rgb)
{
	struct style s = {rgb, 1, width, DISC, 0};
	plot_pane_again(r->pane, MARK_LINE, s);
	plot_xy(r->pane, from * r->ratio, r->y - up);
	plot_xy(r->pane, to * r->ratio, r->y + up);
}

static void
dot(const struct value_row *r, double at, struct style s)
{
	plot_pane_again(r->pane, MARK_POINT, s);
	plot_xy(r->pane, at * r->ratio, r->y);
}

static void
band_row(const struct value_row *r)
{
	struct style s = plot_style(r->nth), pale = s;
	pale.alpha = 0.45;
	plot_pane_again(r->pane, MARK_BAR, pale);
	plot_pane_bar(r->pane, quantile_at(r->s, r->i, 5) * r->ratio, quantile_at(r->s, r->i, 95) * r->ratio, r->y - r->half, r->y + r->half);
	s.size = 6;
	dot(r, quantile_at(r->s, r->i, 50), s);
}

static void
whisker_row(const struct value_row *r)
{
	struct style mean = {SECOND, 1, 5, DISC, 0};
	line(r, quantile_at(r->s, r->i, 5), quantile_at(r->s, r->i, 95), 0, 1, ACCENT);
	line(r, quantile_at(r->s, r->i, 25), quantile_at(r->s, r->i, 75), 0, 4, ACCENT);
	double median = quantile_at(r->s, r->i, 50);
	line(r, median, median, r->half, 1.6, INK);
	dot(r, exact_sum(r->s->v[r->i], r->s->n[r->i]) / (double)r->s->n[r->i], mean);
}

static void
box_row(const struct value_row *r)
{
	const double *v = r->s->v[r->i];
	size_t n = r->s->n[r->i], from = 0, to = n - 1;
	double q1 = quantile_at(r->s, r->i, 25), q3 = quantile_at(r->s, r->i, 75), median = quantile_at(r->s, r->i, 50), fence = 1.5 * (q3 - q1);
	struct style pale = {0x9ecae1, 1, 1, DISC, 0}, outlier = {SOFT, 1, 3, RING, 0};
	while (v[from] < q1 - fence)
		from++;
	while (v[to] > q3 + fence)
		to--;
	line(r, v[from], v[to], 0, 1, INK);
	plot_pane_again(r->pane, MARK_BAR, pale);
	plot_pane_bar(r->pane, q1 * r->ratio, q3 * r->ratio, r->y - r->half, r->y + r->half);
	line(r, v[from], v[from], r->half / 2, 1, INK);
	line(r, v[to], v[to], r->half / 2, 1, INK);
	line(r, median, median, r->half, 1.8, INK);
	plot_pane_again(r->pane, MARK_POINT, outlier);
	double last = -INFINITY, step = (r->pane->right - r->pane->left) / 0.5;
	for (size_t i = 0; i < n; i++) {
		if (i >= from && i <= to)
			continue;
		/* Points on the same half pixel are drawn once. */
		double px = floor((plot_pane_x(r->pane, v[i] * r->ratio) - r->pane->left) * 2);
		if (px != last && px <= step)
			plot_xy(r->pane, v[i] * r->ratio, r->y);
		last = px;
	}
}

/* Moves points up and down, more where they are dense. */
static void
point_row(const struct value_row *r)
{
	struct style s = {ACCENT, 0.5, 3, DISC, 0};
	const double *v = r->s->v[r->i];
	size_t n = r->s->n[r->i], shown = 0;
	double last = -INFINITY;
	size_t crowd = 0;
	plot_pane_again(r->pane, MARK_POINT, s);
	for (size_t i = 0; i < n; i++) {
		double px = floor((plot_pane_x(r->pane, v[i] * r->ratio) - r->pane->left) * 2), turn = 0, part = 0.5;
		crowd = px == last ? crowd + 1 : 0;
		last = px;
		/* More points than fit in the height would be hidden. */
		if (crowd > CROWD)
			continue;
		for (size_t k = ++shown; k; k /= HALTON_BASE, part /= HALTON_BASE)
			turn += part * (double)(k % HALTON_BASE);
		plot_xy(r->pane, v[i] * r->ratio, r->y + (n > WAITING ? (turn - 0.5) * 2 * r->half : 0));
		char *value = r->p->f->wants_tips && shown < OUTLIERS_MOST ? plot_value_text(r->p, &r->m->unit, v[i]) : NULL;
		if (value)
			plot_tip(r->p->f, r->pane, v[i] * r->ratio, v[i] * r->ratio, r->y, r->y, "%s: %s", r->name, value);
		free(value);
	}
}

static void
unknown_row(struct plotting *p, const struct pane *pane, double y)
{
	plot_label(p->f, pane->left + 4, plot_pane_y(pane, y), TO_LEFT, PX_SMALL, SOFT, "unknown");
}

/* Measures in one pane are one below the other in each row. */
static void
draw_rows(struct plotting *p, void (*row)(const struct value_row *), double lo, double hi, bool together)
{
	size_t n, panes = 0, *pane_of = xmalloc((p->n_of + 1) * sizeof(*pane_of));
	size_t *shown = plot_choose_groups(p, &p->of[0], p->by_value, &n);
	char **names = xmalloc((n + 1) * sizeof(*names));
	struct spread *s = xmalloc((p->n_of + 1) * sizeof(*s));
	struct rows r;
	bool any = false;
	for (size_t i = 0; i < n; i++)
		names[i] = p->names[shown[i]];
	for (size_t k = 0; k < p->n_of; k++) {
		s[k] = spread_of(p, &p->of[k], shown, n);
		any |= s[k].least <= s[k].most;
		pane_of[k] = panes;
		for (size_t j = 0; together && j < k; j++)
			if (p->of[j].unit.quantity == p->of[k].unit.quantity && p->of[j].unit.factor == p->of[k].unit.factor)
				pane_of[k] = pane_of[j];
		panes += pane_of[k] == panes;
	}
	if (!any)
		plot_die_empty(p);
	plot_rows_start(p, &r, names, n, panes, 0);
	for (size_t q = 0; q < panes; q++) {
		double least = INFINITY, most = -INFINITY, a, b, ratio;
		size_t members = 0, first = p->n_of, nth = 0;
		for (size_t k = 0; k < p->n_of; k++)
			if (pane_of[k] == q) {
				reach(&s[k], lo, hi, &a, &b);
				least = fmin(least, a), most = fmax(most, b);
				first = members++ ? first : k;
			}
		char *title = unit_title(p->of[first].name);
		if (!(least <= most))
			least = most = 1;
		if (members > 1) {
			free(title);
			title = xstrdup(p->of[first].unit.quantity == OF_TIME ? "time" : p->of[first].unit.quantity == OF_BYTES ? "size" : "value");
		}
		struct scale x = value_scale(p, title, &p->of[first].unit, least, most, r.wide, &ratio);
		struct pane *pane = plot_rows_pane(p, &r, q, &x);
		for (size_t k = 0; k < p->n_of; k++) {
			if (pane_of[k] != q)
				continue;
			double share = 0.84 / (double)members;
			for (size_t i = 0; i < n; i++) {
				double y = (double)i - 0.42 + share * ((double)nth + 0.5);
				struct value_row one = {p, pane, &s[k], &p->of[k], names[i], i, y, ratio, share * 0.42, nth};
				/* One word where two would overlap. */
				if (!s[k].n[i]) {
					if (nth == 0 || share * r.row_px > PX_SMALL || s[first].n[i])
						unknown_row(p, pane, y);
					continue;
				}
				row(&one);
				say_spread(&one);
			}
			nth++;
		}
		free(title);
	}
	plot_figure_foot(p->f, plot_rows_bottom(&r));
	for (size_t k = 0; k < p->n_of; k++)
		spread_free(&s[k]);
	free(s);
	free(pane_of);
	free(names);
	free(shown);
}

void
plot_bands(struct plotting *p)
{
	struct key keys[8];
	size_t n = 0;
	for (size_t k = 0; k < p->n_of && k < COUNT(keys); k++) {
		keys[n] = (struct key){plot_style(k), MARK_POINT, unit_title(p->of[k].name)};
		keys[n++].style.size = 6;
	}
	if (n > 1)
		p->top = plot_figure_key(p->f, PX_EDGE, p->top, keys, n);
	for (size_t k = 0; k < n; k++)
		free(keys[k].name);
	plot_figure_note(p->f, "Band: p5 to p95; mark: median.");
	draw_rows(p, band_row, 5, 95, true);
}

void
plot_whiskers(struct plotting *p)
{
	plot_figure_note(p->f, "Thin line: p5 to p95; thick: p25 to p75; tick: median; dot: mean.");
	draw_rows(p, whisker_row, 5, 95, false);
}

void
plot_box(struct plotting *p)
{
	plot_figure_note(p->f, "Box: p25 to p75 with the median; whiskers: to the last value within 1.5 IQR; rings: outliers.");
	draw_rows(p, box_row, 0, 100, false);
}

void
plot_points(struct plotting *p)
{
	draw_rows(p, point_row, 0, 100, false);
}

/* ---- ridges ------------------------------------------------------------------------------------ */

static double
to_axis(const struct scale *x, double v)
{
	return x->log ? log10(v) : v;
}

/* A normal kernel's density over the axis, from values in bins; its most is 1. */
static bool
density(const struct scale *x, const double *v, size_t n, double ratio, double *d)
{
	double bins[RIDGE_BINS] = {0}, lo = to_axis(x, x->lo), hi = to_axis(x, x->hi), step = (hi - lo) / RIDGE_BINS, sum = 0, square = 0, most = 0;
	for (size_t i = 0; i < n; i++) {
		double a = to_axis(x, v[i] * ratio), k = (a - lo) / step;
		bins[k < 0 ? 0 : k >= RIDGE_BINS ? RIDGE_BINS - 1 : (size_t)k]++;
		sum += a;
	}
	for (size_t i = 0; i < n; i++)
		square += pow(to_axis(x, v[i] * ratio) - sum / (double)n, 2);
	double q = n > 1 ? (to_axis(x, quantile_sorted(v, n, 0.75, Q_LINEAR) * ratio) - to_axis(x, quantile_sorted(v, n, 0.25, Q_LINEAR) * ratio)) / 1.34 : 0;
	double std = n > 1 ? sqrt(square / (double)(n - 1)) : 0, narrow = q > 0 ? fmin(q, std) : std;
	double width = fmax(0.9 * narrow * pow((double)n, -0.2), 1.5 * step);
	for (size_t i = 0; i < RIDGE_POINTS; i++) {
		double at = lo + (hi - lo) * (double)i / (RIDGE_POINTS - 1), all = 0;
		long first = (long)((at - lo - BELL_REACH * width) / step), last = (long)((at - lo + BELL_REACH * width) / step);
		for (long b = first < 0 ? 0 : first; b <= last && b < RIDGE_BINS; b++) {
			double z = (lo + ((double)b + 0.5) * step - at) / width;
			all += bins[b] > 0 ? bins[b] * exp(-z * z / 2) : 0;
		}
		d[i] = all;
		most = fmax(most, all);
	}
	for (size_t i = 0; i < RIDGE_POINTS && most > 0; i++)
		d[i] /= most;
	return most > 0;
}

void
plot_ridge(struct plotting *p)
{
	size_t n;
	size_t *shown = plot_choose_groups(p, &p->of[0], p->by_value, &n);
	char **names = xmalloc((n + 1) * sizeof(*names));
	struct spread s = spread_of(p, &p->of[0], shown, n);
	struct rows r;
	double ratio, d[RIDGE_POINTS];
	for (size_t i = 0; i < n; i++)
		names[i] = p->names[shown[i]];
	if (!(s.least <= s.most))
		plot_die_empty(p);
	/* The curve of the first row extends above the pane. */
	p->top += 14;
	plot_rows_start(p, &r, names, n, 1, 0);
	char *title = unit_title(p->of[0].name);
	struct scale x = value_scale(p, title, &p->of[0].unit, s.least, s.most, r.wide, &ratio);
	struct pane *pane = plot_rows_pane(p, &r, 0, &x);
	pane->y.hi -= RIDGE_HEIGHT - 0.6;
	pane->y.lo = (double)n - 0.5;
	pane->top -= (RIDGE_HEIGHT - 0.6) * r.row_px;
	pane->y.bare = true;
	for (size_t i = 0; i < n; i++) {
		double base = (double)i + 0.35;
		if (!s.n[i]) {
			unknown_row(p, pane, (double)i);
			continue;
		}
		if (!density(&x, s.v[i], s.n[i], ratio, d))
			continue;
		for (int pass = 0; pass < 2; pass++) {
			struct style fill = {0xa6cbe3, 0.85, 1, DISC, 0}, edge = {0x08519c, 1, 0.9, DISC, 0};
			plot_pane_layer(pane, pass ? MARK_LINE : MARK_AREA, pass ? edge : fill);
			for (size_t k = 0; k < RIDGE_POINTS; k++) {
				double a = (double)k / (RIDGE_POINTS - 1);
				double at = x.log ? x.lo * pow(x.hi / x.lo, a) : x.lo + (x.hi - x.lo) * a;
				if (!pass && !k)
					plot_xy(pane, at, base);
				plot_xy(pane, at, base - d[k] * RIDGE_HEIGHT * 0.85);
				if (!pass && k + 1 == RIDGE_POINTS)
					plot_xy(pane, at, base);
			}
		}
		struct value_row one = {p, pane, &s, &p->of[0], names[i], i, (double)i, ratio, 0.4, 0};
		say_spread(&one);
	}
	struct style tick = {SECOND, 1, 1.6, DISC, 0};
	plot_pane_layer(pane, MARK_LINE, tick);
	for (size_t i = 0; i < n; i++)
		if (s.n[i]) {
			plot_gap(pane);
			plot_xy(pane, quantile_at(&s, i, 50) * ratio, (double)i + 0.35);
			plot_xy(pane, quantile_at(&s, i, 50) * ratio, (double)i - 0.1);
		}
	plot_figure_note(p->f, "Each density has the same height; tick: median.");
	plot_figure_foot(p->f, plot_rows_bottom(&r));
	spread_free(&s);
	free(title);
	free(names);
	free(shown);
}
