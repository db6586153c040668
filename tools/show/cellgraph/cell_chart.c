/* cell_chart.c: a run's cells and samples as one graph. */
#include "cell_chart.h"
#include "base/die.h"
#include "cell_stats.h"
#include "cell_words.h"
#include "chart_bins.h"

/* How much is seen before and after a single cell. */
static const double margin = 0.04;
enum { MIN_MARKED_BINS = 6 };

struct making {
	const struct view *v;
	struct chart *c;
	struct stretch *stretches;
	size_t n_stretches;
	bool own;	/* some levels are cells' own readings instead of samples */
	bool peaks;
};

/* ---- the axis -------------------------------------------------------------------------- */

static void
add_mark(struct making *g, double at, const char *name)
{
	if (!isfinite(at) || at < g->c->from || at > g->c->to)
		return;
	*XAPPEND(g->c->marks, g->c->n_marks) = (struct chart_mark){at, name};
}

static void
add_band(struct making *g, const struct run_cell *cell, double at)
{
	bool well = cell->status == CELL_COMPLETED;
	char *word = xstrdup(cell_status_word(cell->status));
	for (char *p = word; *p; p++)
		*p = *p == '_' ? ' ' : *p;
	*XAPPEND(g->c->bands, g->c->n_bands) = (struct band){at, at + cell_shown_s(g->v, cell),
		xasprintf(well ? "%ld" : "%ld %s", cell->index, word),
		xasprintf(well ? "%ld" : "%ld!", cell->index)};
	free(word);
}

static void
add_stretch(struct making *g, double from_t, double to_t, double at)
{
	*XAPPEND(g->stretches, g->n_stretches) = (struct stretch){from_t, to_t, at};
}

/* One cell, with a little of what was before and after. */
static void
lay_one(struct making *g, const struct run_cell *cell)
{
	double taken_s = cell_shown_s(g->v, cell), more = margin * taken_s;
	g->c->from = -more;
	g->c->to = taken_s + more;
	g->c->gaps = true;
	bool pressed = isfinite(cell->client_s);	/* by a person or the driver */
	g->c->axis = pressed ? "seconds since the key that runs the cell was pressed"
	    : "seconds since the page asked the kernel to run the cell";
	add_stretch(g, cell->begin_t - more, cell->end_t + more, -more);
	add_band(g, cell, 0);
	add_mark(g, 0, pressed ? "pressed" : "sent");
	if (cell->turn_t > cell->begin_t)
		add_mark(g, cell->turn_t - cell->begin_t, "its turn");
	add_mark(g, cell->idle_t - cell->begin_t, "kernel done");
	add_mark(g, cell->last_visual_change_t - cell->begin_t, "settled");
}

/* Marks of thousands of cells would hide the curves. */
static bool
has_room(const struct making *g, const struct run_cell *cell)
{
	double all_s = g->c->to - g->c->from;
	return cell_shown_s(g->v, cell) * (double)g->c->bins >= MIN_MARKED_BINS * all_s;
}

/* Cells one after the other, without the time between them unless it is requested.
 * Those of a listened run, or of a clock that was set back, are not in order. */
static void
lay_cells(struct making *g)
{
	double at = 0, from_t = INFINITY, to_t = -INFINITY;
	g->c->gaps = g->v->idle;
	g->c->axis = g->v->idle ? "seconds since the first of these cells began"
	    : "seconds of the cells, one after the other";
	for (size_t i = 0; i < g->v->n; i++) {
		const struct run_cell *cell = g->v->cells[i];
		g->c->to += cell_shown_s(g->v, cell);
		from_t = fmin(from_t, cell_shown_from(g->v, cell));
		to_t = fmax(to_t, cell->end_t);
	}
	if (g->v->idle)
		g->c->to = to_t - from_t;
	for (size_t i = 0; i < g->v->n; i++) {
		const struct run_cell *cell = g->v->cells[i];
		if (g->v->idle)
			at = cell_shown_from(g->v, cell) - from_t;
		else
			add_stretch(g, cell_shown_from(g->v, cell), cell->end_t, at);
		add_band(g, cell, at);
		if (cell->last_visual_change_t > cell->idle_t && has_room(g, cell))
			add_mark(g, at + cell->idle_t - cell_shown_from(g->v, cell), NULL);
		at += cell_shown_s(g->v, cell);
	}
	if (g->v->idle)
		add_stretch(g, from_t, to_t, 0);
}

static void
lay_samples(struct making *g)
{
	const struct run_series *ts = g->v->series;
	g->c->to = ts->last_t - ts->first_t;
	g->c->axis = "seconds since the first sample";
	add_stretch(g, ts->first_t, ts->last_t, 0);
}

/* ---- panels -------------------------------------------------------------------------------- */

/* Adds the peak of memory, at least what samples saw: children that are gone at the cell's end
 * have no other witness.  Other metrics have the mean, where samples are few. */
static void
add_levels(struct making *g, struct panel *p, size_t m, size_t slot, const struct curve *c,
    double *most)
{
	bool peak = metric_series[m].flags & SERIES_PEAK;
	for (size_t i = 0; i < g->v->n; i++) {
		const struct run_cell *cell = g->v->cells[i];
		double value = cell_stats_usage(cell, m, slot);
		if (!isfinite(value) || (!peak && cell_stats_has_samples(g->v, cell, m, slot)))
			continue;
		if (peak)
			value = fmax(value, cell_stats_sampled(g->v, cell, m, slot).max);
		else
			value *= series_scale(&metric_series[m]) / cell_usage_s(cell);
		*most = fmax(*most, value);
		*XAPPEND(p->levels, p->n_levels) = (struct reading){g->c->bands[i].from,
			g->c->bands[i].to, value, c->look};
		*(peak ? &g->peaks : &g->own) = true;
	}
}

/* Samples may have ended before these cells began. */
static bool
is_known(const struct making *g, size_t m, size_t slot)
{
	if (cell_stats_sampled(g->v, NULL, m, slot).time_s > 0)
		return true;
	for (size_t i = 0; i < g->v->n; i++)
		if (isfinite(cell_stats_usage(g->v->cells[i], m, slot)))
			return true;
	return false;
}

static char *
name_of(const struct making *g, size_t slot)
{
	const double *pid = g->v->series->pid;
	if (slot >= SLOT_PROCESS || (slot == ROLE_PROCESS && isfinite(pid[SLOT_PROCESS])))
		return xasprintf("process %.0f", pid[slot]);
	return slot < ROLES ? xstrdup(role_word((enum role)slot))
	    : xasprintf("GPU %zu", slot - SLOT_GPU);
}

static void
add_curve(struct making *g, struct panel *p, size_t m, size_t slot)
{
	const struct time_series *series = &g->v->series->v[m][slot];
	/* Roles in their order; GPUs and more processes have looks of their own. */
	size_t look = slot < SLOT_GPU ? slot : slot < SLOT_PROCESS ? 5 + (slot - SLOT_GPU) % 3 :
	    1 + (slot - SLOT_PROCESS) % (LOOKS - 1);
	struct curve c = {.look = (int)look};
	c.bins = chart_bins(series, &metric_series[m], g->stretches, g->n_stretches, g->c->from,
	    g->c->to, g->c->bins);
	c.name = name_of(g, slot);
	c.figures = cell_stats_text(g->v, m, slot);
	double most = fmax(0, cell_stats_sampled(g->v, NULL, m, slot).max);
	add_levels(g, p, m, slot, &c, &most);
	p->most = fmax(p->most, most);
	c.flat = most <= 0;
	c.most = metric_series[m].flags & SERIES_PERCENT ? fmax(most, 100) : most;
	*XAPPEND(p->curves, p->n_curves) = c;
}

/* Returns a reason only if no process was sampled; otherwise one process's reason would be shown
 * for another. */
static const char *
why_no_process(const struct run_series *ts)
{
	const char *reason = NULL;
	for (size_t r = 0; r < ROLES; r++) {
		if (ts->role[r] && isfinite(ts->pid[r]))
			return NULL;
		if (ts->role[r] && !reason)
			reason = ts->why_not[r];
	}
	return reason;
}

static char *
why_none(const struct making *g, const struct series_def *m)
{
	const struct run_series *ts = g->v->series;
	bool energy = m->machine && strcmp(m->machine, "energy_j") == 0;
	const char *reason = m->flags & SERIES_GPU ? ts->gpu_reason : energy ? ts->energy_reason :
	    NULL;
	if (!reason && m->process && !(m->flags & SERIES_GPU))
		reason = why_no_process(ts);
	return reason ? xasprintf("not known: %s", reason)
	    : xstrdup("not known: the run has no reading of it");
}

static void
add_panel(struct making *g, size_t m)
{
	struct panel p = {.title = metric_series[m].title, .unit = metric_series[m].unit,
		.bytes = metric_series[m].flags & SERIES_BYTES};
	const struct run_series *ts = g->v->series;
	for (size_t i = 0; i < SLOTS; i++)
		if ((i >= ROLES || ts->role[i] || !metric_series[m].process) && is_known(g, m, i))
			add_curve(g, &p, m, i);
	p.flat = !(p.most > 0) && p.n_curves;
	if (!p.n_curves)
		p.note = why_none(g, &metric_series[m]);
	if (metric_series[m].flags & SERIES_PERCENT)
		p.most = fmax(p.most, 100);
	*XAPPEND(g->c->panels, g->c->n_panels) = p;
}

/* ---- processors ---- */

enum { MAX_STRIP_ROWS = 32 };	/* of more processors several share a row */

/* The row of `n` processors from `first`: the mean of those that are known. */
static struct curve
strip_row(const struct making *g, size_t first, size_t n)
{
	const struct processor_series *all = &g->v->series->each;
	struct curve row = {.most = 100};
	row.name = n == 1 ? xasprintf("%ld", all->ids[first])
	    : xasprintf("%ld-%ld", all->ids[first], all->ids[first + n - 1]);
	for (size_t i = 0; i < n; i++) {
		struct chart_bin *one = chart_bins(&all->v[first + i], &processor_series_def,
		    g->stretches, g->n_stretches, g->c->from, g->c->to, g->c->bins);
		for (size_t k = 0; row.bins && k < g->c->bins; k++)
			row.bins[k].mean += (one[k].mean - row.bins[k].mean) / (double)(i + 1);
		if (row.bins)
			free(one);
		else
			row.bins = one;
	}
	return row;
}

static void
add_strip(struct making *g)
{
	const struct processor_series *all = &g->v->series->each;
	struct panel p = {.title = processor_series_def.title, .unit = processor_series_def.unit,
		.most = 100, .strip = true};
	size_t share = (all->n + MAX_STRIP_ROWS - 1) / MAX_STRIP_ROWS;
	for (size_t i = 0; i < all->n; i += share)
		*XAPPEND(p.curves, p.n_curves) =
		    strip_row(g, i, i + share < all->n ? share : all->n - i);
	if (!p.n_curves)
		p.note = xstrdup("not known: the run has no reading of each processor");
	*XAPPEND(g->c->panels, g->c->n_panels) = p;
}

struct chart *
cell_chart(const struct view *v)
{
	struct making g = {.v = v, .c = xmalloc(sizeof *g.c)};
	*g.c = (struct chart){.bins = v->bins};
	if (v->n == 1)
		lay_one(&g, v->cells[0]);
	else if (v->n)
		lay_cells(&g);
	else
		lay_samples(&g);
	for (size_t m = 0; m < METRIC_SERIES && g.c->to > g.c->from; m++)
		if (v->series->chosen[m])
			add_panel(&g, m);
	if (v->series->each_chosen && g.c->to > g.c->from)
		add_strip(&g);
	cell_words(v, g.c, g.own, g.peaks);
	free(g.stretches);
	return g.c;
}

void
cell_chart_free(struct chart *c)
{
	for (size_t i = 0; i < c->n_panels; i++) {
		for (size_t k = 0; k < c->panels[i].n_curves; k++) {
			free(c->panels[i].curves[k].name);
			free(c->panels[i].curves[k].figures);
			free(c->panels[i].curves[k].bins);
		}
		free(c->panels[i].curves);
		free(c->panels[i].levels);
		free(c->panels[i].note);
	}
	for (size_t i = 0; i < c->n_bands; i++) {
		free(c->bands[i].name);
		free(c->bands[i].brief);
	}
	for (size_t i = 0; i < c->n_notes; i++)
		free(c->notes[i]);
	free(c->notes);
	free(c->panels);
	free(c->marks);
	free(c->bands);
	free(c->title);
	free(c->subtitle);
	free(c);
}
