/* metricplot: figures of records or tables, as SVG, PNG, PDF or HTML.
 * Reads records, CSV or Parquet once for all figures, aggregates their rows as metricstat does,
 * and binds them to the Vega-Lite specifications of share/figure/kinds, which one process of
 * share/figure/render.py draws. */
#include "base/output.h"
#include "plot.h"
#include "plot_groups.h"
#include "plot_kind.h"
#include "plot_row.h"
#include "plot_view.h"
#include "table/rows_where.h"
#include "table/table_options.h"
#include "text/text.h"

static struct table table;

/* Whether some group has a value of these measures, above 0 if their number is what counts. */
static bool
any_value(const struct plotting *p, size_t from, size_t to, const char *stat, double above)
{
	struct row r = {.p = p, .pane = &p->all, .s = &p->s};
	for (r.group = 0; r.group < p->s.g.n; r.group++)
		for (r.measure = from; r.measure < to; r.measure++)
			if (plot_row_number(&r, stat) > above)
				return true;
	return false;
}

/* A figure needs a value, and as many values of its key as its kind says. */
static void
xcheck_values(struct plotting *p)
{
	size_t n = p->n_of - p->plan->n_params;
	double least = plot_kind_number(p->kind, "keys", "least");
	double most = plot_kind_number(p->kind, "keys", "most"), keys = (double)p->keys.n;
	if (!p->s.g.n || !any_value(p, 0, n, "value", -INFINITY))
		plot_empty(p, "nothing to draw: %s", !table.n_rows ? "the table has no rows" :
		    !p->s.g.n ? "no row matches --where" : "none of these columns has a value");
	if (n < p->n_of && !any_value(p, n, p->n_of, "max", 0))
		plot_empty(p, "nothing to draw: '%s' has no value above 0", p->of[n].name);
	if (least > 0 && (keys < least || keys > most))
		plot_empty(p, "nothing to compare: '%s' has %zu value%s, and %.0f to %.0f are "
		    "required", p->key->name, p->keys.n, text_plural(p->keys.n), least, most);
}

/* False: of several figures this one has nothing to draw. */
static bool
xwrite_figure(struct figure_plan *f, const bool *keep)
{
	struct plotting p = {.plan = f, .kind = f->kind, .of = f->of, .n_of = f->n_of,
	    .width = f->width, .notes = json_array(), .views = json_array(),
	    .dark = json_object(), .facts = json_object()};
	for (; p.all.n < p.n_of && p.all.n < MAX_MEASURES; p.all.n++)
		p.all.of[p.all.n] = p.all.n;
	bool *rows = f->o.where.n ? xrows_where(&table, &f->o.where) : NULL;
	for (size_t i = 0; rows && keep && i < table.n_rows; i++)
		rows[i] = rows[i] && keep[i];
	for (size_t i = 0; i < f->o.notes.n; i++)
		plot_note(&p, f->o.notes.v[i]);
	plot_groups_make(&p, &table, rows ? rows : keep);
	free(rows);
	bool drawn = setjmp(p.empty) == 0;
	if (drawn) {
		xcheck_values(&p);
		plot_groups_choose(&p);
		plot_view_all(&p);
		json_t *spec = plot_spec(&p);
		xfigure_output_write(spec, f->files, f->n_files);
		json_decref(spec);
	}
	plot_groups_free(&p);
	json_t *own[] = {p.labels, p.facts, p.long_names, p.notes, p.views, p.dark};
	for (size_t i = 0; i < COUNT(own); i++)
		json_decref(own[i]);
	return drawn;
}

int
main(int argc, char **argv)
{
	int first;
	size_t empty = 0, n;
	const char *type = NULL;
	bool drawn = false;
	struct figure_plan *plans = xplot_plan(argc, argv, &first, &n);
	for (size_t i = 0; i < n; i++) {
		const char *own = plot_kind_text(plans[i].kind, "type", NULL);
		type = own ? own : type;
		drawn |= plans[i].is_drawn;
	}
	/* It becomes ready while the table is read. */
	if (drawn)
		xfigure_output_start();
	bool *keep = xtable_options_read(&table, argv + first, type, KEEP_NOT);
	for (size_t i = 0; i < n; i++)
		empty += !xwrite_figure(&plans[i], keep);
	free(keep);
	figure_output_end();
	xoutput_close();
	return empty == n ? ST_UNKNOWN : ST_OK;
}
