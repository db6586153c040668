/* plot_points.c: the rows that a kind of figure needs: statistics and single values of its parts,
 * the hull around them and the line through them. */
#include "plot_points.h"
#include "base/die.h"
#include "figure_template.h"
#include "plot_axis.h"
#include "plot_kind.h"
#include "plot_row.h"
#include "stats/exact_sum.h"
#include "stats/normal.h"
#include "stats/scaling_law.h"
#include "stats/scaling_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_LEVELS = 3, FAR_IQRS = 3 };

/* ---- statistics ---------------------------------------------------------------------- */

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
			figure_set_text(one.own, "class", k < classes->n ?
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
		figure_set_text(r->own, "name", name);
		plot_row_add(r, data, to);
		free(name);
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
		if (isnan(x) || isnan(y) || (r->pane->x.log && !(x > 0)) ||
		    (pairs && r->pane->y.log && !(y > 0)))
			continue;
		v[(*n)++] = (struct point){plot_axis_share(&r->pane->x, x), pairs ?
		    plot_axis_share(&r->pane->y, y) : 0, row};
	}
	return v;
}

static void
add_point(const struct row *r, const struct point *at, size_t k, const json_t *data, json_t *to)
{
	json_object_set_new(r->own, "x", json_real(value_of(r, 0, at->row)));
	if (r->pane->n > 1)
		json_object_set_new(r->own, "y", json_real(value_of(r, 1, at->row)));
	json_object_set_new(r->own, "k", json_integer((json_int_t)k));
	json_object_set_new(r->own, "far", json_integer(r->p->far && r->p->far[at->row]));
	plot_row_add(r, data, to);
}

/* Adds the values of the pane's first measure, or the pairs of its first two: those in one of the
 * axes' "places" once, or "crowd" times; "outside": only those outside the whiskers. */
static void
add_values(const struct row *r, const json_t *data, json_t *to)
{
	const bool *far = r->p->far;
	size_t places = (size_t)plot_kind_number(data, "places", NULL, 0), n;
	size_t crowd = (size_t)plot_kind_number(data, "crowd", NULL, 0);
	size_t across = places + 1, up = r->pane->n > 1 ? across : 1, all = 2 * across * up;
	bool outside = json_is_true(json_object_get(data, "outside"));
	const struct stat_figure *f = stat_figure(r->s, r->group,
	    r->p->stat_column[r->pane->of[0]]);
	struct point *v = points_of(r, &n);
	unsigned char *used = xmalloc(all);
	memset(used, 0, all);
	for (size_t i = 0; i < n; i++) {
		size_t place = ((size_t)(v[i].y * (double)places) * across +
		    (size_t)(v[i].x * (double)places)) * 2 + (far && far[v[i].row]);
		bool inside = outside && !stat_is_outlier(f, value_of(r, 0, v[i].row));
		if (inside || used[place] > crowd)
			continue;
		used[place]++;
		add_point(r, &v[i], i, data, to);
	}
	free(used);
	free(v);
}

/* Adds how many values are in each of --bins parts of the axis. */
static void
add_bins(const struct row *r, const json_t *data, json_t *to)
{
	const struct value_axis *a = &r->pane->x;
	size_t bins = (size_t)r->p->plan->o.bins, n, *count = xmalloc(bins * sizeof *count);
	struct point *v = points_of(r, &n);
	memset(count, 0, bins * sizeof *count);
	for (size_t i = 0; i < n; i++)
		count[v[i].x < 1 ? (size_t)(v[i].x * (double)bins) : bins - 1]++;
	for (size_t b = 0; b < bins; b++) {
		figure_set_number(r->own, "from", plot_axis_at(a, (double)b / (double)bins));
		figure_set_number(r->own, "to", plot_axis_at(a, (double)(b + 1) / (double)bins));
		figure_set_number(r->own, "count", (double)count[b]);
		if (count[b])
			plot_row_add(r, data, to);
	}
	free(count);
	free(v);
}

/* Adds the values, or as many quantiles of their places on the axis as "most" says. */
static void
add_sample(const struct row *r, const json_t *data, json_t *to)
{
	size_t n, most = (size_t)plot_kind_number(data, "most", NULL, 0);
	double *p = xmalloc((most + 1) * sizeof *p), *q = xmalloc((most + 1) * sizeof *q);
	struct point *v = points_of(r, &n);
	double *x = xmalloc((n + 1) * sizeof *x);
	for (size_t i = 0; i < n; i++)
		x[i] = v[i].x;
	for (size_t i = 0; i < most; i++)
		p[i] = ((double)i + 0.5) / (double)most;
	if (n > most)
		quantile_many(x, n, p, most, Q_LINEAR, q);
	for (size_t i = 0; i < (n > most ? most : n); i++) {
		figure_set_number(r->own, "x", plot_axis_at(&r->pane->x, n > most ? q[i] : x[i]));
		plot_row_add(r, data, to);
	}
	free(x);
	free(v);
	free(q);
	free(p);
}

/* ---- rows that are far from the others -------------------------------------------------- */

void
plot_points_mark_far(struct plotting *p)
{
	size_t rows = p->s.g.first[p->s.g.n];
	p->far = xmalloc(p->s.t.n_rows + 1);
	memset(p->far, 0, p->s.t.n_rows + 1);
	for (size_t k = 0; k < p->n_of; k++) {
		struct value_axis a = plot_axis_of_values(p, k, false);
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
		p->n_far += p->far[p->s.g.rows[i]];
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

/* The slope of least squares, and y where x is 0; NaN: by the rule of metricscale there is none, as
 * its interval does not exclude 0. */
static double
slope_of(const double *x, const double *y, size_t n, double *offset)
{
	double mx = exact_sum(x, n) / (double)n, my = exact_sum(y, n) / (double)n;
	double xx = 0, xy = 0, yy = 0, freedom = (double)n - 2;
	for (size_t i = 0; i < n; i++) {
		xx += (x[i] - mx) * (x[i] - mx);
		xy += (x[i] - mx) * (y[i] - my);
		yy += (y[i] - my) * (y[i] - my);
	}
	size_t levels = scaling_law_levels(x, n, FEW_LEVELS);
	if (levels < FEW_LEVELS)
		return NAN;
	double slope = xy / xx, by = normal_t_quantile(0.975, freedom) *
	    sqrt(fmax(yy - xy * slope, 0) / freedom / xx);
	*offset = my - slope * mx;
	return scaling_holds(levels, slope - by, slope + by) ? slope : NAN;
}

/* Adds the ends of the line of least squares of the logarithms, with its slope; one row without,
 * where there is none.  Vega-Lite does not know whether a slope differs from 0. */
static void
add_line(const struct row *r, const json_t *data, json_t *to)
{
	size_t n, above_0 = 0;
	struct point *v = points_of(r, &n);
	double *x = xmalloc((n + 1) * sizeof *x), *y = xmalloc((n + 1) * sizeof *y);
	double least = INFINITY, most = -INFINITY, offset = NAN;
	for (size_t i = 0; i < n; i++) {
		x[above_0] = log(value_of(r, 0, v[i].row));
		y[above_0] = log(value_of(r, 1, v[i].row));
		if (!isfinite(x[above_0]) || !isfinite(y[above_0]))
			continue;
		least = fmin(least, x[above_0]);
		most = fmax(most, x[above_0]);
		above_0++;
	}
	double slope = slope_of(x, y, above_0, &offset);
	for (int end = 0; end < (isnan(slope) ? 1 : 2); end++) {
		double at = end ? most : least;
		figure_set_number(r->own, "slope", fabs(slope) < 0.005 ? 0 : slope);
		figure_set_number(r->own, "points", (double)above_0);
		figure_set_number(r->own, "x", isnan(slope) ? NAN : exp(at));
		figure_set_number(r->own, "y", exp(offset + slope * at));
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
	    {"percentiles", add_percentiles}, {"values", add_values}, {"bins", add_bins},
	    {"sample", add_sample}, {"hull", add_hull}, {"line", add_line}};
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
