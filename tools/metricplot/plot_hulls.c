/* plot_hulls.c: one measure against another, with a convex hull around each group. */
#include "plot_hulls.h"
#include "base/die.h"
#include "metric/metric_column.h"
#include "plot_distribution.h"
#include "plot_figure.h"
#include "plot_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More groups get panels of their own: more colours do not differ for everybody. */
enum { COLOURS = 9, PLACES = 1000, PLACES_OF_PANEL = 250, MANY_ROWS = 5000 };

struct xy_point {
	double x, y;	/* on the axes, in places that the eye can tell apart */
	size_t row;
};

static int
by_x(const void *a, const void *b)
{
	const struct xy_point *p = a, *q = b;
	if (p->x < q->x || p->x > q->x)
		return p->x < q->x ? -1 : 1;
	return p->y < q->y ? -1 : p->y > q->y;
}

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

struct cloud {
	struct plotting *p;
	json_t *rows;
	const char *name;
	struct value_axis axis[2];
	struct xy_point *v;	/* sorted */
	size_t n, places;	/* of an axis */
};

static void
take_points(struct cloud *c, size_t group)
{
	const struct plotting *p = c->p;
	const struct value_axis *a = c->axis;
	size_t first = p->g.first[group], last = p->g.first[group + 1];
	c->v = xmalloc((last - first + 1) * sizeof(*c->v));
	c->n = 0;
	for (size_t i = first; i < last; i++) {
		size_t row = p->g.rows[i];
		double x = p->of[0].column->number[row], y = p->of[1].column->number[row];
		if (!isnan(x) && !isnan(y))
			c->v[c->n++] = (struct xy_point){
				(double)c->places * plot_axis_share(a, x * a->ratio),
				(double)c->places * plot_axis_share(a + 1, y * a[1].ratio), row};
	}
	qsort(c->v, c->n, sizeof(*c->v), by_x);
}

static json_t *
add_point(const struct cloud *c, const struct xy_point *v)
{
	json_t *row = json_pack("{s:s}", "g", c->name);
	figure_set_number(row, "x", c->p->of[0].column->number[v->row] * c->axis[0].ratio);
	figure_set_number(row, "y", c->p->of[1].column->number[v->row] * c->axis[1].ratio);
	json_array_append_new(c->rows, row);
	return row;
}

static void
add_hull(const struct cloud *c)
{
	struct xy_point *hull = xmalloc((2 * c->n + 2) * sizeof(*hull));
	size_t n = convex_hull(c->v, c->n, hull);
	for (size_t k = 0; k < n; k++)
		json_object_set_new(add_point(c, &hull[k]), "k", json_integer((json_int_t)k));
	free(hull);
}

/* Points in the same place are drawn once. */
static void
add_points(const struct cloud *c)
{
	size_t wide = c->places + 1;
	unsigned char *inked = xmalloc(wide * wide);
	memset(inked, 0, wide * wide);
	for (size_t i = 0; i < c->n; i++) {
		const struct xy_point *v = &c->v[i];
		unsigned char *ink = &inked[(size_t)v->y * wide + (size_t)v->x];
		if (*ink)
			continue;
		*ink = 1;
		json_t *row = add_point(c, v);
		if (!c->p->f.wants_tips)
			continue;
		char *one = plot_value_text(c->p, &c->p->of[0].unit,
		    c->p->of[0].column->number[v->row]);
		char *other = plot_value_text(c->p, &c->p->of[1].unit,
		    c->p->of[1].column->number[v->row]);
		figure_set_text(row, "tip", "%s: %s, %s", c->name, one, other);
		free(one);
		free(other);
	}
	free(inked);
}

static struct value_axis
axis_of(struct plotting *p, json_t *values, const char *name, const struct measure *m)
{
	double least = INFINITY, most = -INFINITY;
	char *title = metric_column_title(m->name);
	for (size_t i = 0; i < p->g.first[p->g.n]; i++) {
		double v = m->column->number[p->g.rows[i]];
		least = fmin(least, v);	/* ignores NaN */
		most = fmax(most, v);
	}
	if (!(least <= most))
		plot_empty_figure(p);
	struct value_axis a = plot_value_axis(p, values, name, title, &m->unit, least, most);
	free(title);
	return a;
}

static void
set_key(const struct plotting *p, json_t *values, char **names, size_t n)
{
	double widest = 0;
	for (size_t i = 0; i < n; i++)
		widest = fmax(widest, plot_text_px(names[i], PX_TEXT));
	if (n == 1)
		plot_set_one_look(values, "hull");
	json_object_set_new(values, "key_columns",
	    json_integer((json_int_t)fmax(1, floor(p->f.width / (widest + 30)))));
}

void
plot_hulls(struct plotting *p)
{
	size_t n, columns, without = 0;
	struct measure count = {.stat = STAT_COUNT};
	size_t *shown = plot_choose_groups(p, &count, p->by_value, &n);
	bool one = n <= COLOURS;
	json_t *values = plot_panels(p, one ? 1 : n, PANELS_APART, &columns);
	struct cloud c = {.p = p, .rows = json_object_get(values, "rows"),
		.places = !one ? PLACES_OF_PANEL : p->g.first[p->g.n] > MANY_ROWS ? PLACES / 2 :
		    PLACES};
	c.axis[0] = axis_of(p, values, "x", &p->of[0]);
	c.axis[1] = axis_of(p, values, "y", &p->of[1]);
	char **fits = plot_fit_names(p, shown, n, one ? p->f.width / 2 :
	    json_real_value(json_object_get(values, "width")));
	if (one) {
		set_key(p, values, fits, n);
		json_object_set_new(values, "height", json_real(fmin(p->f.width * 0.6, 400)));
	}
	for (size_t i = 0; i < n; i++) {
		c.name = fits[i];
		take_points(&c, shown[i]);
		without += p->g.first[shown[i] + 1] - p->g.first[shown[i]] - c.n;
		add_points(&c);
		add_hull(&c);
		free(c.v);
	}
	if (without)
		plot_figure_note(&p->f, "%zu row%s without both values %s not shown.", without,
		    without == 1 ? "" : "s", without == 1 ? "is" : "are");
	plot_figure_view(&p->f, one ? "hulls_one" : "hulls_many", values);
	plot_text_free(fits, n);
	free(shown);
}
