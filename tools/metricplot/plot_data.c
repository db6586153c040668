/* plot_data.c: the rows that a kind of figure needs. */
#include "plot_data.h"
#include "base/die.h"
#include "figure_template.h"
#include "plot_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
plot_data_add(const struct plotting *p, const struct pane *pane, const json_t *data, json_t *to)
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
	for (size_t part = 0; part < plot_row_parts(p, cells); part++)
		if (plot_row_of(p, pane, part, cells, &r)) {
			if (r.s || k == 0)
				kinds[k].add(&r, data, to);
			json_decref(r.own);
		}
}
