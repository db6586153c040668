/* plot_part.c: the parts of a figure, groups or cells (groups by key), and their rows of data. */
#include "plot_part.h"
#include "base/die.h"
#include "figure/figure_value.h"
#include "plot_kind.h"
#include "plot_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t
plot_part_count(const struct plotting *p, bool cells)
{
	return cells ? p->cells.g.n : p->n_shown + (p->n_rest > 0);
}

/* A group's shares; those of the row of all groups that have no own are what is left. */
static void
set_shares(const struct plotting *p, struct row *r, size_t place)
{
	double share = 100;
	for (size_t i = 0; i < p->n_shown && !r->s; i++)
		share -= p->share[p->shown[i]];
	if (!r->s) {
		figure_set_number(r->own, "value", p->whole * share / 100);
		figure_set_number(r->own, "rest", 1);
	}
	figure_set_number(r->own, "share", r->s ? p->share[r->group] : share);
	figure_set_number(r->own, "rank", (double)place + 1);
	figure_set_number(r->own, "held", place < p->n_held);
}

/* A cell's value of the key, and how much of the group's first measure it has. */
static void
set_key(const struct plotting *p, struct row *r, size_t group)
{
	char *key = table_text(p->key, p->cells.g.rows[p->cells.g.first[r->group]]);
	struct row whole = {.p = p, .pane = r->pane, .s = &p->s, .group = group};
	figure_set_text(r->own, "a", "%s", key ? key : "unknown");
	figure_set_number(r->own, "part", 100 * plot_row_number(r, "value") /
	    plot_row_number(&whole, "value"));
	free(key);
}

bool
plot_part_row(const struct plotting *p, const struct pane *pane, size_t part, bool cells,
    struct row *r)
{
	size_t place = cells ? p->place[p->cell_group[part]] : part;
	bool rest = !cells && part == p->n_shown;
	if (place < pane->from || place >= pane->to)
		return false;
	*r = (struct row){.p = p, .pane = pane, .s = rest ? NULL : cells ? &p->cells : &p->s,
	    .group = cells ? part : rest ? 0 : p->shown[part], .own = json_object()};
	figure_set_text(r->own, "g", "%s", rest ? p->rest_name :
	    p->names[p->shown[place]]);
	if (cells)
		set_key(p, r, p->cell_group[part]);
	else
		set_shares(p, r, place);
	return true;
}

/* A row for the part, or for each measure of the pane. */
static void
add_numbers(const struct row *r, const json_t *data, json_t *to)
{
	const struct bins *classes = &r->p->plan->categories;
	size_t n = json_is_true(json_object_get(data, "each")) ? r->pane->n : 1;
	for (size_t i = 0; i < n; i++) {
		struct row one = *r;
		one.measure = i;
		if (r->pane->of[i] == r->p->plan->coloured) {
			size_t k = bins_find(classes, plot_row_number(&one, "value"));
			figure_set_text(one.own, "class", "%s", k < classes->n ?
			    classes->v[k].name : "");
		}
		plot_row_add(&one, data, to);
	}
}

static void
add_percentiles(const struct row *r, const json_t *data, json_t *to)
{
	const struct wanted *marked = &r->p->plan->percentiles;
	for (size_t k = 0; k < marked->n; k++) {
		char *name = xasprintf("p%g", 100 * marked->p[k]);
		figure_set_number(r->own, "percentile", plot_row_number(r, name));
		figure_set_text(r->own, "name", "%s", name);
		plot_row_add(r, data, to);
		free(name);
	}
}

void
plot_part_add(const struct plotting *p, const struct pane *pane, const json_t *data, json_t *to)
{
	static const struct {
		const char *name;
		void (*add)(const struct row *, const json_t *data, json_t *to);
	} kinds[] = {{"groups", add_numbers}, {"cells", add_numbers},
	    {"percentiles", add_percentiles}, {"values", plot_points_add},
	    {"bins", plot_points_add_bins}, {"sample", plot_points_add_sample},
	    {"hull", plot_points_add_hull}, {"line", plot_points_add_line}};
	const char *from = json_string_value(json_object_get(data, "from"));
	struct row r;
	size_t k = 0;
	while (k < COUNT(kinds) && (!from || strcmp(kinds[k].name, from) != 0))
		k++;
	if (k == COUNT(kinds))
		die(ST_INPUT, "a kind of figure requires rows from '%s', which is unknown",
		    from ? from : "");
	bool cells = p->key && k > 0;
	for (size_t part = 0; part < plot_part_count(p, cells); part++)
		if (plot_part_row(p, pane, part, cells, &r)) {
			if (r.s || k == 0)
				kinds[k].add(&r, data, to);
			json_decref(r.own);
		}
}
