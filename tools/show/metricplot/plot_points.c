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
	const json_t *data;	/* which values become rows, and how a row is written */
	struct point_axis x, y;	/* y.of is NULL: there is only one value of each row */
	const struct stat_table *s;
	size_t part, group;
	json_t *to;
};

/* ---- axes ------------------------------------------------------------------------------- */

static double
scaled(const struct point_axis *a, double x)
{
	return a->log ? log(x) : x;
}

/* Where x, in the column's unit, is between the ends of the values: 0 to 1. */
static double
share_of(const struct point_axis *a, double x)
{
	double from = scaled(a, a->least), to = scaled(a, a->most);
	return to > from ? (scaled(a, x) - from) / (to - from) : 0.5;
}

/* Its inverse. */
static double
value_at(const struct point_axis *a, double share)
{
	double by = share * (scaled(a, a->most) - scaled(a, a->least));
	return a->log ? a->least * exp(by) : a->least + by;
}

/* The axis of a measure, as figure.jq has it. */
static struct point_axis
axis_of(const struct measure *m, const json_t *axis)
{
	return (struct point_axis){m, plot_kind_number(axis, "least", NULL),
	    plot_kind_number(axis, "most", NULL), plot_kind_number(axis, "ratio", NULL),
	    plot_kind_is(axis, "log", NULL)};
}

static const struct measure *
measure_of(const struct plotting *p, const json_t *pane, size_t k)
{
	const json_t *of = json_object_get(pane, "of");
	return k < json_array_size(of) ?
	    &p->of[json_integer_value(json_array_get(of, k))] : NULL;
}

/* Marks the rows that have a value far outside the quartiles, on its axis as it is drawn; returns
 * how many. */
static size_t
mark_far(struct plotting *p, const json_t *axes)
{
	size_t rows = p->s.g.first[p->s.g.n], n = 0;
	p->far = xmalloc(p->s.t.n_rows + 1);
	memset(p->far, 0, p->s.t.n_rows + 1);
	for (size_t k = 0; k < json_array_size(axes); k++) {
		struct point_axis a = axis_of(&p->of[k], json_array_get(axes, k));
		const struct stat_figure *all = stat_figure(&p->s, p->s.g.n, p->stat_column[k]);
		double low = scaled(&a, all->p25), high = scaled(&a, all->p75);
		double most = FAR_IQRS * (high - low);
		for (size_t i = 0; i < rows; i++) {
			double x = scaled(&a, a.of->column->number[p->s.g.rows[i]]);
			p->far[p->s.g.rows[i]] |= x < low - most || x > high + most;
		}
	}
	for (size_t i = 0; i < rows; i++)
		n += p->far[p->s.g.rows[i]];
	return n;
}

json_t *
plot_points_units(struct plotting *p, const json_t *plan)
{
	static const char *const names[] = {"x", "y"};
	const json_t *far = json_object_get(plan, "far");
	json_t *panes = json_array(), *pane;
	size_t i;
	json_array_foreach(json_object_get(plan, "panes"), i, pane) {
		json_t *units = json_object();
		for (size_t k = 0; k < COUNT(names) && measure_of(p, pane, k); k++) {
			double largest = plot_kind_number(pane, names[k], "largest"), ratio;
			const struct measure *m = measure_of(p, pane, k);
			struct unit unit = unit_suits(&m->unit, largest, m->binary, &ratio);
			json_object_set_new(units, names[k], json_pack("{s:f, s:s}", "ratio",
			    ratio, "symbol", unit.symbol));
		}
		json_array_append_new(panes, units);
	}
	return json_pack("{s:o, s:i}", "panes", panes, "far",
	    json_array_size(far) ? (int)mark_far(p, far) : 0);
}

/* ---- rows ------------------------------------------------------------------------------- */

/* Adds a text, or a number, [NUMBER, TEXT], with its unit, or without it in this format. */
static void
add_text(struct buf *b, const json_t *v, const char *format)
{
	const json_t *number = json_is_array(v) ? json_array_get(v, 0) : v;
	double x = json_number_value(number);
	v = json_is_array(v) ? json_array_get(v, 1) : v;
	if (format && *format && json_is_number(number))
		buf_addf(b, "%.*f", (int)fmin(9, strtod(format + 1, NULL)), x);
	else if (format && json_is_number(number))
		/* Three digits at least, and no exponent unless it is needed. */
		buf_addf(b, fabs(x) >= 1000 && fabs(x) < 1e7 ? "%.0f" : "%.3g", x);
	else if (json_is_string(v))
		buf_addf(b, "%s", json_string_value(v));
	else
		buf_addf(b, json_is_null(number) ? "unknown" : "%.10g", x);
}

static const json_t *
part_of(const struct points *of)
{
	return json_array_get(json_object_get(of->data, "parts"), of->part);
}

/* Adds the row of a single value, whose numbers are in `own`, which it takes over, to what it has
 * from its group or cell. */
static void
add_row(const struct points *of, json_t *own)
{
	json_t *row = json_copy(json_object_get(part_of(of), "row")), *form, *piece;
	size_t i, k;
	json_array_foreach(json_object_get(part_of(of), "forms"), i, form) {
		const char *key = plot_kind_text(form, "key", NULL);
		const char *number = plot_kind_text(form, "number", NULL);
		bool known = true;
		struct buf b = {0};
		json_array_foreach(json_object_get(form, "form"), k, piece) {
			const json_t *v = json_object_get(own, plot_kind_text(piece, "full", NULL));
			known &= !json_is_null(json_is_array(v) ? json_array_get(v, 0) : v);
			add_text(&b, json_is_string(piece) ? piece : v, plot_kind_text(piece,
			    "format", NULL));
		}
		const json_t *v = number ? json_object_get(own, number) : NULL;
		if (number)
			json_object_set(row, key, json_is_array(v) ? json_array_get(v, 0) :
			    (json_t *)v);
		else if (known || !plot_kind_is(form, "must_be_known", NULL))
			json_object_set_new(row, key, plot_kind_string(b.p ? b.p : ""));
		buf_free(&b);
	}
	json_array_append_new(of->to, row);
	json_decref(own);
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
	json_t *one = json_pack("{s:o, s:i, s:i}", "x", number_on(of, &of->x,
	    of->x.of->column->number[at->row]), "k", (int)k, "far", of->p->far &&
	    of->p->far[at->row]);
	if (of->y.of)
		json_object_set_new(one, "y", number_on(of, &of->y,
		    of->y.of->column->number[at->row]));
	add_row(of, one);
}

/* Adds how many values are in each of as many parts of the axis as there are numbers of them. */
static void
add_counts(const struct points *of, const unsigned *count, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double from = (double)i / (double)n, until = (double)(i + 1) / (double)n;
		if (count[i])
			add_row(of, json_pack("{s:o, s:o, s:i}", "from", number_on(of, &of->x,
			    value_at(&of->x, from)), "to", number_on(of, &of->x, value_at(
			    &of->x, until)), "count", (int)count[i]));
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
		    (double)across - 1) + (of->p->far && of->p->far[v[i].row] ? across * up : 0);
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
		add_row(of, json_pack("{s:o, s:o}", "x", number_on(of, &of->x, few ? x[i] : q[i]),
		    "name", json_sprintf("p%g", 100 * p[i])));
	free(x);
	free(p);
	free(q);
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
		add_row(of, json_pack("{s:o, s:i, s:o, s:o}", "slope", json_value_real(
		    fabs(l.slope) < 0.005 ? 0 : l.slope), "points", (int)above_0, "x",
		    number_on(of, &of->x, exp(at)), "y", number_on(of, &of->y, exp(l.offset +
		    l.slope * at))));
	}
	free(x);
	free(y);
	free(v);
}

/* ---- all ----------------------------------------------------------------------------- */

/* Adds what one of the kind's data needs of all groups or cells. */
static void
add_data(const struct plotting *p, const json_t *data, json_t *to)
{
	static const struct {
		const char *name;
		void (*add)(const struct points *);
	} kinds[] = {{"quantiles", add_quantiles}, {"values", add_values}, {"hull", add_hull},
	    {"line", add_line}};
	const char *from = plot_kind_text(data, "from", NULL);
	struct points of = {.p = p, .data = data, .s = p->key ? &p->cells : &p->s, .to = to,
	    .x = axis_of(measure_of(p, data, 0), json_object_get(data, "x")),
	    .y = axis_of(measure_of(p, data, 1), json_object_get(data, "y"))};
	size_t k = 0;
	while (k < COUNT(kinds) && (!from || strcmp(kinds[k].name, from) != 0))
		k++;
	if (k == COUNT(kinds))
		die(ST_INPUT, "a kind of figure requires rows from '%s', which is unknown",
		    from ? from : "");
	if (!of.x.of || !of.x.of->column)
		die(ST_INPUT, "rows from '%s' are of a column, and count has none", from);
	for (; of.part < p->n_parts; of.part++) {
		of.group = p->parts[of.part].group;
		if (json_is_object(part_of(&of)))
			kinds[k].add(&of);
	}
}

void
plot_points_put(const struct plotting *p, json_t *node, const json_t *singles)
{
	json_t *data = json_object_get(node, "data"), *values = json_object_get(data, "values"), *v;
	json_t *rows = json_array();
	const char *key;
	size_t i;
	json_array_foreach(values, i, v) {
		json_t *at = json_object_get(v, "@single");
		if (at)
			add_data(p, json_array_get(singles, (size_t)json_integer_value(at)), rows);
		else
			json_array_append(rows, v);
	}
	if (values)
		json_object_set(data, "values", rows);
	json_decref(rows);
	json_object_foreach(node, key, v)
		plot_points_put(p, v, singles);
	json_array_foreach(node, i, v)
		plot_points_put(p, v, singles);
}
