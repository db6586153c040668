/* plot_part.c: the parts of a figure, groups or cells (groups by key), and their rows of data. */
#include "plot_part.h"
#include "base/die.h"
#include "plot_groups.h"
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

static size_t
place_of(const struct plotting *p, size_t group)
{
	size_t i = 0;
	while (i < p->n_shown && p->shown[i] != group)
		i++;
	return i;
}

/* The row of all groups that have no own. */
static void
set_rest(const struct plotting *p, struct row *r)
{
	double share = 100;
	for (size_t i = 0; i < p->n_shown; i++)
		share -= p->share[p->shown[i]];
	plot_row_number(r, "value", p->whole * share / 100, 0);
	plot_row_number(r, "share", share, NO_MEASURE);
	plot_row_number(r, "rest", 1, NO_MEASURE);
}

static void
set_group(const struct plotting *p, struct row *r, size_t place)
{
	plot_row_number(r, "share", p->share[r->group], NO_MEASURE);
	plot_row_number(r, "rank", (double)place + 1, NO_MEASURE);
	plot_row_number(r, "held", place < p->n_held, NO_MEASURE);
}

/* The key's value of a cell, until the next call; NULL: it is missing. */
static const char *
key_of(const struct plotting *p, size_t cell)
{
	static char *key;
	free(key);
	key = table_text(p->key, p->cells.g.rows[p->cells.g.first[cell]]);
	return key;
}

/* The key's value, and how much of the group's it is. */
static void
set_key(const struct plotting *p, struct row *r, size_t group)
{
	const char *key = key_of(p, r->group);
	plot_row_word(r, "a", key ? key : "unknown");
	struct row whole = {.p = p, .pane = r->pane, .s = &p->s, .group = group};
	plot_row_number(r, "part", 100 * plot_row_value(r, "value") / plot_row_value(&whole,
	    "value"), NO_MEASURE);
}

bool
plot_part_row(const struct plotting *p, const struct pane *pane, size_t part, bool cells,
    struct row *r)
{
	size_t group = cells ? p->cell_group[part] : 0, place = cells ? place_of(p, group) : part;
	bool rest = !cells && part == p->n_shown;
	bool unknown = cells && strcmp(plot_kind_text(p->kind, "key", NULL), "category") != 0 &&
	    !key_of(p, part);
	if (place < pane->from || place >= pane->to || (cells && place == p->n_shown) || unknown)
		return false;
	*r = (struct row){.p = p, .pane = pane, .s = rest ? NULL : cells ? &p->cells : &p->s,
	    .group = cells ? part : rest ? 0 : p->shown[part]};
	plot_row_word(r, "g", p->short_names[place]);
	if (rest)
		set_rest(p, r);
	else if (!cells)
		set_group(p, r, place);
	else
		set_key(p, r, group);
	return true;
}

void
plot_part_rows(const struct row *r, size_t *from, size_t *to)
{
	*from = r->s->g.first[r->group];
	*to = r->s->g.first[r->group + 1];
}

/* A row for the part, or for each measure of the pane. */
static void
add_numbers(const struct row *r, const json_t *data, json_t *to)
{
	const struct plotting *p = r->p;
	size_t n = json_is_true(json_object_get(data, "each")) ? r->pane->n : 1;
	for (size_t i = 0; i < n; i++) {
		struct row one = *r;
		one.measure = i;
		const char *class = "";
		if (r->pane->of[i] == p->plan->coloured) {
			const struct bins *bins = &p->plan->categories;
			size_t k = bins_find(bins, plot_row_value(&one, "value"));
			class = k < bins->n ? bins->v[k].name : "unknown";
		}
		plot_row_word(&one, "class", class);
		plot_row_add(&one, data, to);
	}
}

static void
add_percentiles(const struct row *r, const json_t *data, json_t *to)
{
	const struct wanted *marked = &r->p->plan->percentiles;
	for (size_t k = 0; k < marked->n; k++) {
		struct row one = *r;
		char *name = xasprintf("p%g", 100 * marked->p[k]);
		plot_row_number(&one, "percentile", plot_row_value(r, name), 0);
		plot_row_word(&one, "name", name);
		plot_row_add(&one, data, to);
		free(name);
	}
}

void
plot_part_add(const struct plotting *p, const struct pane *pane, const json_t *data, json_t *to)
{
	const char *from = json_string_value(json_object_get(data, "from"));
	bool cells = p->key && strcmp(from, "groups") != 0;
	static const struct {
		const char *name;
		void (*add)(const struct row *, const json_t *data, json_t *to);
	} kinds[] = {{"groups", add_numbers}, {"cells", add_numbers},
	    {"percentiles", add_percentiles}, {"values", plot_points_add},
	    {"bins", plot_points_add_bins}, {"sample", plot_points_add_sample},
	    {"hull", plot_points_add_hull}, {"line", plot_points_add_line}};
	struct row r;
	size_t k = 0;
	while (k < COUNT(kinds) && strcmp(kinds[k].name, from) != 0)
		k++;
	if (k == COUNT(kinds))
		die(ST_INPUT, "a kind of figure requires rows from '%s', which is unknown", from);
	for (size_t part = 0; part < plot_part_count(p, cells); part++)
		if (plot_part_row(p, pane, part, cells, &r) && (r.s || k == 0))
			kinds[k].add(&r, data, to);
}
