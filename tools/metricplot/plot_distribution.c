/* plot_distribution.c: figures of the distribution of a group's values. */
#include "plot_distribution.h"
#include "base/die.h"
#include "base/nbscope.h"
#include "metric/metric_column.h"
#include "plot_figure.h"
#include "plot_groups.h"
#include "plot_text.h"
#include "text/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_SPREAD = 50, HALTON_BASE = 2, WAITING = 3, CROWD = 8, PLACES = 500 };

void
plot_spread_of(const struct plotting *p, const struct measure *m, const size_t *shown, size_t n,
    struct spread *s)
{
	*s = (struct spread){xmalloc((n + 1) * sizeof(double *)), xmalloc((n + 1) * sizeof(size_t)),
		n, INFINITY, -INFINITY};
	for (size_t i = 0; i < n; i++) {
		s->v[i] = plot_sorted_values(p, shown[i], m->column, &s->n[i]);
		if (s->n[i]) {
			s->least = fmin(s->least, s->v[i][0]);
			s->most = fmax(s->most, s->v[i][s->n[i] - 1]);
		}
	}
}

void
plot_spread_free(struct spread *s)
{
	for (size_t i = 0; i < s->groups; i++)
		free(s->v[i]);
	free(s->v);
	free(s->n);
}

double
plot_spread_quantile(const struct spread *s, size_t i, double percent)
{
	return quantile_sorted(s->v[i], s->n[i], percent / 100, Q_LINEAR);
}

void
plot_spread_figures(json_t *row, const struct spread *s, size_t i, double ratio)
{
	static const int percents[] = {5, 25, 50, 75, 95};
	size_t n = s->n[i];
	for (size_t k = 0; k < COUNT(percents); k++) {
		char name[8];
		snprintf(name, sizeof name, "p%d", percents[k]);
		figure_set_number(row, name, plot_spread_quantile(s, i, percents[k]) * ratio);
	}
	figure_set_number(row, "min", s->v[i][0] * ratio);
	figure_set_number(row, "mean", exact_sum(s->v[i], n) / (double)n * ratio);
	figure_set_number(row, "max", s->v[i][n - 1] * ratio);
}

/* The range that a figure shows: from percentile lo to hi of each group. */
static void
whisker_ends(const struct spread *s, double lo, double hi, double *least, double *most)
{
	*least = INFINITY, *most = -INFINITY;
	for (size_t i = 0; i < s->groups; i++)
		if (s->n[i]) {
			*least = fmin(*least, plot_spread_quantile(s, i, lo));
			*most = fmax(*most, plot_spread_quantile(s, i, hi));
		}
}

struct value_axis
plot_value_axis(const struct plotting *p, json_t *values, const char *name, const char *title,
    const struct unit *u, double least, double most)
{
	struct value_axis a = {.log = plot_wants_log(p, least, most, LOG_SPREAD)};
	char *key = xasprintf("%s_title", name);
	char *text = plot_axis_title(title, u, a.log ? sqrt(least * most) :
	    fmax(fabs(least), fabs(most)), a.log, p->binary, &a.ratio);
	a.least = least * a.ratio;
	a.most = most * a.ratio;
	figure_set_text(values, key, "%s", text);
	plot_set_scale(values, name, a.log, false, a.least, a.most);
	free(text);
	free(key);
	return a;
}

double
plot_axis_share(const struct value_axis *a, double x)
{
	if (!(a->most > a->least))
		return 0.5;
	return a->log ? log(x / a->least) / log(a->most / a->least) :
	    (x - a->least) / (a->most - a->least);
}

/* ---- the data of one group ---------------------------------------------------------------- */

struct value_row {
	struct plotting *p;
	const struct spread *s;
	const struct measure *m;
	const struct rows *r;
	json_t *others;	/* single values */
	size_t i;
	struct value_axis axis;
	bool points;	/* all values; else those outside the whiskers */
};

void
plot_spread_tip(const struct plotting *p, json_t *row, const struct spread *s, size_t i,
    const struct measure *m, const char *name)
{
	static const double at[] = {5, 25, 50, 75, 95};
	char *text[6], *title = metric_column_title(m->name);
	if (!p->f.wants_tips) {
		free(title);
		return;
	}
	for (size_t k = 0; k < 5; k++)
		text[k] = plot_value_text(p, &m->unit, plot_spread_quantile(s, i, at[k]));
	text[5] = plot_value_text(p, &m->unit, exact_sum(s->v[i], s->n[i]) / (double)s->n[i]);
	figure_set_text(row, "tip",
	    "%s, %s: median %s, p5 %s, p25 %s, p75 %s, p95 %s, mean %s, n %zu",
	    name, title, text[2], text[0], text[1], text[3], text[4], text[5], s->n[i]);
	for (size_t k = 0; k < 6; k++)
		free(text[k]);
	free(title);
}

static void
add_value(const struct value_row *r, double value, double jitter)
{
	json_t *row = plot_row(r->r, r->i);
	figure_set_number(row, "x", value * r->axis.ratio);
	if (r->points)
		figure_set_number(row, "j", jitter);
	if (r->points && r->p->f.wants_tips) {
		char *text = plot_value_text(r->p, &r->m->unit, value);
		figure_set_text(row, "tip", "%s: %s", r->r->names[r->i], text);
		free(text);
	}
	json_array_append_new(r->others, row);
}

/* Values in the same place are drawn once; of points, as many as have room above each other,
 * moved up and down. */
static void
add_values(const struct value_row *r, double from, double to)
{
	size_t n = r->s->n[r->i], shown = 0, crowd = 0;
	double last = NAN;
	for (size_t k = 0; k < n; k++) {
		double v = r->s->v[r->i][k], turn = 0, part = 0.5;
		double at = floor(plot_axis_share(&r->axis, v * r->axis.ratio) * PLACES);
		if (!r->points && v >= from && v <= to)
			continue;
		crowd = at == last ? crowd + 1 : 0;
		last = at;
		if (crowd > (r->points ? CROWD : 0))
			continue;
		for (size_t h = ++shown; h; h /= HALTON_BASE, part /= HALTON_BASE)
			turn += part * (double)(h % HALTON_BASE);
		add_value(r, v, n > WAITING ? turn : 0.5);
	}
}

static void
add_value_row(const struct value_row *r, json_t *rows)
{
	const double *v = r->s->v[r->i];
	size_t from = 0, to = r->s->n[r->i] - 1;
	double ratio = r->axis.ratio, low = plot_spread_quantile(r->s, r->i, 25),
	    high = plot_spread_quantile(r->s, r->i, 75), fence = 1.5 * (high - low);
	json_t *row = plot_row(r->r, r->i);
	char *measure = metric_column_title(r->m->name);
	plot_spread_figures(row, r->s, r->i, ratio);
	while (v[from] < low - fence)
		from++;
	while (v[to] > high + fence)
		to--;
	figure_set_number(row, "low", v[from] * ratio);
	figure_set_number(row, "high", v[to] * ratio);
	figure_set_text(row, "m", "%s", measure);
	plot_spread_tip(r->p, row, r->s, r->i, r->m, r->r->names[r->i]);
	json_array_append_new(rows, row);
	add_values(r, v[from], v[to]);
	free(measure);
}

/* ---- views of rows ------------------------------------------------------------------------ */

struct spread_view {
	struct plotting *p;
	struct spread *s;	/* of each measure */
	size_t *view_of;	/* of each measure */
	double lo, hi;	/* the percentiles that the axis reaches */
	const char *name;
};

static void
set_measures(const struct plotting *p, json_t *values)
{
	json_t *names = json_array();
	for (size_t k = 0; k < p->n_of; k++) {
		char *title = metric_column_title(p->of[k].name);
		json_array_append_new(names, json_string(title));
		free(title);
	}
	if (p->n_of == 1)
		plot_set_one_look(values, "of");
	json_object_set_new(values, "of_names", names);
	json_object_set_new(values, "key_columns", json_integer((json_int_t)p->n_of));
}

static char *
view_title(const struct spread_view *v, size_t first, size_t members)
{
	static const char *const words[] = {[OF_TIME] = "time", [OF_BYTES] = "size"};
	enum quantity q = v->p->of[first].unit.quantity;
	if (members == 1)
		return metric_column_title(v->p->of[first].name);
	return xstrdup(q < COUNT(words) && words[q] ? words[q] : "value");
}

static void
add_view(const struct spread_view *v, const struct rows *r, size_t q)
{
	struct plotting *p = v->p;
	double least = INFINITY, most = -INFINITY, a, b;
	size_t members = 0, first = 0;
	json_t *values = plot_rows_values(p, r, q);
	for (size_t k = 0; k < p->n_of; k++)
		if (v->view_of[k] == q) {
			whisker_ends(&v->s[k], v->lo, v->hi, &a, &b);
			least = fmin(least, a), most = fmax(most, b);
			first = members++ ? first : k;
		}
	if (!(least <= most))
		least = most = 1;
	char *title = view_title(v, first, members);
	struct value_row one = {.p = p, .r = r, .points = strcmp(v->name, "points") == 0,
		.axis = plot_value_axis(p, values, "x", title, &p->of[first].unit, least, most),
		.others = json_array()};
	json_object_set_new(values, "others", one.others);
	set_measures(p, values);
	for (one.i = 0; one.i < r->n; one.i++) {
		bool known = false;
		for (size_t k = 0; k < p->n_of; k++) {
			one.s = &v->s[k];
			one.m = &p->of[k];
			if (v->view_of[k] != q || !one.s->n[one.i])
				continue;
			add_value_row(&one, json_object_get(values, "rows"));
			known = true;
		}
		if (!known)
			plot_rows_unknown(values, r, one.i);
	}
	plot_figure_view(&p->f, v->name, values);
	free(title);
}

/* Measures of one unit share a view if they go together. */
static void
draw_rows(struct plotting *p, const char *name, double lo, double hi, bool together)
{
	size_t n, views = 0;
	size_t *shown = plot_choose_groups(p, &p->of[0], p->by_value, &n);
	struct spread_view v = {p, xmalloc((p->n_of + 1) * sizeof *v.s),
		xmalloc((p->n_of + 1) * sizeof *v.view_of), lo, hi, name};
	struct rows r;
	bool any = false;
	for (size_t k = 0; k < p->n_of; k++) {
		plot_spread_of(p, &p->of[k], shown, n, &v.s[k]);
		any |= v.s[k].least <= v.s[k].most;
		v.view_of[k] = views;
		for (size_t j = 0; together && j < k; j++)
			if (p->of[j].unit.quantity == p->of[k].unit.quantity &&
			    p->of[j].unit.factor == p->of[k].unit.factor)
				v.view_of[k] = v.view_of[j];
		views += v.view_of[k] == views;
	}
	if (!any)
		plot_empty_figure(p);
	plot_rows_start(p, &r, shown, n, views, 0);
	for (size_t q = 0; q < views; q++)
		add_view(&v, &r, q);
	plot_rows_free(&r);
	for (size_t k = 0; k < p->n_of; k++)
		plot_spread_free(&v.s[k]);
	free(v.s);
	free(v.view_of);
	free(shown);
}

void
plot_bands(struct plotting *p)
{
	plot_figure_note(&p->f, "Band: p5 to p95; mark: median.");
	draw_rows(p, "bands", 5, 95, true);
}

void
plot_whiskers(struct plotting *p)
{
	plot_figure_note(&p->f,
	    "Thin line: p5 to p95; thick: p25 to p75; tick: median; dot: mean; triangles: minimum "
	    "and maximum.");
	draw_rows(p, "whiskers", 0, 100, false);
}

void
plot_box(struct plotting *p)
{
	plot_figure_note(&p->f,
	    "Box: p25 to p75 with the median; whiskers: to the last value within "
	    "1.5 IQR; rings: outliers.");
	draw_rows(p, "box", 0, 100, false);
}

void
plot_points(struct plotting *p)
{
	draw_rows(p, "points", 0, 100, false);
}
