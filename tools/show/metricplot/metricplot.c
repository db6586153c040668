/* metricplot: figures of records or tables, as SVG, PNG, PDF or HTML.
 * Reads records, CSV or Parquet once for all figures, and aggregates their rows as metricstat
 * does; share/figure/figure.jq binds them to the Vega-Lite specifications of share/figure/kinds,
 * which one process of share/figure/render.py draws. */
#include "base/die.h"
#include "base/output.h"
#include "plot_filter.h"
#include "plot_groups.h"
#include "plot_kind.h"
#include "plot_model.h"
#include "plot_points.h"
#include "table/rows_where.h"
#include "table/table_options.h"

static struct table table;

/* Returns whether it has something to draw; one that is not among several must. */
static bool
xwrite_figure(struct figure_plan *f, const bool *keep)
{
	struct plotting p = {.plan = f, .of = f->of};
	bool *rows = f->o.where.n ? xrows_where(&table, &f->o.where) : NULL;
	for (size_t i = 0; rows && keep && i < table.n_rows; i++)
		rows[i] = rows[i] && keep[i];
	plot_groups_make(&p, &table, rows ? rows : keep);
	free(rows);
	plot_groups_choose(&p);
	json_t *plan = xplot_filter(plot_model(&p, table.n_rows));
	const char *empty = plot_kind_text(plan, "empty", NULL);
	bool drawn = !empty;
	if (json_is_true(json_object_get(plan, "refused")))
		warn("an axis is linear despite --log: not all of its values are above 0");
	if (drawn) {
		json_t *bound = xplot_filter(plot_points_units(&p, plan));
		json_t *spec = json_object_get(bound, "spec");
		plot_points_put(&p, spec, json_object_get(bound, "singles"));
		xfigure_output_write(spec, f->files, f->n_files);
		json_decref(bound);
	} else if (f->is_one_of_several) {
		warn("%s: %s", plot_kind_text(plan, "id", NULL), empty);
	} else {
		die(ST_UNKNOWN, "%s", empty);
	}
	json_decref(plan);
	plot_groups_free(&p);
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
	/* They become ready while the table is read. */
	xplot_filter_start();
	if (drawn)
		xfigure_output_start();
	bool *keep = xtable_options_read(&table, argv + first, type, KEEP_NOT);
	for (size_t i = 0; i < n; i++)
		empty += !xwrite_figure(&plans[i], keep);
	free(keep);
	plot_filter_end();
	figure_output_end();
	xoutput_close();
	return empty == n ? ST_UNKNOWN : ST_OK;
}
