/* plot_hulls.c: one measure against another, with a convex hull around each group. */
#include "plot_hulls.h"
#include "base/die.h"
#include "metric/metric_column.h"
#include "plot_bars.h"
#include "plot_figure.h"
#include "plot_text.h"
#include "plot_xy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More groups get panels of their own: more colours do not differ for everybody.  Ten, a
 * window of ranks, differ in their shapes. */
enum { COLOURS = 9, RANKS = 10, PLACES = 1000, PLACES_OF_PANEL = 250, MANY_ROWS = 5000 };

static double
cross_product(const struct xy_point *o, const struct xy_point *a, const struct xy_point *b)
{
	return (a->x - o->x) * (b->y - o->y) - (a->y - o->y) * (b->x - o->x);
}

/* Andrew's monotone chain over sorted points; `hull` has room for 2 n. */
static size_t
convex_hull(const struct xy_point *v, size_t n, struct xy_point *hull)
{
	size_t k = 0;
	if (n < 3) {
		memcpy(hull, v, n * sizeof(*v));
		return n;
	}
	for (size_t i = 0; i < n; i++) {
		while (k >= 2 && cross_product(&hull[k - 2], &hull[k - 1], &v[i]) <= 0)
			k--;
		hull[k++] = v[i];
	}
	for (size_t i = n - 1, upper = k + 1; i-- > 0;) {
		while (k >= upper && cross_product(&hull[k - 2], &hull[k - 1], &v[i]) <= 0)
			k--;
		hull[k++] = v[i];
	}
	return k - 1;
}

/* The first point of a hull has the text of all: a viewer shows it anywhere on the hull. */
static void
add_hull(const struct xy_cloud *c, const char *about)
{
	struct xy_point *hull = xmalloc((2 * c->n + 2) * sizeof(*hull));
	size_t n = convex_hull(c->v, c->n, hull);
	for (size_t k = 0; k < n; k++) {
		json_t *row = plot_xy_add(c, &hull[k]);
		json_object_set_new(row, "k", json_integer((json_int_t)k));
		if (k == 0)
			figure_set_text(row, "tip", "hull of %s", about);
	}
	free(hull);
}

/* ---- which groups, and what the legend says of them ----------------------------------- */

struct hull_groups {
	size_t *shown, n;
	double *share;	/* of the total of the first measure, percent; NaN: unknown */
	char **names, **labels;	/* labels: with rows and share */
};

static double
total_of(const struct plotting *p, size_t group)
{
	struct measure total = p->of[0];
	total.stat = STAT_SUM;
	return plot_measure_group(p, &total, group);
}

/* The largest by rows, or those of a window of ranks by the total of the first measure. */
static void
choose_groups(struct plotting *p, struct hull_groups *h)
{
	struct measure count = {.stat = STAT_COUNT}, total = p->of[0];
	double whole = 0;
	total.stat = STAT_SUM;
	for (size_t i = 0; i < p->g.n; i++)
		whole += isnan(total_of(p, i)) ? 0 : total_of(p, i);
	if (p->rank_to) {
		double *v;
		size_t from = p->rank_from - 1, to = p->rank_to < p->g.n ? p->rank_to : p->g.n;
		h->shown = plot_ranks(p, &total, &v, &whole);
		free(v);
		if (from >= p->g.n)
			plot_empty(p, "nothing to draw: there are %zu groups, and the first rank "
			    "is %zu", p->g.n, p->rank_from);
		char *title = plot_measure_title(&total);
		plot_figure_note(&p->f, "Ranks %zu to %zu of %zu by %s.", from + 1, to, p->g.n,
		    title);
		free(title);
		h->n = to - from < p->most ? to - from : p->most;
		memmove(h->shown, h->shown + from, h->n * sizeof *h->shown);
	} else {
		h->shown = plot_choose_groups(p, &count, p->by_value, &h->n);
	}
	h->share = xmalloc((h->n + 1) * sizeof *h->share);
	for (size_t i = 0; i < h->n; i++)
		h->share[i] = whole > 0 ? 100 * total_of(p, h->shown[i]) / whole : NAN;
}

static char *
label_of(const struct plotting *p, const struct hull_groups *h, size_t i, const char *name)
{
	size_t g = h->shown[i], rows = p->g.first[g + 1] - p->g.first[g];
	return isnan(h->share[i]) ? xasprintf("%s  (%zu)", name, rows) :
	    xasprintf("%s  (%zu, %.1f %%)", name, rows, h->share[i]);
}

static void
name_groups(struct plotting *p, struct hull_groups *h, double room)
{
	double widest = 0;
	h->labels = xmalloc((h->n + 1) * sizeof *h->labels);
	for (size_t i = 0; i < h->n; i++) {
		char *label = label_of(p, h, i, "");
		widest = fmax(widest, plot_text_px(label, PX_TEXT));
		free(label);
	}
	h->names = plot_fit_names(p, h->shown, h->n, fmax(room - widest, room / 3));
	for (size_t i = 0; i < h->n; i++)
		h->labels[i] = label_of(p, h, i, h->names[i]);
}

static void
set_key(const struct plotting *p, json_t *values, const struct hull_groups *h)
{
	double widest = 0;
	json_t *names = json_array();
	for (size_t i = 0; i < h->n; i++) {
		widest = fmax(widest, plot_text_px(h->labels[i], PX_TEXT));
		json_array_append_new(names, figure_text(h->labels[i]));
	}
	json_object_set_new(values, "names", names);
	if (h->n == 1)
		plot_set_one_look(values, "hull");
	json_object_set_new(values, "key_columns",
	    json_integer((json_int_t)fmax(1, floor(p->f.width / (widest + 30)))));
	json_object_set_new(values, "height", json_real(fmin(p->f.width * 0.6, 400)));
}

static char *
about_group(const struct plotting *p, const struct hull_groups *h, size_t i)
{
	size_t g = h->shown[i], rows = p->g.first[g + 1] - p->g.first[g];
	char *title = metric_column_title(p->of[0].name), *total = plot_value_text(p,
	    &p->of[0].unit, total_of(p, g)), *text;
	text = isnan(h->share[i]) ? xasprintf("%s: %zu rows", h->names[i], rows) :
	    xasprintf("%s: %zu rows, total %s %s, %.1f %% of all", h->names[i], rows, title, total,
		h->share[i]);
	free(title);
	free(total);
	return text;
}

void
plot_hulls(struct plotting *p)
{
	size_t columns, without = 0;
	struct hull_groups h;
	choose_groups(p, &h);
	bool one = h.n <= (p->rank_to ? RANKS : COLOURS);
	json_t *values = plot_panels(p, one ? 1 : h.n, PANELS_APART, &columns);
	struct xy_cloud c = {.p = p, .rows = json_object_get(values, "rows"), .x = &p->of[0],
		.y = &p->of[1], .places = !one ? PLACES_OF_PANEL :
		    p->g.first[p->g.n] > MANY_ROWS ? PLACES / 2 : PLACES};
	name_groups(p, &h, one ? p->f.width / 2 : json_real_value(json_object_get(values,
	    "width")));
	if (one)
		set_key(p, values, &h);
	c.axis[0] = plot_xy_axis(p, values, "x", c.x);
	c.axis[1] = plot_xy_axis(p, values, "y", c.y);
	for (size_t i = 0; i < h.n; i++) {
		char *about = about_group(p, &h, i);
		c.name = h.labels[i];
		c.tip = h.names[i];
		plot_xy_take(&c, h.shown[i]);
		without += p->g.first[h.shown[i] + 1] - p->g.first[h.shown[i]] - c.n;
		plot_xy_add_all(&c);
		add_hull(&c, about);
		plot_xy_free(&c);
		free(about);
	}
	if (*p->by_title) {
		char *title = metric_column_title(p->of[0].name);
		plot_figure_note(&p->f, "In parentheses: rows, and share of the total %s.", title);
		free(title);
	}
	if (without)
		plot_figure_note(&p->f, "%zu row%s without both values %s not shown.", without,
		    without == 1 ? "" : "s", without == 1 ? "is" : "are");
	plot_figure_view(&p->f, one ? "hulls_one" : "hulls_many", values);
	plot_text_free(h.names, h.n);
	plot_text_free(h.labels, h.n);
	free(h.share);
	free(h.shown);
}
