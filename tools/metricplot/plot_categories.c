/* plot_categories.c: the share of each category in each group, as stacked bars. */
#include "plot_categories.h"
#include "base/die.h"
#include "base/nbscope.h"
#include "metric/metric_column.h"
#include "plot_figure.h"
#include "plot_text.h"

#include <math.h>
#include <stdlib.h>

enum { MIN_LABEL = 6 };	/* percent */
#define LIGHT_INK_UPTO 0.47	/* of the ramp: there white has more contrast than black */

static unsigned long
ramp_stop(const json_t *stops, size_t i)
{
	return strtoul(json_string_value(json_array_get(stops, i)) + 1, NULL, 16);
}

/* The theme's ramp, whose lightness increases evenly. */
static unsigned
ramp_colour(double at)
{
	const json_t *stops = json_object_get(figure_theme_part("scales"), "ramp");
	double most = (double)json_array_size(stops) - 1, x = at * most;
	size_t i = (size_t)fmin(x, most - 1);
	unsigned all = 0;
	for (int shift = 0; shift < 24; shift += 8) {
		double a = (double)(ramp_stop(stops, i) >> shift & 255);
		double b = (double)(ramp_stop(stops, i + 1) >> shift & 255);
		all |= (unsigned)(a + (b - a) * (x - (double)i) + 0.5) << shift;
	}
	return all;
}

static double
place_on_ramp(const struct plotting *p, size_t k)
{
	size_t n = p->categories.n;
	return k == n ? 1 : n < 2 ? 0.2 : 0.08 + 0.84 * (double)k / (double)(n - 1);
}

const char *
plot_category_name(const struct plotting *p, size_t k)
{
	return k < p->categories.n ? p->categories.v[k].name : "unknown";
}

/* Count (no measure) or sum of a measure in each category; the last one: unknown.  The whole;
 * NaN if values below 0 leave no shares. */
static double
category_sums(const struct plotting *p, const struct measure *m, size_t group, double *sums)
{
	double whole = 0;
	for (size_t k = 0; k <= p->categories.n; k++)
		sums[k] = 0;
	for (size_t i = p->g.first[group]; i < p->g.first[group + 1]; i++) {
		size_t row = p->g.rows[i];
		double add = m ? m->column->number[row] : 1;
		sums[bins_find(&p->categories, p->category_column->number[row])] +=
		    isnan(add) ? 0 : add;
	}
	for (size_t k = 0; k <= p->categories.n; k++)
		whole += sums[k] >= 0 ? sums[k] : NAN;
	return whole;
}

static void
add_parts(struct plotting *p, json_t *rows, const struct rows *r, size_t i, const struct measure *m,
    const double *sums, double whole)
{
	char *name = m ? metric_column_title(m->name) : xstrdup("rows");
	double before = 0;
	for (size_t c = 0; c <= p->categories.n; c++) {
		double share = 100 * sums[c] / whole;
		if (!(sums[c] > 0))
			continue;
		json_t *row = plot_row(r, i);
		char *value = m ? plot_value_text(p, &m->unit, sums[c]) : xasprintf("%.0f rows",
		    sums[c]);
		figure_set_text(row, "c", "%s", plot_category_name(p, c));
		figure_set_number(row, "x", before);
		figure_set_number(row, "x2", before + share);
		figure_set_number(row, "mid", before + share / 2);
		if (share >= MIN_LABEL)
			figure_set_text(row, "t", "%.0f", share);
		if (c < p->categories.n)
			figure_set_text(row, "on", "%s", place_on_ramp(p, c) < LIGHT_INK_UPTO ?
			    "dark" : "light");
		if (p->f.wants_tips)
			figure_set_text(row, "tip", "%s, %s: %s, %.1f %% of %s", r->names[i],
			    plot_category_name(p, c), value, share, name);
		json_array_append_new(rows, row);
		before += share;
		free(value);
	}
	free(name);
}

void
plot_category_key(const struct plotting *p, json_t *values, bool unknown)
{
	json_t *names = json_array(), *colours = json_array();
	double widest = 0;
	for (size_t k = 0; k < p->categories.n + unknown; k++) {
		char *colour = xasprintf("#%06x", ramp_colour(place_on_ramp(p, k)));
		json_array_append_new(names, json_string(plot_category_name(p, k)));
		json_array_append_new(colours, k == p->categories.n ?
		    figure_theme_value("missing") : json_string(colour));
		widest = fmax(widest, plot_text_px(plot_category_name(p, k), PX_TEXT));
		free(colour);
	}
	json_object_set_new(values, "names", names);
	json_object_set_new(values, "colours", colours);
	json_object_set_new(values, "key_columns",
	    json_integer((json_int_t)fmax(1, floor(p->f.width / (widest + 30)))));
}

void
plot_categories(struct plotting *p)
{
	struct measure count = {.stat = STAT_COUNT};
	size_t n;
	size_t *shown = plot_choose_groups(p, p->n_of ? &p->of[0] : &count, p->by_value, &n);
	double *sums = xmalloc((p->categories.n + 1) * sizeof(*sums));
	struct rows r;
	bool unknown = false;
	if (!n)
		plot_empty_figure(p);
	for (size_t i = 0; i < p->g.first[p->g.n]; i++)
		unknown |= bins_find(&p->categories, p->category_column->number[p->g.rows[i]]) ==
		    p->categories.n;
	plot_rows_start(p, &r, shown, n, p->n_of + 1, 0);
	for (size_t k = 0; k <= p->n_of; k++) {
		const struct measure *m = k ? &p->of[k - 1] : NULL;
		json_t *values = plot_rows_values(p, &r, k);
		char *name = m ? metric_column_title(m->name) : xstrdup("rows");
		figure_set_text(values, "x_title", "%% of %s", name);
		plot_category_key(p, values, unknown);
		for (size_t i = 0; i < n; i++) {
			double whole = category_sums(p, m, shown[i], sums);
			if (whole > 0)
				add_parts(p, json_object_get(values, "rows"), &r, i, m, sums,
				    whole);
			else
				plot_rows_unknown(values, &r, i);
		}
		plot_figure_view(&p->f, "categories", values);
		free(name);
	}
	plot_rows_free(&r);
	free(sums);
	free(shown);
}
