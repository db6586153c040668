/* plot_dashes.c: a bar for one measure of each group, a dash for another, and a band behind the
 * groups that hold most of the second. */
#include "plot_dashes.h"
#include "base/die.h"
#include "plot_bars.h"
#include "plot_figure.h"

#include <math.h>
#include <stdlib.h>

/* The groups that hold --upto percent, of which those that are shown have a band. */
static size_t
add_band(const struct plotting *p, json_t *values, const struct rows *r, const double *v,
    double whole)
{
	json_t *band = json_array();
	double sum = 0;
	size_t n = 0;
	for (; n < p->g.n && !isnan(v[n]) && sum < whole * (p->upto / 100 - 1e-12); n++) {
		sum += v[n];
		if (n < r->n)
			json_array_append_new(band, plot_row(r, n));
	}
	json_object_set_new(values, "band", band);
	return n;
}

static void
add_dash_rows(struct plotting *p, json_t *values, const struct rows *r, const double *v,
    double ratio)
{
	char *title[2] = {plot_measure_title(&p->of[0]), plot_measure_title(&p->of[1])};
	for (size_t i = 0; i < r->n; i++) {
		json_t *row = plot_row(r, i);
		char *bar = plot_value_text(p, &p->of[0].unit, v[i]);
		char *dash = plot_value_text(p, &p->of[1].unit, v[r->n + i]);
		figure_set_number(row, "x", v[i] * ratio);
		figure_set_number(row, "dash", v[r->n + i] * ratio);
		if (p->f.wants_tips)
			figure_set_text(row, "tip", "%s: %s %s, %s %s", r->names[i], title[0], bar,
			    title[1], dash);
		json_array_append_new(json_object_get(values, "rows"), row);
		if (isnan(v[i]) && isnan(v[r->n + i]))
			plot_rows_unknown(values, r, i);
		free(bar);
		free(dash);
	}
	free(title[0]);
	free(title[1]);
}

void
plot_dashes(struct plotting *p)
{
	double *all, whole;
	struct rows r;
	if (p->of[0].unit.quantity != p->of[1].unit.quantity || (p->of[0].unit.quantity !=
	    OF_NOTHING && fabs(p->of[0].unit.factor - p->of[1].unit.factor) > 0))
		plot_empty(p, "nothing to draw: '%s' and '%s' have different units", p->of[0].name,
		    p->of[1].name);
	size_t *shown = plot_ranks(p, &p->of[1], &all, &whole);
	size_t n = p->g.n < p->most ? p->g.n : p->most;
	double *v = xmalloc((2 * n + 1) * sizeof *v);
	for (size_t i = 0; i < n; i++) {
		v[i] = plot_measure_group(p, &p->of[0], shown[i]);
		v[n + i] = all[i];
	}
	if (n < p->g.n)
		plot_figure_note(&p->f, "Shown: the largest %zu of %zu.", n, p->g.n);
	plot_rows_start(p, &r, shown, n, 1, 0);
	json_t *values = plot_rows_values(p, &r, 0);
	enum log_wish wish = p->log;
	p->log = wish == LOG_AUTO ? LOG_NO : wish;
	double ratio = plot_bar_scale(p, values, p->of[1].unit.quantity == OF_TIME ? "time" :
	    "total", &p->of[1].unit, v, 2 * n);
	p->log = wish;
	add_dash_rows(p, values, &r, v, ratio);
	plot_bar_shares(values, all, n, whole, false);
	char *bar = plot_measure_title(&p->of[0]), *dash = plot_measure_title(&p->of[1]);
	size_t held = add_band(p, values, &r, all, whole);
	plot_figure_note(&p->f, "Bar: %s; dash: %s; shaded: the %zu of %zu groups that hold %g %% "
	    "of it.", bar, dash, held, p->g.n, p->upto);
	plot_figure_note(&p->f, "At the right: share of the %s, and cumulated.", dash);
	plot_figure_view(&p->f, "dashes", values);
	plot_rows_free(&r);
	free(bar);
	free(dash);
	free(shown);
	free(all);
	free(v);
}
