/* plot_scatter.c: histograms, and one measure against another. */
#include "base/die.h"
#include "text/unit.h"
#include "plot_figure.h"
#include "plot_groups.h"
#include "plot_scale.h"
#include "plot_scatter.h"
#include "plot_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_SPREAD = 50, PANEL_WIDE = 150, PANEL_HIGH = 96, PANELS_APART = 58, MARGIN = 46, HULL_KEYS = 12, LEVELS = 3, MANY = 3000 };

/* ---- panels with the same axes --------------------------------------------------- */

struct panels {
	size_t n, across;
	double wide, high, left, top;
};

static struct panels
panels_of(const struct plotting *p, size_t n)
{
	double whole = p->f->width - 2 * PX_EDGE;
	size_t across = (size_t)(whole / PANEL_WIDE);
	struct panels s = {.n = n, .left = PX_EDGE + MARGIN, .top = p->top + 14};
	across = across < 1 ? 1 : across > n ? n : across;
	s.across = across;
	s.wide = (whole - (double)across * MARGIN) / (double)across;
	s.high = n == 1 ? fmin(whole * 0.55, 260) : PANEL_HIGH;
	return s;
}

static struct pane *
panel_add(struct plotting *p, const struct panels *s, size_t k, const char *name)
{
	double left = s->left + (double)(k % s->across) * (s->wide + MARGIN), top = s->top + (double)(k / s->across) * (s->high + PANELS_APART);
	struct pane *pane = plot_pane_add(p->f, left, left + s->wide, top, top + s->high);
	if (s->n > 1)
		plot_label(p->f, left, top - 8, TO_LEFT, PX_TEXT, INK, name);
	return pane;
}

static double
panels_bottom(const struct panels *s)
{
	return s->top + (double)((s->n + s->across - 1) / s->across) * (s->high + PANELS_APART) - 6;
}

/* ---- histograms ------------------------------------------------------------------------------- */

static void
percentile_line(struct plotting *p, struct pane *pane, const double *v, size_t n, double percent, double ratio, double top, size_t nth, double *used)
{
	struct style s = {SECOND, 1, 1.1, DISC, (int)(nth % 3 == 1 ? 0 : 1)};
	double at = quantile_sorted(v, n, percent / 100, Q_LINEAR);
	plot_pane_again(pane, MARK_LINE, s);
	plot_xy(pane, at * ratio, 0);
	plot_xy(pane, at * ratio, top);
	char *value = plot_value_text(p, &p->of[0].unit, at), *text = xasprintf("p%g", percent);
	double x = plot_pane_x(pane, at * ratio), half = plot_text_px(text, PX_SMALL) / 2 + 3;
	/* Labels that would overlap are one line lower. */
	size_t level = 0;
	while (level + 1 < LEVELS && x - half < used[level])
		level++;
	plot_label(p->f, x + 2, pane->top + 2 + (double)level * 10, TO_LEFT, PX_SMALL, 0xa04000, text);
	used[level] = x + 2 * half;
	plot_tip(p->f, pane, at * ratio, at * ratio, 0, top, "p%g: %s", percent, value);
	free(value);
	free(text);
}

static void
histogram_of(struct plotting *p, struct pane *pane, const double *v, size_t n, double ratio)
{
	double *count = xmalloc(p->bins * sizeof(*count)), most = 0, used[LEVELS] = {-INFINITY, -INFINITY, -INFINITY};
	struct scale *x = &pane->x;
	double lo = x->log ? log10(v[0] * ratio) : v[0] * ratio, hi = x->log ? log10(v[n - 1] * ratio) : v[n - 1] * ratio, step = (hi - lo) / (double)p->bins;
	for (size_t b = 0; b < p->bins; b++)
		count[b] = 0;
	for (size_t i = 0; i < n; i++) {
		double a = x->log ? log10(v[i] * ratio) : v[i] * ratio, k = step > 0 ? (a - lo) / step : (double)p->bins / 2;
		size_t b = k >= (double)p->bins ? p->bins - 1 : k < 0 ? 0 : (size_t)k;
		most = fmax(most, ++count[b]);
	}
	plot_scale_fit(&pane->y, 0, most * 1.12, false, pane->bottom - pane->top, true);
	struct style bar = {0x6baed6, 1, 1, DISC, 0};
	plot_pane_layer(pane, MARK_BAR, bar);
	for (size_t b = 0; b < p->bins; b++) {
		/* A single value gets a bar in the middle of the axis. */
		double a = step > 0 ? lo + step * (double)b : lo - (x->log ? 0.02 : (x->hi - x->lo) / 80), c = step > 0 ? a + step : 2 * lo - a;
		if (!(count[b] > 0))
			continue;
		double from = x->log ? pow(10, a) : a, to = x->log ? pow(10, c) : c;
		plot_pane_bar(pane, from, to, 0, count[b]);
		char *one = plot_value_text(p, &p->of[0].unit, from / ratio), *other = plot_value_text(p, &p->of[0].unit, to / ratio);
		plot_tip(p->f, pane, from, to, 0, count[b], "%s to %s: %.0f", one, other, count[b]);
		free(one);
		free(other);
	}
	for (size_t k = 0; k < p->percentiles.n; k++)
		percentile_line(p, pane, v, n, 100 * p->percentiles.p[k], ratio, pane->y.hi, k, used);
	free(count);
}

void
plot_histogram(struct plotting *p)
{
	size_t n, m;
	struct measure count = {.stat = STAT_COUNT};
	size_t *shown = plot_choose_groups(p, &count, p->by_value, &n);
	struct panels s = panels_of(p, n);
	bool any = false;
	double least = INFINITY, most = -INFINITY, ratio = 1;
	char *name = unit_title(p->of[0].name);
	for (size_t i = 0; i < n; i++) {
		double *v = plot_sorted_values(p, shown[i], p->of[0].column, &m);
		if (m) {
			least = fmin(least, v[0]);
			most = fmax(most, v[m - 1]);
			any = true;
		}
		free(v);
	}
	if (!any)
		plot_die_empty(p);
	char **names = plot_names_fitted(p, shown, n, s.wide - plot_text_px("  (00000)", PX_TEXT));
	for (size_t i = 0; i < n; i++) {
		double *v = plot_sorted_values(p, shown[i], p->of[0].column, &m);
		char *title = xasprintf("%s  (%zu)", names[i], m);
		struct pane *pane = panel_add(p, &s, i, title);
		bool log = plot_wants_log(p, least, most, LOG_SPREAD);
		pane->x.title = plot_axis_title(name, &p->of[0].unit, log ? sqrt(least * most) : fmax(fabs(least), fabs(most)), log, p->binary, &ratio);
		plot_scale_fit(&pane->x, least * ratio, most * ratio, log, s.wide, false);
		if (m) {
			histogram_of(p, pane, v, m, ratio);
		} else {
			plot_scale_fit(&pane->y, 0, 1, false, s.high, true);
			plot_label(p->f, pane->left + 4, pane->bottom - 10, TO_LEFT, PX_SMALL, SOFT, "unknown");
		}
		if (s.n == 1)
			pane->y.title = xstrdup("count");
		free(title);
		free(v);
	}
	plot_figure_foot(p->f, panels_bottom(&s));
	plot_text_free(names, n);
	free(name);
	free(shown);
}

/* ---- hulls --------------------------------------------------------------------------------------- */

struct xy_point {
	double x, y;
	size_t row;
};

static int
by_x(const void *a, const void *b)
{
	const struct xy_point *p = a, *q = b;
	if (p->x < q->x || p->x > q->x)
		return p->x < q->x ? -1 : 1;
	return p->y < q->y ? -1 : p->y > q->y;
}

static double
turn(const struct xy_point *o, const struct xy_point *a, const struct xy_point *b)
{
	return (a->x - o->x) * (b->y - o->y) - (a->y - o->y) * (b->x - o->x);
}

/* Andrew's monotone chain over sorted points; `hull` has room for 2 n. */
static size_t
convex_hull(const struct xy_point *v, size_t n, struct xy_point *hull)
{
	size_t k = 0;
	if (n < 3) {
		memcpy(hull, v, n * sizeof(*v));
		return n;
	}
	for (size_t i = 0; i < n; i++) {
		while (k >= 2 && turn(&hull[k - 2], &hull[k - 1], &v[i]) <= 0)
			k--;
		hull[k++] = v[i];
	}
	for (size_t i = n - 1, upper = k + 1; i-- > 0;) {
		while (k >= upper && turn(&hull[k - 2], &hull[k - 1], &v[i]) <= 0)
			k--;
		hull[k++] = v[i];
	}
	return k - 1;
}

struct cloud {
	struct xy_point *v;	/* in px, sorted */
	size_t n;
};

/* The values on the axes, in the axes' units, and in px. */
static struct cloud
cloud_of(const struct plotting *p, const struct pane *pane, size_t group, const double *ratio)
{
	size_t first = p->g.first[group], last = p->g.first[group + 1];
	struct cloud c = {xmalloc((last - first + 1) * sizeof(*c.v)), 0};
	for (size_t i = first; i < last; i++) {
		double x = p->of[0].column->number[p->g.rows[i]], y = p->of[1].column->number[p->g.rows[i]];
		if (isnan(x) || isnan(y) || (pane->x.log && !(x > 0)) || (pane->y.log && !(y > 0)))
			continue;
		c.v[c.n++] = (struct xy_point){plot_pane_x(pane, x * ratio[0]), plot_pane_y(pane, y * ratio[1]), p->g.rows[i]};
	}
	qsort(c.v, c.n, sizeof(*c.v), by_x);
	return c;
}

/* From px to the value on an axis. */
static double
value_at(const struct scale *s, double share)
{
	return s->log ? s->lo * pow(s->hi / s->lo, share) : s->lo + (s->hi - s->lo) * share;
}

static double
x_at(const struct pane *p, double px)
{
	return value_at(&p->x, (px - p->left) / (p->right - p->left));
}

static double
y_at(const struct pane *p, double px)
{
	return value_at(&p->y, (p->bottom - px) / (p->bottom - p->top));
}

struct label_box {
	double left, right, top, bottom;
};

/* The number of a hull, at a corner without another number; none if there is no such corner. */
static bool
label_hull(struct plotting *p, struct pane *pane, const struct xy_point *hull, size_t n, const char *text, unsigned rgb, struct label_box *taken, size_t *n_taken)
{
	double wide = plot_text_px(text, PX_TEXT) * 1.12 / 2 + 1, high = PX_TEXT / 2.0 + 1, cx = 0, cy = 0;
	for (size_t i = 0; i < n; i++) {
		cx += hull[i].x / (double)n;
		cy += hull[i].y / (double)n;
	}
	for (size_t i = 0; i <= n; i++) {
		double x = cx, y = cy;
		if (i) {
			double dx = hull[i - 1].x - cx, dy = hull[i - 1].y - cy, d = hypot(dx, dy);
			x = hull[i - 1].x + (d > 0 ? dx / d * (wide + 3) : wide + 4);
			y = hull[i - 1].y + (d > 0 ? dy / d * (high + 3) : 0);
		}
		struct label_box at = {x - wide, x + wide, y - high, y + high};
		bool clear = at.left > pane->left && at.right < pane->right + 4 && at.top > pane->top - 4 && at.bottom < pane->bottom;
		for (size_t k = 0; k < *n_taken && clear; k++)
			clear = at.left > taken[k].right || at.right < taken[k].left || at.top > taken[k].bottom || at.bottom < taken[k].top;
		if (!clear)
			continue;
		taken[(*n_taken)++] = at;
		struct style paper = {PAPER, 0.85, 2 * wide + 2, DISC, 0};
		plot_pane_layer(pane, MARK_POINT, paper);
		plot_xy(pane, x_at(pane, x), y_at(pane, y));
		plot_label(p->f, x, y, TO_MIDDLE, PX_TEXT, rgb, text);
		p->f->words[p->f->n_words - 1].bold = true;
		return true;
	}
	return false;
}

static void
draw_cloud(struct plotting *p, struct pane *pane, const struct cloud *c, struct style s, const char *name)
{
	double fine = c->n > MANY ? 1 : 2;
	size_t wide = (size_t)((pane->right - pane->left + 1) * fine) + 2, high = (size_t)((pane->bottom - pane->top + 1) * fine) + 2;
	bool *inked = xmalloc(wide * high);
	memset(inked, 0, wide * high);
	s.size = 3.2;
	s.alpha = 0.55;
	plot_pane_again(pane, MARK_POINT, s);
	for (size_t i = 0; i < c->n; i++) {
		/* Points on the same half pixel (or pixel, if there are many) are drawn once. */
		bool *ink = &inked[(size_t)((c->v[i].y - pane->top) * fine + 0.5) * wide + (size_t)((c->v[i].x - pane->left) * fine + 0.5)];
		if (*ink)
			continue;
		*ink = true;
		double ax = x_at(pane, c->v[i].x), ay = y_at(pane, c->v[i].y);
		plot_xy(pane, ax, ay);
		if (!p->f->wants_tips)
			continue;
		char *one = plot_value_text(p, &p->of[0].unit, p->of[0].column->number[c->v[i].row]), *other = plot_value_text(p, &p->of[1].unit, p->of[1].column->number[c->v[i].row]);
		plot_tip(p->f, pane, ax, ax, ay, ay, "%s: %s, %s", name, one, other);
		free(one);
		free(other);
	}
	free(inked);
}

static void
hull_scale(struct plotting *p, struct scale *s, const struct measure *m, double room, bool upright, double *ratio)
{
	double least = INFINITY, most = -INFINITY;
	for (size_t i = 0; i < p->g.first[p->g.n]; i++) {
		double v = m->column->number[p->g.rows[i]];
		least = fmin(least, v);	/* ignores NaN */
		most = fmax(most, v);
	}
	if (!(least <= most))
		plot_die_empty(p);
	char *title = unit_title(m->name);
	bool log = plot_wants_log(p, least, most, LOG_SPREAD);
	s->title = plot_axis_title(title, &m->unit, log ? sqrt(least * most) : fmax(fabs(least), fabs(most)), log, p->binary, ratio);
	s->grid = true;
	plot_scale_fit(s, least * *ratio, most * *ratio, log, room, upright);
	free(title);
}

static struct pane *
xy_pane(struct plotting *p, double *ratio)
{
	double wide = p->f->width - 2 * PX_EDGE - 58, high = fmin(wide * 0.68, 400);
	struct pane *pane = plot_pane_add(p->f, PX_EDGE + 56, PX_EDGE + 54 + wide, p->top + 4, p->top + 4 + high);
	hull_scale(p, &pane->x, &p->of[0], wide, false, &ratio[0]);
	hull_scale(p, &pane->y, &p->of[1], high, true, &ratio[1]);
	return pane;
}

void
plot_hulls(struct plotting *p)
{
	size_t n, n_taken = 0, unlabelled = 0, without = 0;
	struct measure count = {.stat = STAT_COUNT};
	size_t *shown = plot_choose_groups(p, &count, p->by_value, &n);
	struct key *keys = xmalloc((n + 1) * sizeof(*keys));
	struct label_box *taken = xmalloc((n + 1) * sizeof(*taken));
	bool numbered = n > STYLES_N;
	double ratio[2];
	for (size_t i = 0; i < n; i++) {
		keys[i] = (struct key){plot_style(i), MARK_POINT, numbered ? xasprintf("%zu %s", i + 1, p->names[shown[i]]) : xstrdup(p->names[shown[i]])};
		keys[i].style.size = 5;
	}
	if (n > 1 && n <= HULL_KEYS)
		p->top = plot_figure_key(p->f, PX_EDGE, p->top, keys, n);
	struct pane *pane = xy_pane(p, ratio);
	/* The largest groups first, so that they do not hide others. */
	size_t *order = xmalloc((n + 1) * sizeof(*order));
	for (size_t i = 0; i < n; i++) {
		size_t k = i, rows = p->g.first[shown[i] + 1] - p->g.first[shown[i]];
		for (; k > 0 && p->g.first[shown[order[k - 1]] + 1] - p->g.first[shown[order[k - 1]]] < rows; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	for (size_t k = 0; k < n; k++) {
		size_t i = order[k];
		struct cloud c = cloud_of(p, pane, shown[i], ratio);
		without += p->g.first[shown[i] + 1] - p->g.first[shown[i]] - c.n;
		draw_cloud(p, pane, &c, plot_style(i), p->names[shown[i]]);
		free(c.v);
	}
	for (size_t i = 0; i < n; i++) {
		struct cloud c = cloud_of(p, pane, shown[i], ratio);
		struct xy_point *hull = xmalloc((2 * c.n + 2) * sizeof(*hull));
		size_t m = convex_hull(c.v, c.n, hull);
		struct style edge = plot_style(i);
		edge.size = 1.1;
		edge.dash = (int)(i / STYLES_N % 4);
		plot_pane_again(pane, MARK_LINE, edge);
		for (size_t k = 0; m && k <= m; k++)
			plot_xy(pane, x_at(pane, hull[k % m].x), y_at(pane, hull[k % m].y));
		char *text = xasprintf("%zu", i + 1);
		if (numbered && m)
			unlabelled += !label_hull(p, pane, hull, m, text, plot_is_dark(edge.rgb) ? edge.rgb : INK, taken, &n_taken);
		free(text);
		free(hull);
		free(c.v);
	}
	double y = pane->bottom + 44;
	if (n > HULL_KEYS)
		y = plot_figure_key(p->f, PX_EDGE, y, keys, n);
	if (without)
		plot_figure_note(p->f, "%zu row%s without both values %s not shown.", without, without == 1 ? "" : "s", without == 1 ? "is" : "are");
	if (unlabelled)
		plot_figure_note(p->f, "%zu hull%s without a number: not enough space.", unlabelled, unlabelled == 1 ? "" : "s");
	plot_figure_foot(p->f, y);
	for (size_t i = 0; i < n; i++)
		free(keys[i].name);
	free(keys);
	free(order);
	free(taken);
	free(shown);
}
