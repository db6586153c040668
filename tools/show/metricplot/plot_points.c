/* plot_points.c: the rows that a kind of figure needs: statistics and single values of its parts,
 * the hull around them and the line through them. */
#include "plot_points.h"
#include "base/die.h"
#include "plot_axis.h"
#include "plot_kind.h"
#include "plot_row.h"
#include "stats/exact_sum.h"
#include "stats/normal.h"
#include "stats/scaling_law.h"
#include "stats/scaling_words.h"

enum { FEW_LEVELS = 3, FAR_IQRS = 3 };

/* ---- statistics ---------------------------------------------------------------------- */

/* A row for the part, or for each measure of the pane. */
static void
add_numbers(const struct row *r, const json_t *data, json_t *to)
{
	const struct bins *classes = &r->p->plan->categories;
	size_t n = plot_kind_is(data, "each", NULL) ? r->pane->n : 1;
	for (size_t i = 0; i < n; i++) {
		struct row one = *r;
		one.measure = i;
		if (r->pane->of[i] == r->p->plan->coloured) {
			size_t k = bins_find(classes, plot_row_number(&one, "value"));
			json_object_set_new(one.own, "class", plot_kind_string(k < classes->n ?
			    classes->v[k].name : ""));
		}
		plot_row_add(&one, data, to);
	}
}

/* ---- points ----------------------------------------------------------------------------- */

struct point {
	double x, y;	/* on the axes, 0 to 1 */
	size_t row;
};

static double
value_of(const struct row *r, size_t k, size_t row)
{
	return k < r->pane->n ? r->p->of[r->pane->of[k]].column->number[row] : NAN;
}

/* The points of a part that are on the axes; on a logarithmic one there is no 0. */
static struct point *
points_of(const struct row *r, size_t *n)
{
	size_t from = r->s->g.first[r->group], to = r->s->g.first[r->group + 1];
	bool pairs = r->pane->n > 1;
	struct point *v = xmalloc((to - from + 1) * sizeof *v);
	*n = 0;
	for (size_t i = from; i < to; i++) {
		size_t row = r->s->g.rows[i];
		double x = value_of(r, 0, row), y = pairs ? value_of(r, 1, row) : 0;
		if (!isnan(x) && !isnan(y) && (!r->pane->x.log || x > 0) && (!pairs ||
		    !r->pane->y.log || y > 0))
			v[(*n)++] = (struct point){plot_axis_share(&r->pane->x, x), pairs ?
			    plot_axis_share(&r->pane->y, y) : 0, row};
	}
	return v;
}

static void
add_point(const struct row *r, const struct point *at, size_t k, const json_t *data, json_t *to)
{
	json_object_update_new(r->own, json_pack("{s:f, s:f, s:i, s:i}", "x", value_of(r, 0,
	    at->row), "y", r->pane->n > 1 ? value_of(r, 1, at->row) : 0, "k", (int)k, "far",
	    r->p->far && r->p->far[at->row]));
	plot_row_add(r, data, to);
}

/* Adds how many values are in each of as many parts of the axis as there are numbers of them. */
static void
add_counts(const struct row *r, const unsigned *count, size_t n, const json_t *data, json_t *to)
{
	for (size_t i = 0; i < n; i++) {
		double from = (double)i / (double)n, until = (double)(i + 1) / (double)n;
		json_object_update_new(r->own, json_pack("{s:f, s:f, s:i}", "from", plot_axis_at(
		    &r->pane->x, from), "to", plot_axis_at(&r->pane->x, until), "count",
		    (int)count[i]));
		if (count[i])
			plot_row_add(r, data, to);
	}
}

/* Adds the values of the pane's first measure, or the pairs of its first two: those in one of the
 * axes' "places" once, or "crowd" times; "outside": only those outside the whiskers.  If it has
 * "bins", adds how many values are in each of them instead. */
static void
add_values(const struct row *r, const json_t *data, json_t *to)
{
	const bool *far = r->p->far;
	size_t bins = (size_t)plot_kind_number(data, "bins", NULL), n;
	double places = bins ? (double)bins : plot_kind_number(data, "places", NULL);
	unsigned crowd = (unsigned)plot_kind_number(data, "crowd", NULL);
	size_t across = bins ? bins : (size_t)places + 1, up = r->pane->n > 1 ? across : 1;
	bool outside = plot_kind_is(data, "outside", NULL);
	const struct stat_figure *f = stat_figure(r->s, r->group,
	    r->p->stat_column[r->pane->of[0]]);
	struct point *v = points_of(r, &n);
	unsigned *used = xmalloc(2 * across * up * sizeof *used);
	memset(used, 0, 2 * across * up * sizeof *used);
	for (size_t i = 0; i < n; i++) {
		bool inside = outside && !stat_is_outlier(f, value_of(r, 0, v[i].row));
		size_t place = (size_t)(v[i].y * places) * across + (size_t)fmin(v[i].x * places,
		    (double)across - 1) + (far && far[v[i].row] ? across * up : 0);
		if (!inside && used[place]++ <= crowd && !bins)
			add_point(r, &v[i], i, data, to);
	}
	add_counts(r, used, bins, data, to);
	free(used);
	free(v);
}

/* Adds the --percentiles, or as many quantiles as "most" says, or the values if they are fewer. */
static void
add_quantiles(const struct row *r, const json_t *data, json_t *to)
{
	const struct wanted *marked = &r->p->plan->percentiles;
	size_t n, most = (size_t)plot_kind_number(data, "most", NULL), n_p = most ? most :
	    marked->n, invalid;
	double *x = xmalloc((r->s->g.first[r->group + 1] - r->s->g.first[r->group] + 1) *
	    sizeof *x), *p = xmalloc((n_p + 1) * sizeof *p), *q = xmalloc((n_p + 1) * sizeof *q);
	n = table_group_values(&r->s->g, r->group, r->p->of[r->pane->of[0]].column, x, &invalid);
	for (size_t i = 0; i < n_p; i++)
		p[i] = most ? ((double)i + 0.5) / (double)most : marked->p[i];
	bool few = n < most;
	if (n && !few)
		quantile_many(x, n, p, n_p, Q_LINEAR, q);
	for (size_t i = 0; n && i < (few ? n : n_p); i++) {
		json_object_update_new(r->own, json_pack("{s:f, s:o}", "x", few ? x[i] : q[i],
		    "name", json_sprintf("p%g", 100 * p[i])));
		plot_row_add(r, data, to);
	}
	free(x);
	free(p);
	free(q);
}

/* ---- rows that are far from the others -------------------------------------------------- */

void
plot_points_mark_far(struct plotting *p)
{
	size_t rows = p->s.g.first[p->s.g.n], n = 0;
	p->far = xmalloc(p->s.t.n_rows + 1);
	memset(p->far, 0, p->s.t.n_rows + 1);
	for (size_t k = 0; k < p->n_of; k++) {
		struct value_axis a = plot_axis_of(p, k, false);
		const struct stat_figure *all = stat_figure(&p->s, p->s.g.n, p->stat_column[k]);
		double low = plot_axis_share(&a, all->p25), high = plot_axis_share(&a, all->p75);
		double least = plot_axis_at(&a, low - FAR_IQRS * (high - low));
		double most = plot_axis_at(&a, high + FAR_IQRS * (high - low));
		for (size_t i = 0; i < rows; i++) {
			double x = p->of[k].column->number[p->s.g.rows[i]];
			p->far[p->s.g.rows[i]] |= x < least || x > most;
		}
	}
	for (size_t i = 0; i < rows; i++)
		n += p->far[p->s.g.rows[i]];
	json_object_set_new(p->facts, "far", json_integer((json_int_t)n));
}

/* ---- hulls ------------------------------------------------------------------------------ */

static int
by_x(const void *a, const void *b)
{
	const struct point *p = a, *q = b;
	if (p->x < q->x || p->x > q->x)
		return p->x < q->x ? -1 : 1;
	return p->y < q->y ? -1 : p->y > q->y;
}

/* Drops the last corners of a hull that are not convex with the next point, and adds that. */
static size_t
add_corner(struct point *hull, size_t n, size_t least, const struct point *next)
{
	while (n >= least) {
		const struct point *a = &hull[n - 2], *b = &hull[n - 1];
		if ((b->x - a->x) * (next->y - a->y) - (b->y - a->y) * (next->x - a->x) > 0)
			break;
		n--;
	}
	hull[n] = *next;
	return n + 1;
}

/* Adds the corners of the convex hull, on the axes as they are drawn: Vega-Lite has none.  It is
 * Andrew's monotone chain. */
static void
add_hull(const struct row *r, const json_t *data, json_t *to)
{
	size_t n, corners = 0;
	struct point *v = points_of(r, &n), *hull = xmalloc((2 * n + 2) * sizeof *hull);
	qsort(v, n, sizeof *v, by_x);
	for (size_t i = 0; i < n; i++)
		corners = add_corner(hull, corners, 2, &v[i]);
	size_t upper = corners + 1, i = n > 2 ? n - 1 : 0;
	while (i-- > 0)
		corners = add_corner(hull, corners, upper, &v[i]);
	for (size_t k = 0; k + (n > 2) < corners; k++)
		add_point(r, &hull[k], k, data, to);
	free(hull);
	free(v);
}

/* ---- lines ------------------------------------------------------------------------------ */

/* The line of least squares; a slope of NaN: by the rule of metricscale there is none, as its
 * interval does not exclude 0. */
struct line {
	double slope, offset, from, to;
};

static struct line
line_through(const double *x, const double *y, size_t n)
{
	double mx = exact_sum(x, n) / (double)n, my = exact_sum(y, n) / (double)n;
	double xx = 0, xy = 0, yy = 0, freedom = (double)n - 2;
	struct line l = {NAN, NAN, INFINITY, -INFINITY};
	for (size_t i = 0; i < n; i++) {
		xx += (x[i] - mx) * (x[i] - mx);
		xy += (x[i] - mx) * (y[i] - my);
		yy += (y[i] - my) * (y[i] - my);
		l.from = fmin(l.from, x[i]);
		l.to = fmax(l.to, x[i]);
	}
	size_t levels = scaling_law_levels(x, n, FEW_LEVELS);
	double slope = xy / xx, by = levels < FEW_LEVELS ? INFINITY : normal_t_quantile(0.975,
	    freedom) * sqrt(fmax(yy - xy * slope, 0) / freedom / xx);
	if (scaling_holds(levels, slope - by, slope + by))
		l.slope = slope;
	l.offset = my - slope * mx;
	return l;
}

/* Adds the ends of the line of least squares of the logarithms, with its slope; one row without,
 * where there is none.  Vega-Lite does not know whether a slope differs from 0. */
static void
add_line(const struct row *r, const json_t *data, json_t *to)
{
	size_t n;
	struct point *v = points_of(r, &n);
	double *x = xmalloc((n + 1) * sizeof *x), *y = xmalloc((n + 1) * sizeof *y);
	size_t above_0 = 0;
	for (size_t i = 0; i < n; i++) {
		x[above_0] = log(value_of(r, 0, v[i].row));
		y[above_0] = log(value_of(r, 1, v[i].row));
		above_0 += isfinite(x[above_0]) && isfinite(y[above_0]);
	}
	struct line l = line_through(x, y, above_0);
	for (int end = 0; end < (isnan(l.slope) ? 1 : 2); end++) {
		double at = isnan(l.slope) ? NAN : end ? l.to : l.from;
		plot_kind_set_number(r->own, "slope", fabs(l.slope) < 0.005 ? 0 : l.slope);
		plot_kind_set_number(r->own, "points", (double)above_0);
		plot_kind_set_number(r->own, "x", exp(at));
		plot_kind_set_number(r->own, "y", exp(l.offset + l.slope * at));
		plot_row_add(r, data, to);
	}
	free(x);
	free(y);
	free(v);
}

/* ---- all ----------------------------------------------------------------------------- */

void
plot_points_add(const struct plotting *p, const struct pane *pane, const json_t *data, json_t *to)
{
	static const struct {
		const char *name;
		void (*add)(const struct row *, const json_t *data, json_t *to);
	} kinds[] = {{"groups", add_numbers}, {"cells", add_numbers},
	    {"quantiles", add_quantiles}, {"values", add_values},
	    {"hull", add_hull}, {"line", add_line}};
	const char *from = plot_kind_text(data, "from", NULL);
	struct row r = {0};
	size_t k = 0, part = 0;
	while (k < COUNT(kinds) && (!from || strcmp(kinds[k].name, from) != 0))
		k++;
	if (k == COUNT(kinds))
		die(ST_INPUT, "a kind of figure requires rows from '%s', which is unknown",
		    from ? from : "");
	if (kinds[k].add != add_numbers && !p->of[pane->of[0]].column)
		die(ST_INPUT, "rows from '%s' are of a column, and count has none", from);
	while (plot_row_next(p, pane, &part, p->key && k > 0, &r)) {
		if (r.s || k == 0)
			kinds[k].add(&r, data, to);
		json_decref(r.own);
	}
}
