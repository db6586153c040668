/* plot_categories.c: the share of each category in each group, as stacked bars. */
#include "plot_categories.h"
#include "base/die.h"
#include "base/nbscope.h"
#include "plot_figure.h"
#include "plot_text.h"
#include "text/unit.h"

#include <math.h>
#include <stdlib.h>

enum { LABEL_LEAST = 6 };	/* percent */
#define LIGHT_INK_UPTO 0.47	/* of the ramp: there white has more contrast than black */

/* Cividis, from ten of its colours: its lightness increases evenly. */
static unsigned
ramp(double at)
{
	static const unsigned stops[] = {0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678,
		0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838};
	double x = at * (double)(COUNT(stops) - 1);
	size_t i = x >= (double)(COUNT(stops) - 1) ? COUNT(stops) - 2 : (size_t)x;
	unsigned all = 0;
	for (int shift = 0; shift < 24; shift += 8) {
		double a = stops[i] >> shift & 255, b = stops[i + 1] >> shift & 255;
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

static const char *
category_name(const struct plotting *p, size_t k)
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
	char *name = m ? unit_title(m->name) : xstrdup("rows");
	double before = 0;
	for (size_t c = 0; c <= p->categories.n; c++) {
		double share = 100 * sums[c] / whole;
		if (!(sums[c] > 0))
			continue;
		json_t *row = plot_row(r, i);
		char *value = m ? plot_value_text(p, &m->unit, sums[c]) : xasprintf("%.0f rows",
		    sums[c]);
		plot_set_text(row, "c", "%s", category_name(p, c));
		plot_set_number(row, "x", before);
		plot_set_number(row, "x2", before + share);
		plot_set_number(row, "mid", before + share / 2);
		if (share >= LABEL_LEAST)
			plot_set_text(row, "t", "%.0f", share);
		plot_set_text(row, "ink", place_on_ramp(p, c) < LIGHT_INK_UPTO ? "#fdfdfd" :
		    c == p->categories.n ? "#333333" : "#010101");
		if (p->f.wants_tips)
			plot_set_text(row, "tip", "%s, %s: %s, %.1f %% of %s", r->names[i],
			    category_name(p, c), value, share, name);
		json_array_append_new(rows, row);
		before += share;
		free(value);
	}
	free(name);
}

static void
set_key(const struct plotting *p, json_t *values, bool unknown)
{
	json_t *names = json_array(), *colours = json_array();
	double widest = 0;
	for (size_t k = 0; k < p->categories.n + unknown; k++) {
		char *colour = k == p->categories.n ? xstrdup("#e8e8e8") :
		    xasprintf("#%06x", ramp(place_on_ramp(p, k)));
		json_array_append_new(names, json_string(category_name(p, k)));
		json_array_append_new(colours, json_string(colour));
		widest = fmax(widest, plot_text_px(category_name(p, k), PX_TEXT));
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
		char *name = m ? unit_title(m->name) : xstrdup("rows");
		plot_set_text(values, "x_title", "%% of %s", name);
		set_key(p, values, unknown);
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
