/* chart_spec.c: a graph as a Vega-Lite specification. */
#include "chart_spec.h"
#include "base/nbscope.h"
#include "chart_look.h"
#include "chart_names.h"
#include "figure/figure_template.h"
#include "figure/figure_theme.h"
#include "figure/figure_value.h"
#include "text/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 70, PLOT = 90, LEAST_PLOT = 24, FLAT = 16, NAME_ROW = 12, PX_PER_BIN = 2 };
enum { TITLE_BYTES = 300, PANEL_EXTRA = 40 };

static json_t *
shown_text(const char *text)
{
	struct buf b = {0};
	text_show(&b, text, TITLE_BYTES);
	json_t *v = figure_text(b.p);
	buf_free(&b);
	return v;
}

static double
rounded(double x)
{
	char text[40];
	snprintf(text, sizeof text, "%.5g", x);
	return strtod(text, NULL);
}

static void
set_rounded(json_t *row, const char *key, double x)
{
	figure_set_number(row, key, rounded(x));
}

static json_t *
add_row(json_t *rows)
{
	json_t *row = json_object();
	json_array_append_new(rows, row);
	return row;
}

/* ---- curves --------------------------------------------------------------------------- */

static bool
is_same(double a, double b)
{
	return rounded(a) == rounded(b) || (isnan(a) && isnan(b));
}

static void
add_bin(json_t *rows, const char *name, double x, const struct chart_bin *bin, double divide)
{
	json_t *row = add_row(rows);
	figure_set_text(row, "c", "%s", name);
	set_rounded(row, "x", x);
	set_rounded(row, "mean", bin->mean / divide);
	set_rounded(row, "lo", bin->lo / divide);
	set_rounded(row, "hi", bin->hi / divide);
}

/* Bins that are as the one before are left out: a curve goes on in steps, up to a gap. */
static void
add_curve(json_t *rows, const struct chart *c, const struct curve *curve, const char *name,
    double divide)
{
	double each = (c->to - c->from) / (double)c->bins;
	for (size_t i = 0; i <= c->bins; i++) {
		const struct chart_bin *bin = &curve->bins[i < c->bins ? i : i - 1];
		if (i && i < c->bins && is_same(bin->mean, bin[-1].mean) &&
		    is_same(bin->lo, bin[-1].lo) && is_same(bin->hi, bin[-1].hi))
			continue;
		double x = c->from + each * (double)i;
		if (i && isnan(bin->mean) && isfinite(bin[-1].mean))
			add_bin(rows, name, x, bin - 1, divide);
		add_bin(rows, name, x, bin, divide);
	}
}

static json_t *
dash_of(const struct chart_look *look)
{
	json_t *dash = json_array();
	for (size_t i = 0; i < COUNT(look->dash) && look->dash[i] > 0; i++)
		json_array_append_new(dash, json_real(look->dash[i]));
	if (!json_array_size(dash))
		json_array_append_new(dash, json_integer(1));
	if (json_array_size(dash) == 1)
		json_array_append_new(dash, json_integer(0));
	return dash;
}

/* The curves with their looks, and the cells' own values. */
static void
set_curves(json_t *values, const struct chart *c, const struct panel *p, double divide)
{
	json_t *rows = json_array(), *levels = json_array(), *names = json_array();
	json_t *colours = json_array(), *dashes = json_array();
	for (size_t i = 0; i < p->n_curves; i++) {
		const struct curve *curve = &p->curves[i];
		const struct chart_look *look = &chart_looks[curve->look];
		struct buf name = {0};
		buf_addf(&name, "%s%s%s", curve->name, curve->told ? " " : "",
		    curve->told ? curve->told : "");
		json_array_append_new(names, figure_text(name.p));
		json_array_append_new(colours, figure_theme_value(look->colour));
		json_array_append_new(dashes, dash_of(look));
		add_curve(rows, c, curve, name.p, divide);
		for (size_t k = 0; k < p->n_levels; k++) {
			if (p->levels[k].look != curve->look)
				continue;
			json_t *row = add_row(levels);
			figure_set_text(row, "c", "%s", name.p);
			set_rounded(row, "x", p->levels[k].from);
			set_rounded(row, "x2", p->levels[k].to);
			set_rounded(row, "value", p->levels[k].value / divide);
		}
		buf_free(&name);
	}
	json_object_set_new(values, "rows", rows);
	json_object_set_new(values, "levels", levels);
	json_object_set_new(values, "names", names);
	json_object_set_new(values, "colours", colours);
	json_object_set_new(values, "dashes", dashes);
}

/* ---- cells and events ----------------------------------------------------------------- */

static json_t *
cells_of(const struct chart *c)
{
	json_t *rows = json_array();
	for (size_t i = 0; i < c->n_bands; i++) {
		json_t *row = add_row(rows);
		set_rounded(row, "x", c->bands[i].from);
		set_rounded(row, "x2", c->bands[i].to);
		figure_set_text(row, "cell", "%s", c->bands[i].name);
		json_object_set_new(row, "shaded", json_boolean(!c->gaps && i % 2));
	}
	return rows;
}

static json_t *
marks_of(const struct chart *c)
{
	json_t *rows = json_array();
	for (size_t i = 0; i < c->n_marks; i++)
		set_rounded(add_row(rows), "x", c->marks[i].at);
	return rows;
}

static void
add_name(json_t *rows, const struct chart_name *name, double dx, double dy)
{
	json_t *row = add_row(rows);
	set_rounded(row, "x", name->at);
	json_object_set_new(row, "t", shown_text(name->text));
	json_object_set_new(row, "align", json_string(!dx ? "center" : dx < 0 ? "right" : "left"));
	figure_set_number(row, "dx", dx);
	figure_set_number(row, "dy", dy);
}

/* Names of cells and events, above the first panel, which is moved down by *high. */
static json_t *
names_of(const struct chart *c, double plot_px, double *high)
{
	size_t n, m, rows;
	double size = figure_theme_px("text");
	struct chart_name *marks = chart_names_of_marks(c, plot_px, size, &n, &rows);
	struct chart_name *cells = chart_names_of_cells(c, plot_px, size, &m);
	json_t *names = json_array();
	for (size_t i = 0; i < n; i++)
		add_name(names, &marks[i], marks[i].before ? -3 : 3,
		    -2 - NAME_ROW * (double)(rows - 1 - marks[i].row));
	for (size_t i = 0; i < m; i++)
		add_name(names, &cells[i], 0, -2);
	*high = NAME_ROW * (double)(rows ? rows : m > 0);
	free(marks);
	free(cells);
	return names;
}

/* ---- panels --------------------------------------------------------------------------- */

static bool
is_full(const struct panel *p)
{
	return !p->flat && !p->note;
}

static json_t *
time_axis(const struct chart *c, bool is_last)
{
	struct axis a = chart_axis(c->to - c->from, 8, false);
	json_t *axis = json_pack("{s:b, s:b, s:b}", "grid", 0, "labels", is_last, "ticks", is_last);
	if (is_last)
		figure_set_text(axis, "title", "%s%s", a.prefix, c->axis);
	if (a.divide > 1)
		figure_set_text(axis, "labelExpr", "format(datum.value / %g, ',')", a.divide);
	return axis;
}

static json_t *
panel_of(const struct chart *c, size_t i, double wide, double high)
{
	const struct panel *p = &c->panels[i];
	bool full = is_full(p);
	struct axis a = chart_axis(p->most, high < 60 ? 2 : 4, p->bytes);
	json_t *values = json_pack("{s:f, s:f, s:{s:[f, f], s:b}, s:{s:[f, f], s:b}}", "width",
	    wide, "height", full ? high : FLAT, "x_scale", "domain", c->from, c->to, "nice", 0,
	    "y_scale", "domain", 0.0, a.top / a.divide, "nice", 0);
	struct buf title = {0};
	double above = 0;
	buf_addf(&title, "%s%s", p->title, *p->unit || *a.prefix ? ", " : "");
	chart_unit(&title, p, &a);
	figure_set_text(values, "name", "%s", title.p);
	json_object_set_new(values, "x_axis", time_axis(c, i + 1 == c->n_panels));
	json_object_set_new(values, "ticks", json_integer(high < 60 ? 2 : 4));
	json_object_set_new(values, "outside", figure_theme_value(c->gaps ? "shade" : "ground"));
	json_object_set_new(values, "cell_names", i ? json_array() : names_of(c, wide, &above));
	json_object_set_new(values, "above", json_real(above + 4));
	if (full)
		set_curves(values, c, p, a.divide);
	else
		json_object_set_new(values, "told", shown_text(p->note ? p->note : "0 throughout"));
	json_t *panel = figure_template_fill(full ? "chart_panel" : "chart_flat", values);
	json_decref(values);
	buf_free(&title);
	return panel;
}

size_t
chart_spec_bins(size_t width)
{
	return (width - SIDES) / PX_PER_BIN;
}

json_t *
chart_spec(const struct chart *c, size_t width, size_t height)
{
	double wide = (double)(width - SIDES), high = PLOT;
	json_t *panels = json_array(), *lines = json_array();
	if (height && c->n_panels)
		high = fmax(LEAST_PLOT, (double)height / (double)c->n_panels - PANEL_EXTRA);
	for (size_t i = 0; i < c->n_panels; i++)
		json_array_append_new(panels, panel_of(c, i, wide, high));
	json_array_append_new(lines, shown_text(c->title));
	json_array_append_new(lines, shown_text(c->subtitle));
	for (size_t i = 0; i < c->n_notes; i++)
		json_array_append_new(lines, shown_text(c->notes[i]));
	struct figure_head head = {.id = "cellgraph", .title = json_string_value(json_array_get(
	    lines, 0)), .about = json_string_value(json_array_get(lines, 1)), .lines = lines,
		.title_lines = 1, .width = (double)width};
	json_t *view = json_pack("{s:o, s:i, s:{s:o, s:o}, s:{s:{s:s, s:s}}}", "vconcat", panels,
	    "spacing", 8, "datasets", "cells", cells_of(c), "events", marks_of(c), "resolve",
	    "scale", "color", "independent", "strokeDash", "independent");
	json_t *spec = figure_template_spec(view, &head);
	json_object_set_new(json_object_get(spec, "title"), "limit", json_real((double)width));
	json_decref(view);
	json_decref(lines);
	return spec;
}
