/* plot_sweep.c: how a cell's cost scales with a parameter. */
#include "plot_sweep.h"
#include "base/nbscope.h"
#include "base/die.h"
#include "base/num.h"
#include "plot_figure.h"
#include "plot_groups.h"
#include "plot_scale.h"
#include "plot_text.h"
#include "text/unit.h"

#include <math.h>
#include <stdlib.h>

enum { SWEEP_WIDE = 138, SWEEP_HIGH = 92, SWEEP_LEFT = 44, SWEEP_APART = 60, SLOPE_PX = 52, FEW_VALUES = 8 };

struct fitted {
	size_t n;
	double slope, offset, least, most;	/* of x; logarithms */
	bool line;
};

/* Least squares of the logarithms of positive values. */
static struct fitted
fit_group(const struct plotting *p, size_t group, const struct column *x, const struct column *y)
{
	struct fitted f = {.least = INFINITY, .most = -INFINITY};
	double sx = 0, sy = 0, sxx = 0, sxy = 0;
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = p->g.first[group]; i < p->g.first[group + 1]; i++) {
			double a = x->number[p->g.rows[i]], b = y->number[p->g.rows[i]];
			if (!(a > 0) || !(b > 0))
				continue;
			a = log(a), b = log(b);
			if (!pass) {
				f.n++;
				sx += a, sy += b;
				f.least = fmin(f.least, a), f.most = fmax(f.most, a);
			} else {
				sxx += (a - sx / (double)f.n) * (a - sx / (double)f.n);
				sxy += (a - sx / (double)f.n) * (b - sy / (double)f.n);
			}
		}
	f.line = f.n > 2 && sxx > 0 && f.most > f.least;
	f.slope = f.line ? sxy / sxx : NAN;
	f.offset = f.n ? sy / (double)f.n - (f.line ? f.slope * sx / (double)f.n : 0) : NAN;
	return f;
}

/* The parameter's values as ticks, if they are few and fit. */
static void
value_ticks(const struct plotting *p, const struct column *c, struct pane *pane)
{
	double v[FEW_VALUES];
	size_t n = 0;
	for (size_t i = 0; i < p->g.first[p->g.n]; i++) {
		double x = c->number[p->g.rows[i]];
		size_t k = 0;
		while (k < n && v[k] != x)
			k++;
		if (k < n || !(x > 0))
			continue;
		if (n == FEW_VALUES)
			return;
		v[n++] = x;
	}
	qsort(v, n, sizeof(*v), num_compare);
	for (size_t k = 0; k < pane->x.n; k++)
		free(pane->x.ticks[k].name);
	pane->x.n = 0;
	double used = -INFINITY, apart = plot_scale_step(v, n);
	for (size_t k = 0; k < n; k++) {
		char *text = plot_scale_tick_text(v[k], apart);
		double half = plot_text_px(text, PX_TEXT) / 2, at = plot_pane_x(pane, v[k]);
		bool fits = at - half > used + 4;
		plot_scale_tick(&pane->x, v[k], fits ? text : "");
		used = fits ? at + half : used;
		free(text);
	}
}

static void
sweep_panel(struct plotting *p, struct pane *pane, size_t group, const struct column *x, double ratio)
{
	struct style s = {ACCENT, 0.7, 4, DISC, 0}, fit = {SECOND, 1, 1.3, DISC, 1};
	const struct measure *m = &p->of[0];
	plot_pane_layer(pane, MARK_POINT, s);
	for (size_t i = p->g.first[group]; i < p->g.first[group + 1]; i++) {
		double a = x->number[p->g.rows[i]], b = m->column->number[p->g.rows[i]];
		if (!(a > 0) || !(b > 0))
			continue;
		plot_xy(pane, a, b * ratio);
		char *value = p->f->wants_tips ? plot_value_text(p, &m->unit, b) : NULL;
		plot_tip(p->f, pane, a, a, b * ratio, b * ratio, "%s, %s %g: %s", p->names[group], x->name, a, value);
		free(value);
	}
	struct fitted f = fit_group(p, group, x, m->column);
	if (!f.line)
		return;
	plot_pane_layer(pane, MARK_LINE, fit);
	double ends[2] = {f.least, f.most};
	for (int k = 0; k < 2; k++)
		plot_xy(pane, exp(ends[k]), exp(f.offset + f.slope * ends[k]) * ratio);
	char *text = xasprintf("slope %.2f", fabs(f.slope) < 0.005 ? 0 : f.slope);
	plot_label(p->f, pane->right, pane->top - 8, TO_RIGHT, PX_SMALL, 0xa04000, text);
	free(text);
}

static bool
reach_of(const struct plotting *p, const struct column *c, double *least, double *most)
{
	*least = INFINITY, *most = -INFINITY;
	for (size_t i = 0; i < p->g.first[p->g.n]; i++) {
		double v = c->number[p->g.rows[i]];
		if (v > 0) {
			*least = fmin(*least, v);
			*most = fmax(*most, v);
		}
	}
	return *least <= *most;
}

/* They have no logarithm. */
static void
tell_not_above_0(const struct plotting *p)
{
	size_t left_out = 0;
	for (size_t i = 0; i < p->g.first[p->g.n]; i++) {
		size_t row = p->g.rows[i];
		bool out = p->of[0].column->number[row] <= 0;
		for (size_t k = 0; k < p->n_against; k++)
			out |= p->against[k]->number[row] <= 0;
		left_out += out;
	}
	if (left_out)
		plot_figure_note(p->f, "%zu row%s with a value or parameter not above 0 %s omitted.", left_out, left_out == 1 ? "" : "s", left_out == 1 ? "is" : "are");
}

void
plot_sweep(struct plotting *p)
{
	bool drawn = false;
	size_t n, panels, most = p->most;
	double least, highest, whole = p->f->width - 2 * PX_EDGE, ratio = 1;
	size_t across = (size_t)(whole / SWEEP_WIDE);
	struct measure median = p->of[0];
	median.stat = STAT_MEDIAN;
	p->most = most / (p->n_against ? p->n_against : 1);
	p->most = p->most ? p->most : 1;
	size_t *shown = plot_choose_groups(p, &median, p->by_value, &n);
	p->most = most;
	if (!reach_of(p, p->of[0].column, &least, &highest))
		plot_die_empty(p);
	for (size_t i = 0; i < p->n_against; i++) {
		double from, to;
		drawn |= reach_of(p, p->against[i], &from, &to);
	}
	if (!drawn)
		die(ST_UNKNOWN, "nothing to draw: '%s' has no value above 0", p->against[0]->name);
	panels = n * p->n_against;
	/* Panels of one parameter are one below the other if all parameters fit next to each other. */
	across = across < 1 ? 1 : across;
	if (p->n_against > 1 && p->n_against <= across)
		across = across / p->n_against * p->n_against;
	across = across > panels ? panels : across;
	double wide = (whole - SWEEP_LEFT * (double)across) / (double)across, top = p->top + 16;
	char *name = unit_title(p->of[0].name), *ytitle = plot_axis_title(name, &p->of[0].unit, sqrt(least * highest), p->log != LOG_NO, p->binary, &ratio);
	plot_label(p->f, PX_EDGE, p->top + 4, TO_LEFT, PX_TEXT, INK, ytitle);
	top += 14;
	char **names = plot_names_fitted(p, shown, n, wide - SLOPE_PX);
	for (size_t i = 0; i < panels; i++) {
		const struct column *x = p->against[i % p->n_against];
		size_t group = shown[i / p->n_against];
		double left = PX_EDGE + SWEEP_LEFT - 6 + (double)(i % across) * (wide + SWEEP_LEFT), y = top + (double)(i / across) * (SWEEP_HIGH + SWEEP_APART), from, to;
		struct pane *pane = plot_pane_add(p->f, left, left + wide, y, y + SWEEP_HIGH);
		plot_label(p->f, left, y - 8, TO_LEFT, PX_TEXT, INK, names[i / p->n_against]);
		struct unit unit = unit_of(x->name);
		double one;
		char *title = unit_title(x->name);
		pane->x.title = plot_axis_title(title, &unit, 1, false, p->binary, &one);
		if (one != 1) {
			free(pane->x.title);
			pane->x.title = xstrdup(title);
		}
		if (!reach_of(p, x, &from, &to)) {
			from = to = 1;
			plot_label(p->f, left + 4, y + SWEEP_HIGH / 2.0, TO_LEFT, PX_SMALL, SOFT, "no number above 0");
		}
		plot_scale_fit(&pane->x, from, to, p->log != LOG_NO, wide, false);
		plot_scale_fit(&pane->y, least * ratio, highest * ratio, p->log != LOG_NO, SWEEP_HIGH, true);
		value_ticks(p, x, pane);
		pane->x.grid = pane->y.grid = true;
		sweep_panel(p, pane, group, x, ratio);
		free(title);
	}
	plot_text_free(names, n);
	tell_not_above_0(p);
	plot_figure_note(p->f, p->log == LOG_NO ? "Line: least squares of the logarithms." : "Both axes are logarithmic; line: least squares; its slope is the exponent.");
	plot_figure_foot(p->f, top + (double)((panels + across - 1) / across) * (SWEEP_HIGH + SWEEP_APART) - 6);
	free(name);
	free(ytitle);
	free(shown);
}
