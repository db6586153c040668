/* plot_bars.c: figures with one number for each group: bars, largest, ranked, categories. */
#include "base/nbscope.h"
#include "base/die.h"
#include "text/unit.h"
#include "plot_bars.h"
#include "plot_figure.h"
#include "plot_groups.h"
#include "plot_scale.h"
#include "plot_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANK_PANEL = 10, ROW_STEP = 15, SHARE_PX = 74, RANK_WORDS_PX = 92, BAR_SPREAD = 30 };
#define BAR_HALF 0.36

static double
largest_of(const double *v, size_t n)
{
	double most = NAN;
	for (size_t i = 0; i < n; i++)
		most = isnan(most) || v[i] > most ? isnan(v[i]) ? most : v[i] : most;
	return most;
}

static void
bar_scale(struct plotting *p, struct scale *x, const struct measure *m, const double *v, size_t n, double room, double *ratio)
{
	double least = INFINITY, most = largest_of(v, n), low = 0;
	char *title = plot_measure_title(m);
	for (size_t i = 0; i < n; i++) {
		if (v[i] > 0)
			least = fmin(least, v[i]);
		low = fmin(low, isnan(v[i]) ? 0 : v[i]);
	}
	bool zero = low < 0 || !(most > 0);
	bool log = plot_wants_log(p, zero ? low : least, most, BAR_SPREAD);
	x->title = plot_axis_title(title, &m->unit, log ? sqrt(least * most) : fmax(most, -low), log, p->binary, ratio);
	/* The smallest bar must be visible; on a linear axis all bars begin at 0. */
	plot_scale_fit(x, log ? least * *ratio / 2 : fmin(0, low * *ratio), log ? most * *ratio : fmax(0, most * *ratio), log, room, false);
	free(title);
}

static void
bars_of(struct plotting *p, struct rows *r, size_t k, const struct measure *m, const double *v)
{
	struct scale x = {0};
	double ratio;
	bar_scale(p, &x, m, v, r->n, r->wide, &ratio);
	char *title = plot_measure_title(m);
	struct pane *pane = plot_rows_pane(p, r, k, &x);
	struct style s = plot_style(0);
	plot_pane_layer(pane, MARK_BAR, s);
	for (size_t i = 0; i < r->n; i++) {
		double row = (double)i;
		if (!isnan(v[i]))
			plot_pane_bar(pane, x.log ? x.lo : 0, v[i] * ratio, row - BAR_HALF, row + BAR_HALF);
		else
			plot_label(p->f, pane->left + 4, plot_pane_y(pane, row), TO_LEFT, PX_SMALL, SOFT, "unknown");
		char *value = plot_value_text(p, &m->unit, v[i]);
		plot_tip(p->f, pane, x.lo, isnan(v[i]) ? x.lo : v[i] * ratio, row - BAR_HALF, row + BAR_HALF, "%s: %s %s", r->names[i], title, value);
		free(value);
	}
	free(title);
}

void
plot_bars(struct plotting *p)
{
	size_t n;
	size_t *shown = plot_choose_groups(p, &p->of[0], p->by_value, &n);
	char **names = plot_names(p, shown, n);
	double *v = xmalloc((n + 1) * sizeof(*v));
	struct rows r;
	bool any = false;
	plot_rows_start(p, &r, names, n, p->n_of, 0);
	for (size_t k = 0; k < p->n_of; k++) {
		for (size_t i = 0; i < n; i++)
			v[i] = plot_measure_group(p, &p->of[k], shown[i]);
		any |= !isnan(largest_of(v, n));
		bars_of(p, &r, k, &p->of[k], v);
	}
	if (!any)
		plot_die_empty(p);
	plot_figure_foot(p->f, plot_rows_bottom(&r));
	free(v);
	free(names);
	free(shown);
}

/* All groups by value, and their sum, regardless of the number that is shown. */
static size_t *
ranks(struct plotting *p, double **value, double *whole)
{
	size_t n, most = p->most;
	p->most = SIZE_MAX;
	size_t *shown = plot_choose_groups(p, &p->of[0], true, &n);
	p->most = most;
	*value = xmalloc((n + 1) * sizeof(**value));
	*whole = 0;
	for (size_t i = 0; i < n; i++) {
		(*value)[i] = plot_measure_group(p, &p->of[0], shown[i]);
		*whole += isnan((*value)[i]) ? 0 : (*value)[i];
	}
	if (isnan(largest_of(*value, n)))
		plot_die_empty(p);
	if (!(*whole > 0))
		die(ST_UNKNOWN, "nothing to draw: the groups sum to %g, so shares are undefined", *whole);
	return shown;
}

void
plot_largest(struct plotting *p)
{
	double *v, whole, sum = 0, cumulated = 0;
	size_t *shown = ranks(p, &v, &whole), n = 0;
	while (n < p->g.n && n < p->most && !isnan(v[n]) && sum < whole * (p->upto / 100 - 1e-12))
		sum += v[n++];
	size_t others = p->g.n - n, rows = n + (others > 0);
	if (n == p->most && n < p->g.n && sum < whole * (p->upto / 100 - 1e-12))
		plot_figure_note(p->f, "The largest %zu of %zu are %.1f %% of the total, not %g %%.", n, p->g.n, 100 * sum / whole, p->upto);
	char **names = xmalloc((rows + 1) * sizeof(*names));
	for (size_t i = 0; i < n; i++)
		names[i] = p->names[shown[i]];
	char *rest = xasprintf("%zu other%s", others, others == 1 ? "" : "s");
	if (others) {
		names[n] = rest;
		v[n] = whole - sum;
	}
	struct rows r;
	plot_rows_start(p, &r, names, rows, 1, SHARE_PX);
	enum log_wish wish = p->log;
	p->log = wish == LOG_AUTO ? LOG_NO : wish;
	bars_of(p, &r, 0, &p->of[0], v);
	p->log = wish;
	struct pane *pane = p->f->panes[p->f->n_panes - 1];
	plot_label(p->f, p->f->width - PX_EDGE, r.top - 7, TO_RIGHT, PX_SMALL, SOFT, "share    cumulated");
	for (size_t i = 0; i < rows; i++) {
		cumulated += v[i];
		char *share = xasprintf("%.1f %%", 100 * v[i] / whole), *all = xasprintf("%.1f %%", fmin(100, 100 * cumulated / whole));
		plot_label(p->f, p->f->width - PX_EDGE - 42, plot_pane_y(pane, (double)i), TO_RIGHT, PX_SMALL, INK, share);
		plot_label(p->f, p->f->width - PX_EDGE, plot_pane_y(pane, (double)i), TO_RIGHT, PX_SMALL, INK, all);
		free(share);
		free(all);
	}
	if (others) {
		struct style faint = plot_style(0);
		faint.rgb = FAINT;
		plot_pane_layer(pane, MARK_BAR, faint);
		double *bars = pane->layers[0].v;
		size_t last = pane->layers[0].n -= 4;
		plot_pane_bar(pane, bars[last], bars[last + 1], bars[last + 2], bars[last + 3]);
	}
	plot_figure_foot(p->f, plot_rows_bottom(&r));
	free(rest);
	free(names);
	free(shown);
	free(v);
}

void
plot_ranked(struct plotting *p)
{
	double *v, whole;
	size_t *shown = ranks(p, &v, &whole), n = p->g.n < p->most ? p->g.n : p->most;
	size_t panels = (n + RANK_PANEL - 1) / RANK_PANEL, across = p->f->width > 500 ? 2 : 1;
	double gap = 16, wide = (p->f->width - 2 * PX_EDGE - gap * (double)(across - 1)) / (double)across, widest = 0;
	if (n < p->g.n)
		plot_figure_note(p->f, "Shown: the largest %zu of %zu.", n, p->g.n);
	char **names = plot_names_fitted(p, shown, n, wide * 0.45);
	for (size_t i = 0; i < n; i++)
		widest = fmax(widest, plot_text_px(names[i], PX_TEXT));
	double label = widest, high = RANK_PANEL * ROW_STEP + 22;
	struct scale x = {.lo = 0, .hi = v[0], .bare = true};
	for (size_t k = 0; k < panels; k++) {
		size_t lines = (panels + across - 1) / across;
		double left = PX_EDGE + (double)(k / lines) * (wide + gap), top = p->top + (double)(k % lines) * high + 16;
		size_t first = k * RANK_PANEL, m = n - first < RANK_PANEL ? n - first : RANK_PANEL;
		struct pane *pane = plot_pane_add(p->f, left + label + 8, left + wide - RANK_WORDS_PX, top, top + (double)m * ROW_STEP);
		pane->x = x;
		pane->y = (struct scale){.lo = (double)m - 0.5, .hi = -0.5};
		plot_pane_layer(pane, MARK_BAR, plot_style(0));
		plot_label(p->f, left + wide - 44, top - 8, TO_RIGHT, PX_SMALL, SOFT, "count");
		plot_label(p->f, left + wide, top - 8, TO_RIGHT, PX_SMALL, SOFT, "% of total");
		for (size_t i = 0; i < m; i++) {
			double value = v[first + i], row = (double)i;
			size_t g = shown[first + i];
			char *share = isnan(value) ? xstrdup("unknown") : xasprintf("%.2f", 100 * value / whole);
			char *count = xasprintf("%zu", p->g.first[g + 1] - p->g.first[g]), *told = plot_value_text(p, &p->of[0].unit, value);
			if (!isnan(value))
				plot_pane_bar(pane, 0, value, row - BAR_HALF, row + BAR_HALF);
			plot_tip(p->f, pane, 0, value, row - BAR_HALF, row + BAR_HALF, "%zu. %s: %s, %s %%, %s rows", first + i + 1, p->names[g], told, share, count);
			double y = plot_pane_y(pane, row);
			plot_label(p->f, left + label, y, TO_RIGHT, PX_TEXT, INK, names[first + i]);
			plot_label(p->f, left + wide - 44, y, TO_RIGHT, PX_SMALL, INK, count);
			plot_label(p->f, left + wide, y, TO_RIGHT, PX_SMALL, INK, share);
			free(share), free(count), free(told);
		}
	}
	plot_text_free(names, n);
	char *title = plot_measure_title(&p->of[0]), *all = plot_value_text(p, &p->of[0].unit, whole);
	plot_figure_note(p->f, "Bars and percentages: %s; total %s.", title, all);
	free(title);
	free(all);
	size_t lines = (panels + across - 1) / across;
	double deepest = lines == 1 ? (double)(n < RANK_PANEL ? n : RANK_PANEL) * ROW_STEP + 22 : (double)lines * high;
	plot_figure_foot(p->f, p->top + deepest + 4);
	free(shown);
	free(v);
}

/* ---- categories --------------------------------------------------------------------------- */

/* Count (no measure) or sum of a measure in each category; the last one: unknown. */
static void
category_sums(const struct plotting *p, const struct measure *m, size_t group, double *sums)
{
	for (size_t k = 0; k <= p->categories.n; k++)
		sums[k] = 0;
	for (size_t i = p->g.first[group]; i < p->g.first[group + 1]; i++) {
		size_t row = p->g.rows[i];
		double add = m ? m->column->number[row] : 1;
		sums[bins_find(&p->categories, p->category_column->number[row])] += isnan(add) ? 0 : add;
	}
}

static struct style
category_style(const struct plotting *p, size_t k)
{
	struct style s = plot_style(0);
	s.rgb = k == p->categories.n ? 0xe8e8e8 : plot_ramp(p->categories.n < 2 ? 0.2 : 0.08 + 0.84 * (double)k / (double)(p->categories.n - 1));
	return s;
}

static bool
categories_of(struct plotting *p, struct rows *r, size_t k, const struct measure *m, const size_t *shown)
{
	struct scale x = {0};
	char *name = m ? unit_title(m->name) : xstrdup("rows"), *title = xasprintf("%% of %s", name);
	double *sums = xmalloc((p->categories.n + 1) * sizeof(*sums));
	bool unknown = false;
	plot_scale_fit(&x, 0, 100, false, r->wide, false);
	x.hi = 100;
	x.title = title;
	struct pane *pane = plot_rows_pane(p, r, k, &x);
	for (size_t c = 0; c <= p->categories.n; c++) {
		struct style s = category_style(p, c);
		plot_pane_layer(pane, MARK_BAR, s);
		for (size_t i = 0; i < r->n; i++) {
			double whole = 0, before = 0, row = (double)i;
			bool shares = true;	/* false: values below 0 have no shares */
			category_sums(p, m, shown[i], sums);
			for (size_t j = 0; j <= p->categories.n; j++) {
				whole += sums[j];
				before += j < c ? sums[j] : 0;
				shares &= sums[j] >= 0;
			}
			if (!(whole > 0) || !shares) {
				if (!c)
					plot_label(p->f, pane->left + 4, plot_pane_y(pane, row), TO_LEFT, PX_SMALL, SOFT, "unknown");
				continue;
			}
			if (!(sums[c] > 0))
				continue;
			unknown |= c == p->categories.n;
			double from = 100 * before / whole, share = 100 * sums[c] / whole;
			plot_pane_bar(pane, from, from + share, row - BAR_HALF, row + BAR_HALF);
			char *text = xasprintf("%.0f", share), *value = m ? plot_value_text(p, &m->unit, sums[c]) : xasprintf("%.0f rows", sums[c]);
			if (plot_pane_x(pane, from + share) - plot_pane_x(pane, from) > plot_text_px(text, PX_SMALL) + 4)
				plot_label(p->f, (plot_pane_x(pane, from) + plot_pane_x(pane, from + share)) / 2, plot_pane_y(pane, row), TO_MIDDLE, PX_SMALL, plot_ink_on(s.rgb), text);
			plot_tip(p->f, pane, from, from + share, row - BAR_HALF, row + BAR_HALF, "%s, %s: %s, %.1f %% of %s", r->names[i],
			        c < p->categories.n ? p->categories.v[c].name : "unknown", value, share, name);
			free(text);
			free(value);
		}
	}
	free(sums);
	free(name);
	return unknown;
}

void
plot_categories(struct plotting *p)
{
	struct measure count = {.stat = STAT_COUNT};
	size_t n;
	size_t *shown = plot_choose_groups(p, p->n_of ? &p->of[0] : &count, p->by_value, &n);
	char **names = plot_names(p, shown, n);
	struct key *keys = xmalloc((p->categories.n + 1) * sizeof(*keys));
	if (!n)
		plot_die_empty(p);
	for (size_t k = 0; k <= p->categories.n; k++)
		keys[k] = (struct key){category_style(p, k), MARK_BAR, (char *)(k < p->categories.n ? p->categories.v[k].name : "unknown")};
	/* The legend comes first, so unknown values are looked up before. */
	bool unknown = false;
	for (size_t i = 0; i < p->g.first[p->g.n]; i++)
		unknown |= bins_find(&p->categories, p->category_column->number[p->g.rows[i]]) == p->categories.n;
	p->top = plot_figure_key(p->f, PX_EDGE, p->top, keys, p->categories.n + unknown);
	struct rows r;
	plot_rows_start(p, &r, names, n, p->n_of + 1, 0);
	categories_of(p, &r, 0, NULL, shown);
	for (size_t k = 0; k < p->n_of; k++)
		categories_of(p, &r, k + 1, &p->of[k], shown);
	plot_figure_foot(p->f, plot_rows_bottom(&r));
	free(keys);
	free(names);
	free(shown);
}
