/* cell_words.c: the title of a run's graph, and the notes below it. */
#include "cell_words.h"
#include "base/die.h"
#include "cell_stats.h"
#include "text/unit.h"

#include <time.h>

static void
add_note(struct chart *c, char *note)
{
	*XAPPEND(c->notes, c->n_notes) = note;
}

static void
put_moment(struct buf *b, double t)
{
	time_t whole = t >= 0 && t < 1e12 ? (time_t)t : -1;
	struct tm tm;
	char text[40];
	if (whole >= 0 && localtime_r(&whole, &tm) &&
	    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm))
		buf_addf(b, ", %s", text);
}

static void
name_one(const struct view *v, struct chart *c, const struct run_cell *cell)
{
	struct buf b = {0};
	c->title = xasprintf("%s, cell %ld: %s", v->run->notebook, cell->index,
	    loaded_run_line(cell));
	buf_addf(&b, "%s in %s", cell_status_word(cell->status),
	    unit_time(cell_shown_s(v, cell)).p);
	if (isfinite(cell->kernel_s))
		buf_addf(&b, " (kernel %s", unit_time(cell->kernel_s).p);
	if (isfinite(cell->kernel_s) && cell->render_s > 0)
		buf_addf(&b, ", render %s", unit_time(cell->render_s).p);
	buf_addf(&b, "%s", isfinite(cell->kernel_s) ? ")" : "");
	if (cell->reason)
		buf_addf(&b, ": %s", cell->reason);
	buf_addf(&b, "; label %s", v->run->label);
	put_moment(&b, cell->begin_t);
	c->subtitle = b.p;
}

static void
name_cells(const struct view *v, struct chart *c)
{
	const struct loaded_run *run = v->run;
	struct buf b = {0};
	double all_s = 0;
	for (size_t i = 0; i < v->n; i++)
		all_s += cell_shown_s(v, v->cells[i]);
	c->title = xasprintf("%s, %zu cells", run->notebook, v->n);
	buf_addf(&b, "these cells took %s; the run: %s, label %s", unit_time(all_s).p,
	    run->status, run->label);
	put_moment(&b, run->t);
	c->subtitle = b.p;
}

static void
name_samples(const struct view *v, struct chart *c)
{
	struct buf b = {0};
	const struct run_series *ts = v->series;
	c->title = v->run->record ? xstrdup(v->run->notebook) : NULL;
	size_t watched = 0;
	for (size_t r = 0; r < ROLES; r++)
		watched += ts->role[r] && isfinite(ts->pid[r]);
	for (size_t r = 0; r < ROLES && watched == 1 && !c->title; r++)
		if (ts->role[r] && isfinite(ts->pid[r]) && isnan(ts->pid[SLOT_PROCESS]))
			c->title = xasprintf("%s %.0f", role_word((enum role)r), ts->pid[r]);
	if (!c->title)
		c->title = xstrdup("samples");
	buf_addf(&b, "%zu samples in %s", ts->samples, unit_time(c->to).p);
	put_moment(&b, ts->first_t);
	c->subtitle = b.p;
}

/* Which cells have too few samples for curves. */
static void
note_short(const struct view *v, struct chart *c, bool own, bool peaks)
{
	struct buf b = {0};
	size_t few = 0, got = 0;
	for (size_t i = 0; i < v->n; i++) {
		const struct run_cell *cell = v->cells[i];
		size_t most = 0;
		for (size_t m = 0; m < METRIC_SERIES; m++)
			for (size_t k = 0; k < SLOTS; k++) {
				size_t n = series_readings(&v->series->v[m][k], cell->turn_t,
				    cell->end_t).n;
				most = n > most ? n : most;
			}
		if (most < v->min_samples) {
			buf_addf(&b, "%s%ld", few++ ? ", " : "", cell->index);
			got = most;
		}
	}
	if (v->without)
		add_note(c, xasprintf("%zu cell%s took no time: not run, or empty",
		    v->without, v->without == 1 ? "" : "s"));
	const char *dotted = own ? "; dotted: the mean of its own readings" : "";
	if (v->n == 1 && few)
		add_note(c, xasprintf("only %zu sample%s in this cell%s", got,
		    got == 1 ? "" : "s", dotted));
	else if (few && few == v->n)
		add_note(c, xasprintf("no cell has %zu samples%s", v->min_samples, dotted));
	else if (few)
		add_note(c, xasprintf("fewer than %zu samples in cell%s %s%s", v->min_samples,
		    few == 1 ? "" : "s", b.p, dotted));
	if (peaks)
		add_note(c, xstrdup(v->n == 1 ? "memory, dotted: the peak within the cell"
		    : "memory, dotted: the peak within each cell"));
	buf_free(&b);
}

static void
note_estimate(const struct view *v, struct chart *c)
{
	const char *method = v->series->energy_method;
	for (size_t i = 0; i < c->n_panels; i++)
		if (c->panels[i].n_curves && strcmp(c->panels[i].title, "power") == 0 &&
		    method && strcmp(method, "estimate") == 0)
			add_note(c, xstrdup("power is estimated by a model, not measured"));
}

void
cell_words(const struct view *v, struct chart *c, bool own, bool peaks)
{
	if (v->n == 1)
		name_one(v, c, v->cells[0]);
	else if (v->n)
		name_cells(v, c);
	else
		name_samples(v, c);
	note_short(v, c, own, peaks);
	note_estimate(v, c);
}
