/* plot_shape.c: the hull around points, and the line through them. */
#include "plot_shape.h"
#include "stats/exact_sum.h"
#include "stats/normal.h"
#include "stats/scaling_law.h"
#include "stats/scaling_words.h"

#include <math.h>
#include <stdlib.h>

enum { FEW_LEVELS = 3 };

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

/* It is Andrew's monotone chain. */
size_t
plot_hull(struct point *v, size_t n, struct point *hull)
{
	size_t corners = 0;
	qsort(v, n, sizeof *v, by_x);
	for (size_t i = 0; i < n; i++)
		corners = add_corner(hull, corners, 2, &v[i]);
	size_t upper = corners + 1, i = n > 2 ? n - 1 : 0;
	while (i-- > 0)
		corners = add_corner(hull, corners, upper, &v[i]);
	/* The first one is also the last. */
	return n > 2 ? corners - 1 : corners;
}

/* ---- lines ------------------------------------------------------------------------------ */

struct plot_line
plot_line_through(const double *x, const double *y, size_t n)
{
	double mx = exact_sum(x, n) / (double)n, my = exact_sum(y, n) / (double)n;
	double xx = 0, xy = 0, yy = 0, freedom = (double)n - 2;
	struct plot_line l = {NAN, NAN, INFINITY, -INFINITY};
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
