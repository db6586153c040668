/* plot_pairs.c: every pair of measures as points, to find outliers. */
#include "plot_pairs.h"
#include "base/die.h"
#include "plot_distribution.h"
#include "plot_figure.h"
#include "plot_xy.h"

#include <math.h>
#include <stdlib.h>

enum { PLACES_OF_PAIR = 160, PAIR_HIGH = 160, FEW_PAIRS = 3, IQRS = 3 };

/* Marks rows far outside the quartiles, on the axis as it is drawn. */
static void
mark_outliers(const struct plotting *p, const struct measure *m, const struct value_axis *a,
    bool *outlier)
{
	size_t rows = p->g.first[p->g.n], n = 0;
	double *v = xmalloc((rows + 1) * sizeof *v);
	for (size_t i = 0; i < rows; i++) {
		double x = m->column->number[p->g.rows[i]];
		if (!isnan(x))
			v[n++] = plot_axis_share(a, x * a->ratio);
	}
	quantile_sort(v, n);
	double low = n ? quantile_sorted(v, n, 0.25, Q_LINEAR) : NAN;
	double high = n ? quantile_sorted(v, n, 0.75, Q_LINEAR) : NAN;
	double fence = IQRS * (high - low);
	for (size_t i = 0; i < rows; i++) {
		double at = plot_axis_share(a, m->column->number[p->g.rows[i]] * a->ratio);
		outlier[p->g.rows[i]] |= at < low - fence || at > high + fence;
	}
	free(v);
}

/* Points of one group; outliers are drawn each, above the others. */
static void
add_group(struct xy_cloud *c, json_t *others, size_t group, const bool *outlier)
{
	json_t *all = c->rows;
	size_t n = 0;
	plot_xy_take(c, group);
	struct xy_point *v = c->v;
	size_t points = c->n;
	c->v = xmalloc((points + 1) * sizeof *v);
	for (int far = 0; far < 2; far++) {
		c->rows = far ? others : all;
		for (size_t i = n = 0; i < points; i++)
			if (outlier[v[i].row] == far)
				c->v[n++] = v[i];
		c->n = n;
		plot_xy_add_all(c);
	}
	c->rows = all;
	free(v);
	plot_xy_free(c);
}

static void
add_pair(struct plotting *p, json_t *values, const struct measure *x, const struct measure *y,
    const bool *outlier)
{
	struct xy_cloud c = {.p = p, .rows = json_object_get(values, "rows"), .x = x, .y = y,
		.places = PLACES_OF_PAIR};
	json_t *others = json_array();
	c.axis[0] = plot_xy_axis(p, values, "x", x);
	c.axis[1] = plot_xy_axis(p, values, "y", y);
	for (size_t g = 0; g < p->g.n; g++) {
		c.tip = p->names[g];
		add_group(&c, others, g, outlier);
	}
	json_object_set_new(values, "others", others);
	plot_figure_view(&p->f, "pair", values);
}

void
plot_pairs(struct plotting *p)
{
	size_t pairs = p->n_of * (p->n_of - 1) / 2, far = 0, rows = p->g.first[p->g.n];
	size_t across = pairs < FEW_PAIRS ? pairs : FEW_PAIRS;
	bool *outlier = xmalloc((p->t->n_rows + 1) * sizeof *outlier);
	double room = (p->f.width - 2 * PX_EDGE) / (double)across - PANELS_WITH_AXES_APART - 14;
	for (size_t i = 0; i < p->t->n_rows; i++)
		outlier[i] = false;
	/* First all outliers: a row that is one is marked in each pair. */
	for (size_t k = 0; k < p->n_of; k++) {
		json_t *axis = json_pack("{s:f}", "width", room);
		struct value_axis a = plot_xy_axis(p, axis, "x", &p->of[k]);
		mark_outliers(p, &p->of[k], &a, outlier);
		json_decref(axis);
	}
	for (size_t i = 0; i < rows; i++)
		far += outlier[p->g.rows[i]];
	for (size_t i = 0; i < p->n_of; i++)
		for (size_t k = i + 1; k < p->n_of; k++) {
			json_t *values = json_pack("{s:f, s:i, s:[]}", "width", round(room),
			    "height", PAIR_HIGH, "rows");
			if (!p->f.wants_tips)
				json_object_set_new(values, "tooltip", json_null());
			add_pair(p, values, &p->of[i], &p->of[k], outlier);
		}
	p->f.across = across;
	plot_figure_note(&p->f, "Triangles: the %zu of %zu rows that have a value more than %d "
	    "interquartile ranges outside the quartiles.", far, rows, IQRS);
	free(outlier);
}
