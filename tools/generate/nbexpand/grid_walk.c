/* grid_walk.c: enumerates and filters: goes through all combinations of the axes, except those
 * below choices that an exclude entry has already removed.
 */
#include "grid_walk.h"
#include "base/buf.h"
#include "base/die.h"

enum { MAX_COMBINATIONS = 100000000 };	/* of the axes: some seconds */

/* ---- entries of exclude and include ---- */

static bool
entry_allows(const struct grid *g, const struct grid_entry *e, size_t axis, size_t choice)
{
	for (size_t i = 0; i < e->n_members; i++) {
		const struct grid_param *p = &g->params[e->members[i].param];
		if (p->axis == axis &&
		    g->axes[axis].choices[choice].values[p->place] != e->members[i].match)
			return false;
	}
	return true;
}

/* Notes which entries the choices up to this axis meet; false: exclude removes them. */
static bool
follow_entries(struct grid_walk *w, size_t axis)
{
	const struct grid *g = w->grid;
	const struct grid_entry **live = w->live + axis * g->n_entries;
	size_t n = 0, choice = w->at[axis];
	if (w->within && !entry_allows(g, w->within, axis, choice))
		return false;
	for (size_t i = 0; i < w->n_live[axis]; i++) {
		if (!entry_allows(g, live[i], axis, choice))
			continue;
		if (live[i]->exclude && live[i]->last_axis == axis)
			return false;
		live[g->n_entries + n++] = live[i];
	}
	w->n_live[axis + 1] = n;
	return true;
}

static const struct grid_member *
find_member(const struct grid_entry *e, size_t param)
{
	for (size_t i = 0; i < e->n_members; i++)
		if (e->members[i].param == param)
			return &e->members[i];
	return NULL;
}

const struct grid_member *
grid_walk_added(const struct grid_walk *w, size_t param)
{
	const struct grid *g = w->grid;
	const struct grid_entry **live = w->live + g->n_axes * g->n_entries;
	const struct grid_member *found = NULL;
	for (size_t i = w->n_live[g->n_axes]; i-- > 0 && !found;)
		found = find_member(live[i], param);
	return found;
}

/* Whether what include adds meets the conditions on it. */
static bool
added_meets(const struct grid_walk *w)
{
	for (size_t i = 0; i < w->grid->n_late; i++) {
		const struct grid_member *m = grid_walk_added(w, w->grid->late[i].param);
		if (!m || !condition_holds(w->grid->late[i].condition, m->value))
			return false;
	}
	return true;
}

/* ---- the walk ---- */

void
grid_walk_start(struct grid_walk *w, const struct grid *g)
{
	size_t stages = g->n_axes + 1;
	*w = (struct grid_walk){.grid = g};
	w->at = xmalloc(stages * sizeof *w->at);
	w->n_live = xmalloc(stages * sizeof *w->n_live);
	w->live = xmalloc(stages * (g->n_entries + 1) * sizeof(struct grid_entry *));
	for (size_t i = 0; i < g->n_entries; i++)
		w->live[i] = &g->entries[i];
	w->n_live[0] = g->n_entries;
}

void
grid_walk_free(struct grid_walk *w)
{
	free(w->at);
	free(w->n_live);
	free(w->live);
}

static bool
has_combinations(const struct grid *g)
{
	for (size_t i = 0; i < g->n_axes; i++)
		if (g->axes[i].n_choices == 0)
			return false;
	return g->n_axes > 0 || g->n_entries == 0;
}

long
grid_walk_next(struct grid_walk *w)
{
	const struct grid *g = w->grid;
	size_t axis = w->started && g->n_axes ? g->n_axes - 1 : 0, first = axis;
	if (w->started ? g->n_axes == 0 : !has_combinations(g))
		return GRID_END;
	w->at[axis] = w->started ? w->at[axis] + 1 : 0;
	w->started = true;
	while (axis < g->n_axes) {
		if (w->at[axis] == g->axes[axis].n_choices) {
			if (axis == 0)
				return GRID_END;
			w->at[--axis]++;
			first = axis < first ? axis : first;
		} else if (!follow_entries(w, axis) || (axis + 1 == g->n_axes && !added_meets(w))) {
			w->at[axis]++;
		} else if (++axis < g->n_axes) {
			w->at[axis] = 0;
		}
	}
	return (long)first;
}

/* ---- selecting ---- */

static bool
is_alone(const struct grid *g, const struct grid_entry *e)
{
	struct grid_walk w;
	grid_walk_start(&w, g);
	w.within = e;
	bool met = grid_walk_next(&w) != GRID_END;
	grid_walk_free(&w);
	return !met;
}

static void
drop_choices(struct grid_axis *a, size_t place, const struct condition *c)
{
	size_t n = 0;
	for (size_t i = 0; i < a->n_choices; i++)
		if (condition_holds(c, a->choices[i].values[place]))
			a->choices[n++] = a->choices[i];
	a->n_choices = n;
}

static _Noreturn void
die_no_param(const struct grid *g, const char *name)
{
	struct buf names = {0};
	for (size_t i = 0; i < g->n_params; i++)
		buf_addf(&names, "%s%s", i ? ", " : ": it has ", g->params[i].name);
	die(ST_USAGE, "--where: '%s' has no parameter '%s'%s", g->source->name, name,
	    names.n ? names.p : "");
}

static void
apply_condition(struct grid *g, const struct condition *c)
{
	size_t param = grid_find_param(g, c->name);
	if (param == g->n_params)
		die_no_param(g, c->name);
	if (param < g->n_matrix)
		drop_choices(&g->axes[g->params[param].axis], g->params[param].place, c);
	else
		g->late[g->n_late++] = (struct grid_late){c, param};
	for (size_t i = 0; i < g->n_entries; i++) {
		const struct grid_member *m = find_member(&g->entries[i], param);
		g->entries[i].alone = g->entries[i].alone && m && condition_holds(c, m->value);
	}
}

void
xgrid_select(struct grid *g, const struct conditions *where)
{
	double size = 1;
	for (size_t i = 0; i < g->n_axes; i++)
		size *= (double)g->axes[i].n_choices;
	if (size > MAX_COMBINATIONS)
		die(ST_INPUT, "%s:1:1: %.4g combinations, more than the limit of %d",
		    g->source->name, size, MAX_COMBINATIONS);
	for (size_t i = 0; i < g->n_entries; i++)
		g->entries[i].alone = !g->entries[i].exclude && is_alone(g, &g->entries[i]);
	g->late = xmalloc((where->n + 1) * sizeof *g->late);
	for (size_t i = 0; i < where->n; i++)
		apply_condition(g, &where->list[i]);
}
