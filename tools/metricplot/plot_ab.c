/* plot_ab.c: several labels, each cell's runs as a row of points. */
#include "plot_ab.h"
#include "base/die.h"
#include "base/nbscope.h"
#include "metric/metric_column.h"
#include "plot_distribution.h"
#include "plot_figure.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_LABELS = 8, LABEL_PX = 9 };

struct labels {
	uint32_t code[MOST_LABELS];
	size_t n;
};

/* The group's values of one label, ascending. */
static double *
label_values(const struct plotting *p, size_t group, size_t label, size_t *n)
{
	size_t rows = p->g.first[group + 1] - p->g.first[group];
	double *v = xmalloc((rows + 1) * sizeof(*v));
	*n = 0;
	for (size_t i = p->g.first[group]; i < p->g.first[group + 1]; i++) {
		size_t row = p->g.rows[i];
		if (p->against[0]->code[row] == label && !isnan(p->of[0].column->number[row]))
			v[(*n)++] = p->of[0].column->number[row];
	}
	quantile_sort(v, *n);
	return v;
}

static json_t *
add_value(json_t *rows, const struct rows *r, size_t i, const char *label, const char *key,
    double x)
{
	json_t *row = plot_row(r, i);
	figure_set_text(row, "m", "%s", label);
	figure_set_number(row, key, x);
	json_array_append_new(rows, row);
	return row;
}

static void
add_pair_row(struct plotting *p, json_t *values, const struct rows *r, size_t i, size_t group,
    const struct labels *l, double ratio)
{
	size_t n;
	double median[MOST_LABELS];
	json_t *points = json_object_get(values, "others");
	for (size_t k = 0; k < l->n; k++) {
		const char *label = p->against[0]->words[l->code[k]];
		double *v = label_values(p, group, l->code[k], &n);
		for (size_t j = 0; j < n; j++) {
			json_t *row = add_value(points, r, i, label, "x", v[j] * ratio);
			if (p->f.wants_tips) {
				char *value = plot_value_text(p, &p->of[0].unit, v[j]);
				figure_set_text(row, "tip", "%s, %s: %s", r->names[i], label,
				    value);
				free(value);
			}
		}
		median[k] = n ? quantile_sorted(v, n, 0.5, Q_LINEAR) : NAN;
		if (n)
			add_value(json_object_get(values, "rows"), r, i, label, "p50",
			    median[k] * ratio);
		free(v);
	}
	if (l->n != 2)
		return;
	double change = 100 * (median[1] / median[0] - 1);
	json_t *row = plot_row(r, i);
	figure_set_text(row, "t", isfinite(change) ? "%+.1f %%" : "unknown",
	    fabs(change) < 0.05 ? 0 : change);
	json_array_append_new(json_object_get(values, "changes"), row);
}

/* The labels of the rows that are shown, in the order of the table;
 * labels after the limit are only counted. */
static struct labels
labels_of(const struct plotting *p)
{
	struct labels l = {.n = 0};
	for (uint32_t k = 0; k < p->against[0]->n_words; k++)
		for (size_t i = 0; i < p->g.first[p->g.n]; i++)
			if (p->against[0]->code[p->g.rows[i]] == k) {
				if (l.n < MOST_LABELS)
					l.code[l.n] = k;
				l.n++;
				break;
			}
	return l;
}

static json_t *
view_values(struct plotting *p, const struct rows *r, const struct labels *l)
{
	json_t *v = plot_rows_values(p, r, 0), *names = json_array();
	for (size_t k = 0; k < l->n; k++)
		json_array_append_new(names, json_string(p->against[0]->words[l->code[k]]));
	json_object_set_new(v, "of_names", names);
	json_object_set_new(v, "key_columns", json_integer(4));
	json_object_set_new(v, "others", json_array());
	json_object_set_new(v, "changes", json_array());
	return v;
}

void
plot_ab(struct plotting *p)
{
	size_t n;
	struct labels l = labels_of(p);
	struct measure median = p->of[0];
	struct spread s;
	struct rows r;
	median.stat = STAT_MEDIAN;
	if (l.n < 2 || l.n > MOST_LABELS)
		plot_empty(p, "nothing to compare: '%s' has %zu value%s, and 2 to %d are required",
		    p->against[0]->name, l.n, l.n == 1 ? "" : "s", MOST_LABELS);
	size_t *shown = plot_choose_groups(p, &median, p->by_value, &n);
	plot_spread_of(p, &p->of[0], shown, n, &s);
	if (!(s.least <= s.most))
		plot_empty_figure(p);
	plot_rows_start(p, &r, shown, n, 1, 0);
	r.high = fmax(r.high, (double)(LABEL_PX * l.n * n));
	json_t *values = view_values(p, &r, &l);
	char *title = metric_column_title(p->of[0].name);
	struct value_axis a = plot_value_axis(p, values, "x", title, &p->of[0].unit, s.least,
	    s.most);
	for (size_t i = 0; i < n; i++)
		add_pair_row(p, values, &r, i, shown[i], &l, a.ratio);
	plot_figure_note(&p->f, "Points: each run; tick: median%s.",
	    l.n == 2 ? "; right: change of the median" : "");
	plot_figure_view(&p->f, "ab", values);
	plot_rows_free(&r);
	plot_spread_free(&s);
	free(title);
	free(shown);
}
