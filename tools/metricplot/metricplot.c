/* metricplot: figures of records or tables, as SVG, PNG, PDF or HTML.
 * Reads records, CSV or Parquet once for all figures; gnuplot draws.  All figures have one
 * style, at the widths of a journal's columns, legible in grey and for colour-blind people. */
#include "base/atomic_file.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/output.h"
#include "plot_draw.h"
#include "plot_figure.h"
#include "plot_groups.h"
#include "plot_options.h"
#include "plot_plan.h"
#include "plot_waterfall.h"
#include "table/table_group.h"
#include "table/table_options.h"
#include "text/unit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct figure_plan *plans;
static size_t n_plans;
static struct table table;

/* ---- the table --------------------------------------------------------------------------- */

static void
name_groups(struct plotting *p, size_t n_by)
{
	p->names = xmalloc((p->g.n + 1) * sizeof(*p->names));
	for (size_t g = 0; g < p->g.n; g++) {
		struct buf b = {0};
		for (size_t i = 0; i < n_by; i++) {
			char *key = table_group_key(&p->g, g, i);
			buf_addf(&b, "%s%s", i ? " / " : "", key ? key : "(none)");
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
		p->phases[i] = xtable_column(&table, plot_phase_columns[i], true);
	p->category_column = f->o.category ? xtable_column(&table, p->categories.column, true) :
	    NULL;
	struct buf names = {0};
	for (size_t i = 0; i < f->by.n; i++)
		buf_addf(&names, "%s%s", i ? " / " : "", f->by.v[i]);
	p->by_title = f->by.n ? names.p : "";
	table_group_make(&p->g, &table, by_columns, f->by.n, keep);
	name_groups(p, f->by.n);
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
		    : unit_title(p->of[i].name);
		buf_addf(&b, "%s %s", i ? "," : " of", what);
		free(what);
	}
	if (*p->by_title)
		buf_addf(&b, " by %s", p->by_title);
	for (size_t i = 0; i < p->n_against; i++)
		buf_addf(&b, "%s %s", i ? "," : " against", p->against[i]->name);
	buf_addf(&b, ": %zu group%s, %zu rows", p->g.n, p->g.n == 1 ? "" : "s",
	    p->g.n ? p->g.first[p->g.n] : 0);
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
		char *name = unit_title(m->name), *over = m->over ? unit_title(m->over) : NULL;
		plot_figure_note(p->f, "%zu of %zu rows %s no %s%s%s.", without, rows,
		    without == 1 ? "has" : "have", name, over ? ", or no " : "", over ? over : "");
		free(name);
		free(over);
	}
}

static void
xwrite_picture(const struct figure_plan *f, const char *output)
{
	struct buf b = {0};
	xplot_draw(&b, f->p.f, xplot_picture(output));
	xatomic_file_put_buf(output, &b);
	buf_free(&b);
}

static void
xwrite_figure(struct figure_plan *f, const bool *keep)
{
	struct plotting *p = &f->p;
	use_table(f, keep);
	p->f->title = f->o.title ? xstrdup(f->o.title) : NULL;
	p->f->subtitle = f->o.subtitle ? xstrdup(f->o.subtitle) : NULL;
	p->f->id = id_of(f);
	p->f->about = about(p);
	p->f->wants_tips = !f->o.outputs.n && xplot_picture(NULL) == PICTURE_HTML;
	for (size_t i = 0; i < f->o.outputs.n; i++)
		p->f->wants_tips |= xplot_picture(f->o.outputs.v[i]) == PICTURE_HTML;
	if (!table.n_rows || !p->g.n)
		plot_die_empty(p);
	p->top = plot_figure_head(p->f);
	for (size_t i = 0; i < f->o.notes.n; i++)
		plot_figure_note(p->f, "%s", f->o.notes.v[i]);
	note_missing(p);
	p->kind->draw(p);
	for (size_t i = 0; i < f->o.outputs.n; i++)
		xwrite_picture(f, f->o.outputs.v[i]);
	if (!f->o.outputs.n)
		xwrite_picture(f, NULL);
	plot_figure_free(p->f);
}

/* The status of a process that has ended: a figure that is not empty and failed counts. */
static int
xwait_figure(int status, size_t *empty)
{
	int ended;
	while (wait(&ended) < 0)
		if (errno != EINTR)
			die(ST_SYSTEM, "cannot wait for a process:");
	int code = WIFEXITED(ended) ? WEXITSTATUS(ended) : ST_SYSTEM;
	*empty += code == ST_UNKNOWN;
	return code == ST_OK || code == ST_UNKNOWN ? status : code;
}

/* Each figure in a process of its own, which shares the table: as many at once as there are
 * processors.  An empty figure is an error only if all are. */
static int
xwrite_figures(const bool *keep)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t running = 0, empty = 0;
	int status = ST_OK;
	for (size_t i = 0; i < n_plans; i++) {
		if (running == (size_t)(cpus > 0 ? cpus : 1)) {
			status = xwait_figure(status, &empty);
			running--;
		}
		pid_t pid = fork();
		if (pid < 0)
			die(ST_SYSTEM, "cannot fork:");
		if (pid == 0) {
			die_in_fork = true;
			program_name = xasprintf("metricplot: %s", id_of(&plans[i]));
			xwrite_figure(&plans[i], keep);
			_exit(ST_OK);
		}
		running++;
	}
	for (; running; running--)
		status = xwait_figure(status, &empty);
	return status == ST_OK && empty == n_plans ? ST_UNKNOWN : status;
}

int
main(int argc, char **argv)
{
	int first, status = ST_OK;
	bool waterfall = false;
	plans = xplot_plan(argc, argv, &first, &n_plans);
	for (size_t i = 0; i < n_plans; i++)
		waterfall |= plot_is_kind(&plans[i].p, "waterfall");
	bool *keep = xtable_options_read(&table, argv + first, waterfall ? "cell_metrics" : NULL,
	    KEEP_NOT);
	if (plot_is_set())
		status = xwrite_figures(keep);
	else
		xwrite_figure(&plans[0], keep);
	free(keep);
	xoutput_close();
	return status;
}
