/* metricplot: figures of records or tables, as SVG, PNG, PDF or HTML.
 * Reads records, CSV or Parquet once for all figures, aggregates their rows as metricstat does,
 * and binds them to the Vega-Lite specifications of share/figure/kinds, which one process of
 * share/figure/render.py draws. */
#include "base/buf.h"
#include "base/die.h"
#include "base/output.h"
#include "metric/metric_column.h"
#include "plot_choice.h"
#include "plot_groups.h"
#include "plot_kind.h"
#include "plot_view.h"
#include "table/rows_where.h"
#include "table/table_options.h"
#include "text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct table table;

/* The sum or median of some rows is not that of all. */
static void
note_missing(struct plotting *p)
{
	size_t rows = p->s.g.first[p->s.g.n], n = p->n_of - p->plan->n_params;
	for (size_t k = 0; k < n && !plot_shows(p->plan, "phases"); k++) {
		const struct measure *m = &p->of[k];
		size_t without = 0;
		for (size_t i = 0; i < rows && m->column; i++)
			without += isnan(m->column->number[p->s.g.rows[i]]) ||
			    (m->divisor && isnan(m->divisor->number[p->s.g.rows[i]]));
		if (!without)
			continue;
		char *name = plot_measure_name(m);
		char *over = m->over ? metric_column_title(m->over) : NULL;
		plot_note(p, "%zu of %zu rows %s no %s%s%s.", without, rows,
		    without == 1 ? "has" : "have", name, over ? ", or no " : "", over ? over : "");
		free(name);
		free(over);
	}
	size_t low = 0;
	for (size_t i = 0; plot_kind_is(p->kind, "positive", NULL) && i < rows; i++) {
		bool is_low = false;
		for (size_t k = 0; k < p->n_of; k++)
			is_low |= p->of[k].column->number[p->s.g.rows[i]] <= 0;
		low += is_low;
	}
	if (low)
		plot_note(p, "%zu row%s with a value or parameter not above 0 %s omitted.", low,
		    text_plural(low), low == 1 ? "is" : "are");
}

/* A figure needs a value, and as many values of its key as its kind says. */
static void
xcheck_values(struct plotting *p)
{
	size_t n = p->n_of - p->plan->n_params;
	bool known = false, params = n == p->n_of;
	size_t least = (size_t)plot_kind_number(p->kind, "keys", "least", 0);
	size_t most = (size_t)plot_kind_number(p->kind, "keys", "most", INFINITY);
	for (size_t i = 0; i < p->s.g.n; i++)
		for (size_t k = 0; k < p->n_of; k++)
			*(k < n ? &known : &params) |= k < n ? !isnan(plot_groups_number(p, &p->s,
			    i, k, "value")) : plot_groups_number(p, &p->s, i, k, "max") > 0;
	if (!table.n_rows || !p->s.g.n || !known)
		plot_empty_figure(p);
	if (!params)
		plot_empty(p, "nothing to draw: '%s' has no value above 0", p->of[n].name);
	if (least && (p->keys.n < least || p->keys.n > most))
		plot_empty(p, "nothing to compare: '%s' has %zu value%s, and %zu to %zu are "
		    "required", p->key->name, p->keys.n, text_plural(p->keys.n), least, most);
}

static void
draw_figure(struct plotting *p)
{
	for (size_t i = 0; i < p->plan->o.notes.n; i++)
		plot_note(p, "%s", p->plan->o.notes.v[i]);
	note_missing(p);
	xcheck_values(p);
	plot_choice_make(p);
	plot_view_all(p);
	json_t *spec = plot_spec(p);
	xfigure_output_write(spec, p->plan->files, p->plan->n_files);
	json_decref(spec);
}

/* False: of several figures this one has nothing to draw. */
static bool
xwrite_figure(struct figure_plan *f, const bool *keep)
{
	struct plotting p = {.plan = f, .kind = f->kind, .of = f->of, .n_of = f->n_of,
	    .width = f->width, .notes = json_array(), .views = json_array(),
	    .dark = json_object()};
	for (; p.all.n < p.n_of && p.all.n < MAX_MEASURES; p.all.n++)
		p.all.of[p.all.n] = p.all.n;
	bool *rows = f->o.where.n ? xrows_where(&table, &f->o.where) : NULL;
	for (size_t i = 0; rows && keep && i < table.n_rows; i++)
		rows[i] = rows[i] && keep[i];
	plot_groups_make(&p, &table, rows ? rows : keep);
	free(rows);
	bool drawn = setjmp(p.empty) == 0;
	if (drawn)
		draw_figure(&p);
	plot_groups_free(&p);
	json_decref(p.notes);
	json_decref(p.views);
	json_decref(p.dark);
	return drawn;
}

int
main(int argc, char **argv)
{
	int first;
	size_t empty = 0, n;
	bool cells = false, drawn = false;
	struct figure_plan *plans = xplot_plan(argc, argv, &first, &n);
	for (size_t i = 0; i < n; i++) {
		cells |= plot_shows(&plans[i], "phases");
		drawn |= plans[i].is_drawn;
	}
	/* It becomes ready while the table is read. */
	if (drawn)
		xfigure_output_start();
	bool *keep = xtable_options_read(&table, argv + first, cells ? "cell_metrics" : NULL,
	    KEEP_NOT);
	for (size_t i = 0; i < n; i++)
		empty += !xwrite_figure(&plans[i], keep);
	free(keep);
	figure_output_end();
	xoutput_close();
	return empty == n ? ST_UNKNOWN : ST_OK;
}
