/* plot_points.c: single values of a figure's groups or cells: points, counts, quantiles, the hull
 * around them and the line through them. */
#include "plot_points.h"
#include "base/die.h"
#include "json/json_value.h"
#include "plot_kind.h"
#include "plot_shape.h"

enum { FAR_IQRS = 3 };

struct point_axis {
	const struct measure *of;
	double least, most, ratio;	/* a value times the ratio is in the unit of the axis */
	bool log;
};

/* The values of a group or a cell. */
struct points {
	const struct plotting *p;
	const json_t *data;	/* which of them are wanted */
	struct point_axis x, y;	/* y.of is NULL: there is only one value of each row */
	const bool *far;	/* rows; NULL: not marked */
	const struct stat_table *s;
	size_t part, group;
	json_t *to;
};

/* ---- axes ------------------------------------------------------------------------------- */

/* Where x, in the column's unit, is between the ends of the values: 0 to 1. */
static double
share_of(const struct point_axis *a, double x)
{
	if (!(a->most > a->least))
		return 0.5;
	return a->log ? (log(x) - log(a->least)) / (log(a->most) - log(a->least)) :
	    (x - a->least) / (a->most - a->least);
}

/* Its inverse. */
static double
value_at(const struct point_axis *a, double share)
{
	return a->log ? a->least * exp(share * (log(a->most) - log(a->least))) :
	    a->least + share * (a->most - a->least);
}

/* A measure's axis, as the plan has it. */
static struct point_axis
axis_of(const struct measure *m, const json_t *axis)
{
	return (struct point_axis){.of = m, .least = plot_kind_number(axis, "least", NULL), .most =
	    plot_kind_number(axis, "most", NULL), .log = plot_kind_is(axis, "log", NULL)};
}

/* Gives the axis of the pane's measure k a suitable unit, and adds that to the answer. */
static struct point_axis
axis_in_unit(const struct plotting *p, const json_t *pane, const char *name, size_t k,
    json_t *answer)
{
	const json_t *axis = json_object_get(pane, name), *of = json_object_get(pane, "of");
	if (k >= json_array_size(of))
		return (struct point_axis){0};
	struct point_axis a = axis_of(&p->of[json_integer_value(json_array_get(of, k))], axis);
	struct unit unit = unit_suits(&a.of->unit, plot_kind_number(axis, "largest", NULL),
	    a.of->binary, &a.ratio);
	json_object_set_new(answer, name, json_pack("{s:f, s:s}", "ratio", a.ratio, "symbol",
	    unit.symbol));
	return a;
}

/* ---- points ----------------------------------------------------------------------------- */

/* [NUMBER, TEXT] in the unit of the axis. */
static json_t *
number_on(const struct points *of, const struct point_axis *a, double value)
{
	return plot_measure_number(a->of, value, a->ratio, of->p->plan->wants_tips);
}

/* The points that are on the axes; on a logarithmic one there is no 0. */
static struct point *
points_of(const struct points *of, size_t *n)
{
	size_t from = of->s->g.first[of->group], to = of->s->g.first[of->group + 1];
	struct point *v = xmalloc((to - from + 1) * sizeof *v);
	*n = 0;
	for (size_t i = from; i < to; i++) {
		size_t row = of->s->g.rows[i];
		double x = of->x.of->column->number[row];
		double y = of->y.of ? of->y.of->column->number[row] : 0;
		if (!isnan(x) && !isnan(y) && (!of->x.log || x > 0) && (!of->y.log || y > 0))
			v[(*n)++] = (struct point){share_of(&of->x, x), of->y.of ?
			    share_of(&of->y, y) : 0, row};
	}
	return v;
}

static void
add_point(const struct points *of, const struct point *at, size_t k)
{
	json_t *one = json_pack("{s:i, s:o, s:i, s:i}", "part", (int)of->part, "x", number_on(of,
	    &of->x, of->x.of->column->number[at->row]), "k", (int)k, "far", of->far &&
	    of->far[at->row]);
	if (of->y.of)
		json_object_set_new(one, "y", number_on(of, &of->y,
		    of->y.of->column->number[at->row]));
	json_array_append_new(of->to, one);
}

/* Adds how many values are in each of as many parts of the axis as there are numbers of them. */
static void
add_counts(const struct points *of, const unsigned *count, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double from = (double)i / (double)n, until = (double)(i + 1) / (double)n;
		if (count[i])
			json_array_append_new(of->to, json_pack("{s:i, s:o, s:o, s:i}", "part",
			    (int)of->part, "from", number_on(of, &of->x, value_at(&of->x, from)),
			    "to", number_on(of, &of->x, value_at(&of->x, until)), "count",
			    (int)count[i]));
	}
}

/* Adds the values of the pane's first measure, or the pairs of its first two: those in one of the
 * axes' "places" once, or "crowd" times; "outside": only those outside the whiskers.  If it has
 * "bins", adds how many values are in each of them instead. */
static void
add_values(const struct points *of)
{
	size_t bins = (size_t)plot_kind_number(of->data, "bins", NULL), n;
	double places = bins ? (double)bins : plot_kind_number(of->data, "places", NULL);
	unsigned crowd = (unsigned)plot_kind_number(of->data, "crowd", NULL);
	size_t across = bins ? bins : (size_t)places + 1, up = of->y.of ? across : 1;
	bool outside = plot_kind_is(of->data, "outside", NULL);
	const struct stat_figure *f = stat_figure(of->s, of->group, of->p->stat_column[of->x.of -
	    of->p->of]);
	struct point *v = points_of(of, &n);
	unsigned *used = xmalloc(2 * across * up * sizeof *used);
	memset(used, 0, 2 * across * up * sizeof *used);
	for (size_t i = 0; i < n; i++) {
		double x = of->x.of->column->number[v[i].row];
		size_t place = (size_t)(v[i].y * places) * across + (size_t)fmin(v[i].x * places,
		    (double)across - 1) + (of->far && of->far[v[i].row] ? across * up : 0);
		if ((!outside || stat_is_outlier(f, x)) && used[place]++ <= crowd && !bins)
			add_point(of, &v[i], i);
	}
	add_counts(of, used, bins);
	free(used);
	free(v);
}

/* Adds the --percentiles, or as many quantiles as "most" says, or the values if they are fewer. */
static void
add_quantiles(const struct points *of)
{
	const struct wanted *marked = &of->p->plan->percentiles;
	size_t n, most = (size_t)plot_kind_number(of->data, "most", NULL), n_p = most ? most :
	    marked->n, invalid;
	double *x = xmalloc((of->s->g.first[of->group + 1] - of->s->g.first[of->group] + 1) *
	    sizeof *x), *p = xmalloc((n_p + 1) * sizeof *p), *q = xmalloc((n_p + 1) * sizeof *q);
	n = table_group_values(&of->s->g, of->group, of->x.of->column, x, &invalid);
	for (size_t i = 0; i < n_p; i++)
		p[i] = most ? ((double)i + 0.5) / (double)most : marked->p[i];
	bool few = n < most;
	if (n && !few)
		quantile_many(x, n, p, n_p, Q_LINEAR, q);
	for (size_t i = 0; n && i < (few ? n : n_p); i++)
		json_array_append_new(of->to, json_pack("{s:i, s:o, s:o}", "part", (int)of->part,
		    "x", number_on(of, &of->x, few ? x[i] : q[i]), "name", json_sprintf("p%g",
		    100 * p[i])));
	free(x);
	free(p);
	free(q);
}

/* ---- rows that are far from the others -------------------------------------------------- */

/* Marks the rows that have a value far outside the quartiles, on its axis as it is drawn. */
static bool *
mark_far(const struct plotting *p, const json_t *axes)
{
	bool *far = xmalloc(p->s.t.n_rows + 1);
	memset(far, 0, p->s.t.n_rows + 1);
	for (size_t k = 0; k < json_array_size(axes); k++) {
		struct point_axis a = axis_of(&p->of[k], json_array_get(axes, k));
		const struct stat_figure *all = stat_figure(&p->s, p->s.g.n, p->stat_column[k]);
		double low = share_of(&a, all->p25), high = share_of(&a, all->p75);
		double least = value_at(&a, low - FAR_IQRS * (high - low));
		double most = value_at(&a, high + FAR_IQRS * (high - low));
		for (size_t i = 0; i < p->s.g.first[p->s.g.n]; i++) {
			double x = a.of->column->number[p->s.g.rows[i]];
			far[p->s.g.rows[i]] |= x < least || x > most;
		}
	}
	return far;
}

/* ---- hulls and lines -------------------------------------------------------------------- */

/* Adds the corners of the convex hull, on the axes as they are drawn. */
static void
add_hull(const struct points *of)
{
	size_t n, corners;
	struct point *v = points_of(of, &n), *hull = xmalloc((2 * n + 2) * sizeof *hull);
	corners = plot_hull(v, n, hull);
	for (size_t k = 0; k < corners; k++)
		add_point(of, &hull[k], k);
	free(hull);
	free(v);
}

/* Adds the ends of the line of least squares of the logarithms, with its slope; one row without,
 * where there is none.  Vega-Lite does not know whether a slope differs from 0. */
static void
add_line(const struct points *of)
{
	size_t n;
	struct point *v = points_of(of, &n);
	double *x = xmalloc((n + 1) * sizeof *x), *y = xmalloc((n + 1) * sizeof *y);
	size_t above_0 = 0;
	for (size_t i = 0; i < n; i++) {
		x[above_0] = log(of->x.of->column->number[v[i].row]);
		y[above_0] = log(of->y.of->column->number[v[i].row]);
		above_0 += isfinite(x[above_0]) && isfinite(y[above_0]);
	}
	struct plot_line l = plot_line_through(x, y, above_0);
	for (int end = 0; end < (isnan(l.slope) ? 1 : 2); end++) {
		double at = isnan(l.slope) ? NAN : end ? l.to : l.from;
		json_array_append_new(of->to, json_pack("{s:i, s:o, s:i, s:o, s:o}", "part",
		    (int)of->part, "slope", json_value_real(fabs(l.slope) < 0.005 ? 0 : l.slope),
		    "points", (int)above_0, "x", number_on(of, &of->x, exp(at)), "y",
		    number_on(of, &of->y, exp(l.offset + l.slope * at))));
	}
	free(x);
	free(y);
	free(v);
}

/* ---- all ----------------------------------------------------------------------------- */

/* Adds what one of the kind's data needs of all groups or cells; of "groups" and "cells" their
 * statistics are enough. */
static void
add_data(struct points *of)
{
	static const struct {
		const char *name;
		void (*add)(const struct points *);
	} kinds[] = {{"groups", NULL}, {"cells", NULL}, {"quantiles", add_quantiles},
	    {"values", add_values}, {"hull", add_hull}, {"line", add_line}};
	const char *from = plot_kind_text(of->data, "from", NULL);
	size_t k = 0;
	while (k < COUNT(kinds) && (!from || strcmp(kinds[k].name, from) != 0))
		k++;
	if (k == COUNT(kinds))
		die(ST_INPUT, "a kind of figure requires rows from '%s', which is unknown",
		    from ? from : "");
	if (kinds[k].add && (!of->x.of || !of->x.of->column))
		die(ST_INPUT, "rows from '%s' are of a column, and count has none", from);
	for (of->part = 0; kinds[k].add && of->part < of->p->n_parts; of->part++) {
		of->group = of->p->parts[of->part].group;
		kinds[k].add(of);
	}
}

static json_t *
pane_of(const struct plotting *p, const json_t *pane, const bool *far)
{
	json_t *data, *all = json_array(), *answer = json_pack("{s:o}", "data", all);
	struct points of = {.p = p, .far = far, .s = p->key ? &p->cells : &p->s};
	size_t i;
	of.x = axis_in_unit(p, pane, "x", 0, answer);
	of.y = axis_in_unit(p, pane, "y", 1, answer);
	json_array_foreach(json_object_get(pane, "data"), i, data) {
		of.data = data;
		of.to = json_array();
		add_data(&of);
		json_array_append_new(all, of.to);
	}
	return answer;
}

json_t *
plot_points(const struct plotting *p, const json_t *plan)
{
	const json_t *axes = json_object_get(plan, "far");
	json_t *panes = json_array(), *pane;
	bool *far = json_array_size(axes) ? mark_far(p, axes) : NULL;
	size_t i, n = 0;
	json_array_foreach(json_object_get(plan, "panes"), i, pane)
		json_array_append_new(panes, pane_of(p, pane, far));
	for (i = 0; far && i < p->s.t.n_rows; i++)
		n += far[i];
	free(far);
	return json_pack("{s:o, s:i}", "panes", panes, "far", (int)n);
}
