/* plot_ridge.c: densities, one above the other. */
#include "plot_ridge.h"
#include "base/die.h"
#include "metric/metric_column.h"
#include "plot_distribution.h"
#include "plot_figure.h"

#include <math.h>
#include <stdlib.h>

enum { RIDGE_POINTS = 240, RIDGE_BINS = 512, RIDGE_STEP_PX = 22, OVERLAP_PX = 6, TICK_PX = 11 };
#define BELL_REACH 4.0

static double
to_axis(const struct value_axis *x, double v)
{
	return x->log ? log10(v * x->ratio) : v * x->ratio;
}

/* Silverman's width of a normal kernel, but not below a bin. */
static double
kernel_width(const struct value_axis *x, const double *v, size_t n, double step)
{
	double sum = 0, square = 0;
	for (size_t i = 0; i < n; i++)
		sum += to_axis(x, v[i]);
	for (size_t i = 0; i < n; i++)
		square += pow(to_axis(x, v[i]) - sum / (double)n, 2);
	double q = n > 1 ? (to_axis(x, quantile_sorted(v, n, 0.75, Q_LINEAR)) -
	    to_axis(x, quantile_sorted(v, n, 0.25, Q_LINEAR))) / 1.34 : 0;
	double std = n > 1 ? sqrt(square / (double)(n - 1)) : 0, narrow = q > 0 ? fmin(q,
	    std) : std;
	return fmax(0.9 * narrow * pow((double)n, -0.2), 1.5 * step);
}

/* The density over the axis, from values in bins; its most is 1. */
static void
density(const struct value_axis *x, double lo, double hi, const double *v, size_t n, double *d)
{
	double bins[RIDGE_BINS] = {0}, step = (hi - lo) / RIDGE_BINS, most = 0;
	double width = kernel_width(x, v, n, step);
	for (size_t i = 0; i < n; i++) {
		double k = (to_axis(x, v[i]) - lo) / step;
		bins[k < 0 ? 0 : k >= RIDGE_BINS ? RIDGE_BINS - 1 : (size_t)k]++;
	}
	for (size_t i = 0; i < RIDGE_POINTS; i++) {
		double at = lo + (hi - lo) * (double)i / (RIDGE_POINTS - 1), all = 0;
		long first = (long)((at - lo - BELL_REACH * width) / step);
		long last = (long)((at - lo + BELL_REACH * width) / step);
		for (long b = first < 0 ? 0 : first; b <= last && b < RIDGE_BINS; b++) {
			double z = (lo + ((double)b + 0.5) * step - at) / width;
			all += bins[b] > 0 ? bins[b] * exp(-z * z / 2) : 0;
		}
		d[i] = all;
		most = fmax(most, all);
	}
	for (size_t i = 0; i < RIDGE_POINTS && most > 0; i++)
		d[i] /= most;
}

static void
add_curve(const struct value_axis *x, const struct rows *r, json_t *rows, const struct spread *s,
    size_t i)
{
	double d[RIDGE_POINTS], least = x->least, most = x->most;
	plot_scale_widen(x->log, &least, &most);
	if (x->log)
		least = log10(least), most = log10(most);
	density(x, least, most, s->v[i], s->n[i], d);
	for (size_t k = 0; k < RIDGE_POINTS; k++) {
		double at = least + (most - least) * (double)k / (RIDGE_POINTS - 1);
		/* Where it is 0 between two zeros, nothing has to be drawn. */
		if (k && k + 1 < RIDGE_POINTS && d[k - 1] + d[k] + d[k + 1] < 1e-9)
			continue;
		json_t *row = plot_row(r, i);
		figure_set_number(row, "x", x->log ? pow(10, at) : at);
		json_object_set_new(row, "d", json_real(floor(d[k] * 1e4) / 1e4));
		json_array_append_new(rows, row);
	}
}

void
plot_ridge(struct plotting *p)
{
	size_t n;
	size_t *shown = plot_choose_groups(p, &p->of[0], p->by_value, &n);
	struct spread s;
	struct rows r;
	plot_spread_of(p, &p->of[0], shown, n, &s);
	if (!(s.least <= s.most))
		plot_empty_figure(p);
	plot_rows_start(p, &r, shown, n, 1, 0);
	json_t *values = plot_rows_values(p, &r, 0), *rows = json_object_get(values, "rows");
	char *title = metric_column_title(p->of[0].name);
	struct value_axis x = plot_value_axis(p, values, "x", title, &p->of[0].unit, s.least,
	    s.most);
	for (size_t i = 0; i < n; i++) {
		json_t *row = plot_row(&r, i);
		if (s.n[i]) {
			figure_set_number(row, "p50", plot_spread_quantile(&s, i, 50) * x.ratio);
			plot_spread_tip(p, row, &s, i, &p->of[0], r.names[i]);
			add_curve(&x, &r, rows, &s, i);
		} else {
			json_object_set_new(row, "unknown", json_true());
		}
		json_array_append_new(rows, row);
	}
	json_object_set_new(values, "width", json_real(round(r.room)));
	json_object_set_new(values, "height", json_integer(RIDGE_STEP_PX));
	json_object_set_new(values, "tick_y", json_integer(RIDGE_STEP_PX - TICK_PX));
	json_object_set_new(values, "top_y", json_integer(-OVERLAP_PX));
	plot_figure_note(&p->f, "Each density has the same height; tick: median.");
	plot_figure_view(&p->f, "ridge", values);
	plot_rows_free(&r);
	plot_spread_free(&s);
	free(title);
	free(shown);
}
