/* plot_dominant.c: one measure of the groups that make up most of another, and their shares of
 * that on a second axis. */
#include "plot_dominant.h"
#include "base/die.h"
#include "metric/metric_column.h"
#include "plot_bars.h"
#include "plot_distribution.h"
#include "plot_figure.h"

#include <math.h>
#include <stdlib.h>

static void
add_dominant_row(struct plotting *p, json_t *values, const struct rows *r, const struct spread *s,
    size_t i, double share, double ratio)
{
	json_t *row = plot_row(r, i);
	figure_set_number(row, "share", share);
	if (s->n[i]) {
		plot_spread_figures(row, s, i, ratio);
		plot_spread_tip(p, row, s, i, &p->of[0], r->names[i]);
	} else {
		plot_rows_unknown(values, r, i);
	}
	json_array_append_new(json_object_get(values, "rows"), row);
}

void
plot_dominant(struct plotting *p)
{
	struct measure total = p->of[1];
	struct spread s;
	struct rows r;
	double *v, whole, sum = 0;
	size_t n = 0;
	total.stat = STAT_SUM;
	size_t *shown = plot_ranks(p, &total, &v, &whole);
	while (n < p->g.n && n < p->most && !isnan(v[n]) &&
	    sum < whole * (p->upto / 100 - 1e-12))
		sum += v[n++];
	plot_spread_of(p, &p->of[0], shown, n, &s);
	if (!(s.least <= s.most))
		plot_empty_figure(p);
	char *name = metric_column_title(p->of[0].name), *over = metric_column_title(p->of[1].name);
	plot_figure_note(&p->f, "The %zu of %zu groups that make up %.1f %% of the total %s, which "
	    "the grey bars and the upper axis show.", n, p->g.n, 100 * sum / whole, over);
	plot_figure_note(&p->f, "Thin line: p5 to p95; thick: p25 to p75; tick: median; dot: mean; "
	    "triangles: minimum and maximum.");
	plot_rows_start(p, &r, shown, n, 1, 0);
	json_t *values = plot_rows_values(p, &r, 0);
	struct value_axis x = plot_value_axis(p, values, "x", name, &p->of[0].unit, s.least,
	    s.most);
	figure_set_text(values, "share_title", "%% of total %s", over);
	for (size_t i = 0; i < n; i++)
		add_dominant_row(p, values, &r, &s, i, 100 * v[i] / whole, x.ratio);
	plot_figure_view(&p->f, "dominant", values);
	plot_rows_free(&r);
	plot_spread_free(&s);
	free(name);
	free(over);
	free(shown);
	free(v);
}
