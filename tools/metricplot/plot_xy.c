/* plot_xy.c: rows as points of two measures. */
#include "plot_xy.h"
#include "base/die.h"
#include "metric/metric_column.h"
#include "plot_figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int
by_x(const void *a, const void *b)
{
	const struct xy_point *p = a, *q = b;
	if (p->x < q->x || p->x > q->x)
		return p->x < q->x ? -1 : 1;
	return p->y < q->y ? -1 : p->y > q->y;
}

void
plot_xy_take(struct xy_cloud *c, size_t group)
{
	const struct plotting *p = c->p;
	const struct value_axis *a = c->axis;
	size_t first = p->g.first[group], last = p->g.first[group + 1];
	c->v = xmalloc((last - first + 1) * sizeof(*c->v));
	c->n = 0;
	for (size_t i = first; i < last; i++) {
		size_t row = p->g.rows[i];
		double x = c->x->column->number[row], y = c->y->column->number[row];
		if (!isnan(x) && !isnan(y))
			c->v[c->n++] = (struct xy_point){
				(double)c->places * plot_axis_share(a, x * a->ratio),
				(double)c->places * plot_axis_share(a + 1, y * a[1].ratio), row};
	}
	qsort(c->v, c->n, sizeof(*c->v), by_x);
}

void
plot_xy_free(struct xy_cloud *c)
{
	free(c->v);
	c->v = NULL;
}

json_t *
plot_xy_add(const struct xy_cloud *c, const struct xy_point *v)
{
	json_t *row = c->name ? json_pack("{s:s}", "g", c->name) : json_object();
	figure_set_number(row, "x", c->x->column->number[v->row] * c->axis[0].ratio);
	figure_set_number(row, "y", c->y->column->number[v->row] * c->axis[1].ratio);
	json_array_append_new(c->rows, row);
	return row;
}

static void
add_tip(const struct xy_cloud *c, json_t *row, const struct xy_point *v)
{
	char *one = plot_value_text(c->p, &c->x->unit, c->x->column->number[v->row]);
	char *other = plot_value_text(c->p, &c->y->unit, c->y->column->number[v->row]);
	figure_set_text(row, "tip", "%s: %s, %s", c->tip, one, other);
	free(one);
	free(other);
}

void
plot_xy_add_all(const struct xy_cloud *c)
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
		json_t *row = plot_xy_add(c, v);
		if (c->p->f.wants_tips)
			add_tip(c, row, v);
	}
	free(inked);
}

struct value_axis
plot_xy_axis(struct plotting *p, json_t *values, const char *name, const struct measure *m)
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
