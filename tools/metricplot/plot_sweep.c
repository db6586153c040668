/* plot_sweep.c: how a cell's cost scales with a parameter. */
#include "plot_sweep.h"
#include "base/nbscope.h"
#include "base/die.h"
#include "base/num.h"
#include "metric/metric_column.h"
#include "plot_distribution.h"
#include "plot_figure.h"
#include "plot_groups.h"
#include "plot_text.h"
#include "stats/normal.h"
#include "stats/scaling_words.h"
#include "text/unit.h"

#include <math.h>
#include <stdlib.h>

enum { FEW_VALUES = 8, FEW_LEVELS = 3, PLACES = 250 };

struct fitted {
	size_t n;
	double slope, offset, least, most;	/* of x; logarithms */
	bool line;
};

/* Counts the different values, up to FEW_LEVELS. */
static void
note_level(double level[FEW_LEVELS], size_t *n, double x)
{
	size_t k = 0;
	while (k < *n && level[k] != x)
		k++;
	if (k == *n && k < FEW_LEVELS)
		level[(*n)++] = x;
}

/* Whether the interval of the slope, from n points with these sums of squares, shows that the
 * cost depends on the parameter: the rule of metricscale. */
static bool
does_line_hold(size_t n, size_t levels, double slope, double sxx, double rest)
{
	if (n < 3 || !(sxx > 0))
		return false;
	double freedom = (double)n - 2, error = sqrt(fmax(rest, 0) / freedom / sxx);
	double by = normal_t_quantile(0.975, freedom) * error;
	return scaling_holds(levels, slope - by, slope + by);
}

/* Least squares of the logarithms of positive values. */
static struct fitted
fit_group(const struct plotting *p, size_t group, const struct column *x,
    const struct column *y)
{
	struct fitted f = {.least = INFINITY, .most = -INFINITY};
	double sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0, level[FEW_LEVELS];
	size_t levels = 0;
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
				note_level(level, &levels, a);
			} else {
				double u = a - sx / (double)f.n, v = b - sy / (double)f.n;
				sxx += u * u, sxy += u * v, syy += v * v;
			}
		}
	f.slope = sxy / sxx;
	f.line = does_line_hold(f.n, levels, f.slope, sxx, syy - sxy * f.slope);
	f.slope = f.line ? f.slope : NAN;
	f.offset = f.n ? sy / (double)f.n - (f.line ? f.slope * sx / (double)f.n : 0) : NAN;
	return f;
}

/* The parameter's values as ticks, if they are few. */
static void
set_ticks(const struct plotting *p, const struct column *c, json_t *values)
{
	double v[FEW_VALUES];
	size_t n = 0;
	json_t *ticks = json_array();
	for (size_t i = 0; i < p->g.first[p->g.n]; i++) {
		double x = c->number[p->g.rows[i]];
		size_t k = 0;
		while (k < n && v[k] != x)
			k++;
		if (k < n || !(x > 0))
			continue;
		if (n == FEW_VALUES) {
			json_decref(ticks);
			return;
		}
		v[n++] = x;
	}
	qsort(v, n, sizeof(*v), num_compare);
	for (size_t k = 0; k < n; k++)
		json_array_append_new(ticks, json_real(v[k]));
	json_object_set_new(values, "x_values", ticks);
}

static json_t *
add_point(json_t *rows, const char *name, double x, double y, bool fit)
{
	json_t *row = json_pack("{s:s, s:b}", "g", name, "fit", fit);
	figure_set_number(row, "x", x);
	figure_set_number(row, "y", y);
	json_array_append_new(rows, row);
	return row;
}

/* Points in the same place are drawn once. */
static bool
is_new_place(unsigned char *inked, const struct value_axis axis[2], double x, double y)
{
	size_t across = (size_t)(PLACES * plot_axis_share(axis, x));
	size_t up = (size_t)(PLACES * plot_axis_share(axis + 1, y));
	unsigned char *ink = &inked[up * (PLACES + 1) + across];
	return !*ink && (*ink = 1);
}

static void
add_panel(struct plotting *p, json_t *rows, size_t group, const char *fits, const struct column *x,
    const struct value_axis axis[2])
{
	unsigned char inked[(PLACES + 1) * (PLACES + 1)] = {0};
	const struct measure *m = &p->of[0];
	double ratio = axis[1].ratio;
	struct fitted f = fit_group(p, group, x, m->column);
	char *name = f.line ? xasprintf("%s, slope %.2f", fits, fabs(f.slope) < 0.005 ?
	    0 : f.slope) :
	    f.n ? xstrdup(fits) : xasprintf("%s: no number above 0", fits);
	double ends[2] = {f.least, f.most};
	for (size_t i = p->g.first[group]; i < p->g.first[group + 1]; i++) {
		double a = x->number[p->g.rows[i]], b = m->column->number[p->g.rows[i]];
		if (!(a > 0) || !(b > 0) || !is_new_place(inked, axis, a, b * ratio))
			continue;
		json_t *row = add_point(rows, name, a, b * ratio, false);
		if (p->f.wants_tips) {
			char *value = plot_value_text(p, &m->unit, b);
			char *title = metric_column_title(x->name);
			figure_set_text(row, "tip", "%s, %s %g: %s", p->names[group], title, a,
			    value);
			free(title);
			free(value);
		}
	}
	for (int k = 0; f.line && k < 2; k++)
		add_point(rows, name, exp(ends[k]), exp(f.offset + f.slope * ends[k]) * ratio,
		    true);
	if (!f.n)
		json_array_append_new(rows, json_pack("{s:s, s:b}", "g", name, "fit", 0));
	free(name);
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
tell_not_above_0(struct plotting *p)
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
		plot_figure_note(&p->f,
		    "%zu row%s with a value or parameter not above 0 %s omitted.",
		    left_out, left_out == 1 ? "" : "s", left_out == 1 ? "is" : "are");
}

/* The panels of one parameter. */
static void
add_view(struct plotting *p, const struct column *x, const size_t *shown, size_t n, double least,
    double highest)
{
	double from, to, ratio;
	size_t columns;
	bool log = p->log != LOG_NO;
	json_t *values = plot_panels(p, n, PANELS_APART, &columns);
	json_object_del(values, "autosize");
	if (n == 1)
		json_object_set_new(values, "width", json_integer((json_int_t)p->f.width - 70));
	double wide = json_number_value(json_object_get(values, "width"));
	char *name = metric_column_title(p->of[0].name), *title = metric_column_title(x->name);
	char *axis = plot_axis_title(name, &p->of[0].unit, sqrt(least * highest), log,
	    p->binary, &ratio);
	struct unit unit = unit_of(x->name);
	if (!reach_of(p, x, &from, &to))
		from = to = 1;
	figure_set_text(values, "x_title", *unit.symbol ? "%s (%s)" : "%s", title, unit.symbol);
	figure_set_text(values, "y_title", "%s", axis);
	struct value_axis both[2] = {{1, from, to, log},
	    {ratio, least * ratio, highest * ratio, log}};
	plot_set_scale(values, "x", log, false, from, to);
	plot_set_scale(values, "y", log, false, both[1].least, both[1].most);
	set_ticks(p, x, values);
	char **fits = plot_fit_names(p, shown, n, wide - plot_text_px(", slope -0.00", PX_TEXT));
	for (size_t i = 0; i < n; i++)
		add_panel(p, json_object_get(values, "rows"), shown[i], fits[i], x, both);
	plot_figure_view(&p->f, "sweep", values);
	plot_text_free(fits, n);
	free(name);
	free(title);
	free(axis);
}

void
plot_sweep(struct plotting *p)
{
	bool drawn = false;
	size_t n, most = p->most;
	double least, highest;
	struct measure median = p->of[0];
	median.stat = STAT_MEDIAN;
	p->most = most / (p->n_against ? p->n_against : 1);
	p->most = p->most ? p->most : 1;
	size_t *shown = plot_choose_groups(p, &median, p->by_value, &n);
	p->most = most;
	if (!reach_of(p, p->of[0].column, &least, &highest))
		plot_empty_figure(p);
	for (size_t i = 0; i < p->n_against; i++) {
		double from, to;
		drawn |= reach_of(p, p->against[i], &from, &to);
	}
	if (!drawn)
		plot_empty(p, "nothing to draw: '%s' has no value above 0", p->against[0]->name);
	for (size_t i = 0; i < p->n_against; i++)
		add_view(p, p->against[i], shown, n, least, highest);
	p->f.across = 1;
	tell_not_above_0(p);
	plot_figure_note(&p->f, p->log == LOG_NO ? "Line: least squares of the logarithms." :
	    "Both axes are logarithmic; line: least squares; its slope is the exponent.");
	free(shown);
}
