/* metricplot: figures of records or tables, as SVG, PNG, PDF or HTML.
 * Reads records, CSV or Parquet once for all figures, computes what they show, and writes
 * Vega-Lite specifications, which one process of share/figure/render.py draws. */
#include "base/buf.h"
#include "base/die.h"
#include "base/output.h"
#include "base/str.h"
#include "figure/figure_output.h"
#include "metric/metric_column.h"
#include "plot_figure.h"
#include "plot_groups.h"
#include "plot_options.h"
#include "plot_plan.h"
#include "plot_waterfall.h"
#include "table/table_group.h"
#include "table/table_options.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static struct figure_plan *plans;
static size_t n_plans;
static struct table table;

/* ---- the table --------------------------------------------------------------------------- */

/* "n_images=3 side=500", as a combination is called everywhere; else the values alone. */
static void
add_group_key(struct buf *b, const char *column, const char *key)
{
	size_t n = strlen(column) - strlen("_param");
	if (str_ends_with(column, "_param"))
		buf_addf(b, "%s%.*s=%s", b->n ? " " : "", (int)n, column, key);
	else
		buf_addf(b, "%s%s", b->n ? " / " : "", key);
}

static void
name_groups(struct plotting *p, struct column *const *by, size_t n_by)
{
	p->names = xmalloc((p->g.n + 1) * sizeof(*p->names));
	for (size_t g = 0; g < p->g.n; g++) {
		struct buf b = {0};
		for (size_t i = 0; i < n_by; i++) {
			char *key = table_group_key(&p->g, g, i);
			add_group_key(&b, by[i]->name, key ? key : "(none)");
			free(key);
		}
		p->names[g] = b.p ? b.p : xstrdup("all");
	}
}

static void
use_table(struct figure_plan *f, const bool *keep)
{
	struct plotting *p = &f->p;
	bool waterfall = plot_is_kind(p, "waterfall");
	struct column **by_columns = xtable_options_columns(&table, &f->by, false);
	p->t = &table;
	p->against = xtable_options_columns(&table, &f->against, plot_is_kind(p, "sweep"));
	p->n_against = f->against.n;
	for (size_t i = 0; i < p->n_of; i++) {
		struct measure *m = &p->of[i];
		m->column = m->stat == STAT_COUNT ? NULL : xtable_column(&table, m->name, true);
		m->divisor = m->over ? xtable_column(&table, m->over, true) : NULL;
	}
	for (size_t i = 0; waterfall && i < N_PHASES; i++)
		p->phases[i] = xtable_column(&table,
		    metric_catalogue[phase_defs[i].column].column, true);
	p->category_column = f->o.category && !p->coloured ?
	    xtable_column(&table, p->categories.column, true) : NULL;
	struct buf names = {0};
	for (size_t i = 0; i < f->by.n; i++) {
		char *title = metric_column_title(f->by.v[i]);
		buf_addf(&names, "%s%s", i ? " / " : "", title);
		free(title);
	}
	p->by_title = f->by.n ? names.p : "";
	table_group_make(&p->g, &table, by_columns, f->by.n, keep);
	name_groups(p, by_columns, f->by.n);
}

/* ---- the figure --------------------------------------------------------------------------- */

/* An id that is valid in every page: letters, digits, '-' and '_', beginning with a letter. */
static char *
id_of(const struct figure_plan *f)
{
	const char *output = f->o.outputs.n ? f->o.outputs.v[0] : NULL, *slash, *from = f->o.id;
	if (!from)
		from = !output ? f->p.kind->name : (slash = strrchr(output, '/')) ? slash + 1 :
		    output;
	const char *dot = f->o.id ? NULL : strrchr(from, '.');
	size_t n = dot && dot > from ? (size_t)(dot - from) : strlen(from);
	bool letter = (from[0] | 32) >= 'a' && (from[0] | 32) <= 'z';
	char *text = xasprintf("%s%.*s", letter ? "" : "f", (int)n, from);
	for (char *c = text; *c; c++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", *c))
			*c = '-';
	return text;
}

static char *
about(const struct plotting *p)
{
	struct buf b = {0};
	buf_addf(&b, "%s", p->kind->name);
	for (size_t i = 0; i < p->n_of; i++) {
		char *what = plot_has_one_number(p) ? plot_measure_title(&p->of[i])
		    : metric_column_title(p->of[i].name);
		buf_addf(&b, "%s %s", i ? "," : " of", what);
		free(what);
	}
	if (*p->by_title)
		buf_addf(&b, " by %s", p->by_title);
	for (size_t i = 0; i < p->n_against; i++) {
		char *title = metric_column_title(p->against[i]->name);
		buf_addf(&b, "%s %s", i ? "," : " against", title);
		free(title);
	}
	size_t rows = p->g.n ? p->g.first[p->g.n] : 0;
	buf_addf(&b, ": %zu group%s, %zu rows", p->g.n, p->g.n == 1 ? "" : "s", rows);
	return b.p;
}

/* The sum or median of some rows is not that of all.  Hulls have their own note. */
static void
note_missing(struct plotting *p)
{
	size_t rows = p->g.first[p->g.n];
	for (size_t k = 0; k < p->n_of && !plot_is_kind(p, "hulls"); k++) {
		const struct measure *m = &p->of[k];
		size_t without = 0;
		for (size_t i = 0; i < rows && m->column; i++)
			without += isnan(m->column->number[p->g.rows[i]]) ||
			    (m->divisor && isnan(m->divisor->number[p->g.rows[i]]));
		if (!without)
			continue;
		char *name = metric_column_title(m->name);
		char *over = m->over ? metric_column_title(m->over) : NULL;
		plot_figure_note(&p->f, "%zu of %zu rows %s no %s%s%s.", without, rows,
		    without == 1 ? "has" : "have", name, over ? ", or no " : "", over ? over : "");
		free(name);
		free(over);
	}
}

/* The files to write; if there is none, one that is standard output. */
static struct figure_file *
files_of(const struct figure_plan *f, size_t *n)
{
	*n = f->o.outputs.n ? f->o.outputs.n : 1;
	struct figure_file *files = xmalloc(*n * sizeof *files);
	for (size_t i = 0; i < *n; i++) {
		files[i].path = f->o.outputs.n ? f->o.outputs.v[i] : NULL;
		files[i].as = xplot_format(files[i].path);
	}
	return files;
}

static void
draw_figure(struct figure_plan *f, const struct figure_file *files, size_t n)
{
	struct plotting *p = &f->p;
	if (!table.n_rows || !p->g.n)
		plot_empty_figure(p);
	for (size_t i = 0; i < f->o.notes.n; i++)
		plot_figure_note(&p->f, "%s", f->o.notes.v[i]);
	note_missing(p);
	p->kind->draw(p);
	json_t *spec = plot_figure_spec(&p->f);
	xfigure_output_write(spec, files, n);
	json_decref(spec);
}

/* False: of several figures this one has nothing to draw. */
static bool
xwrite_figure(struct figure_plan *f, const bool *keep)
{
	struct plotting *p = &f->p;
	size_t n;
	struct figure_file *files = files_of(f, &n);
	bool *rows = f->o.where.n ? xrows_where(&table, &f->o.where) : NULL;
	for (size_t i = 0; rows && keep && i < table.n_rows; i++)
		rows[i] = rows[i] && keep[i];
	use_table(f, rows ? rows : keep);
	free(rows);
	p->f.title = f->o.title ? xstrdup(f->o.title) : NULL;
	p->f.subtitle = f->o.subtitle ? xstrdup(f->o.subtitle) : NULL;
	p->f.id = id_of(f);
	p->f.about = about(p);
	for (size_t i = 0; i < n; i++)
		p->f.wants_tips |= files[i].as == FIGURE_HTML || files[i].as == FIGURE_SPEC;
	bool drawn = setjmp(p->empty) == 0;
	if (drawn)
		draw_figure(f, files, n);
	plot_figure_free(&p->f);
	free(files);
	return drawn;
}

int
main(int argc, char **argv)
{
	int first;
	size_t empty = 0;
	bool waterfall = false, drawn = false;
	plans = xplot_plan(argc, argv, &first, &n_plans);
	for (size_t i = 0; i < n_plans; i++) {
		waterfall |= plot_is_kind(&plans[i].p, "waterfall");
		drawn |= plot_is_drawn(&plans[i]);
	}
	/* It becomes ready while the table is read. */
	if (drawn)
		xfigure_output_start();
	bool *keep = xtable_options_read(&table, argv + first, waterfall ? "cell_metrics" : NULL,
	    KEEP_NOT);
	for (size_t i = 0; i < n_plans; i++)
		empty += !xwrite_figure(&plans[i], keep);
	free(keep);
	figure_output_end();
	xoutput_close();
	return empty == n_plans ? ST_UNKNOWN : ST_OK;
}
