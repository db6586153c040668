/* plot_heat.c: heat map: medians by the values of a parameter. */
#include "plot_heat.h"
#include "base/die.h"
#include "base/num.h"
#include "metric/metric_column.h"
#include "plot_distribution.h"
#include "plot_figure.h"
#include "plot_groups.h"
#include "plot_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_SPREAD = 20, HEAT_ROW = 16, TEXT_CELL = 30 };

static int
by_word(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The parameter's values: numbers by size, words by bytes.  A code for each row. */
static char **
columns_of(const struct plotting *p, uint32_t *code, size_t *n)
{
	const struct column *c = p->against[0];
	char **names;
	double *v = xmalloc((p->t->n_rows + 1) * sizeof(*v));
	size_t m = 0;
	*n = 0;
	for (size_t row = 0; row < p->t->n_rows; row++)
		code[row] = NO_WORD;
	if (c->is_word) {
		uint32_t *place = xmalloc((c->n_words + 1) * sizeof(*place));
		names = xmalloc((c->n_words + 1) * sizeof(*names));
		for (size_t i = 0; i < c->n_words; i++)
			names[(*n)++] = xstrdup(c->words[i]);
		qsort(names, *n, sizeof(*names), by_word);
		for (size_t i = 0; i < c->n_words; i++)
			place[i] = (uint32_t)((char **)bsearch(&c->words[i], names, *n,
			    sizeof(*names),
			    by_word) - names);
		for (size_t i = 0; i < p->g.first[p->g.n]; i++)
			if (c->code[p->g.rows[i]] != NO_WORD)
				code[p->g.rows[i]] = place[c->code[p->g.rows[i]]];
		free(place);
		free(v);
		return names;
	}
	for (size_t i = 0; i < p->g.first[p->g.n]; i++)
		if (!isnan(c->number[p->g.rows[i]]))
			v[m++] = c->number[p->g.rows[i]];
	qsort(v, m, sizeof(*v), num_compare);
	for (size_t i = 0; i < m; i++)
		if (!*n || v[*n - 1] < v[i])
			v[(*n)++] = v[i];
	names = xmalloc((*n + 1) * sizeof(*names));
	for (size_t i = 0; i < *n; i++)
		names[i] = xasprintf("%.12g", v[i]);
	for (size_t i = 0; i < p->g.first[p->g.n]; i++) {
		size_t row = p->g.rows[i];
		const double *at = isnan(c->number[row]) ? NULL :
		    bsearch(&c->number[row], v, *n, sizeof(*v), num_compare);
		code[row] = at ? (uint32_t)(at - v) : NO_WORD;
	}
	free(v);
	return names;
}

/* Medians, rows by columns; NaN: none. */
static double *
medians_of(const struct plotting *p, const size_t *shown, size_t rows, const uint32_t *code,
    size_t columns)
{
	double *all = xmalloc((rows * columns + 1) * sizeof(*all));
	for (size_t i = 0; i < rows; i++) {
		size_t first = p->g.first[shown[i]], last = p->g.first[shown[i] + 1];
		double *v = xmalloc((last - first + 1) * sizeof(*v));
		for (size_t c = 0; c < columns; c++) {
			size_t n = 0;
			for (size_t k = first; k < last; k++)
				if (code[p->g.rows[k]] == c &&
				    !isnan(p->of[0].column->number[p->g.rows[k]]))
					v[n++] = p->of[0].column->number[p->g.rows[k]];
			all[i * columns + c] = n ? quantile_median(v, n) : NAN;
		}
		free(v);
	}
	return all;
}

/* Three digits without an exponent. */
static char *
short_number(double x)
{
	double unit = pow(10, floor(log10(fabs(x))) - 2);
	return fabs(x) >= 1000 && fabs(x) < 1e6 ? xasprintf("%.0f", round(x / unit) * unit)
	    : xasprintf("%.3g", x);
}

/* One row of the view: the medians of a group. */
static void
add_cells(struct plotting *p, json_t *values, const struct rows *r, size_t i, const double *v,
    const char *against, char *const *names, size_t columns, double ratio)
{
	double wide = r->room / (double)columns;
	for (size_t c = 0; c < columns; c++) {
		json_t *row = plot_row(r, i);
		char *text = short_number(v[c] * ratio);
		figure_set_text(row, "a", "%s", names[c]);
		figure_set_number(row, "v", v[c] * ratio);
		if (wide > TEXT_CELL && (isnan(v[c]) || plot_text_px(text, PX_SMALL) < wide - 2))
			figure_set_text(row, "t", "%s", isnan(v[c]) ? "–" : text);
		if (p->f.wants_tips && !isnan(v[c])) {
			char *value = plot_value_text(p, &p->of[0].unit, v[c]);
			figure_set_text(row, "tip", "%s, %s %s: %s", r->names[i], against, names[c],
			    value);
			free(value);
		}
		json_array_append_new(json_object_get(values, "rows"), row);
		free(text);
	}
}

void
plot_heatmap(struct plotting *p)
{
	size_t rows, columns;
	struct measure median = p->of[0];
	median.stat = STAT_MEDIAN;
	size_t *shown = plot_choose_groups(p, &median, p->by_value, &rows);
	uint32_t *code = xmalloc((p->t->n_rows + 1) * sizeof(*code));
	char **names = columns_of(p, code, &columns);
	double *v = medians_of(p, shown, rows, code, columns), least = INFINITY, most = -INFINITY;
	for (size_t i = 0; i < rows * columns; i++)
		if (!isnan(v[i])) {
			least = fmin(least, v[i]);
			most = fmax(most, v[i]);
		}
	if (!(least <= most))
		plot_empty_figure(p);
	struct rows r;
	plot_rows_start(p, &r, shown, rows, 1, 0);
	r.high = fmax(r.high, HEAT_ROW * (double)rows);
	json_t *values = plot_rows_values(p, &r, 0);
	char *title = metric_column_title(p->of[0].name);
	char *against = metric_column_title(p->against[0]->name);
	struct value_axis a = plot_value_axis(p, values, "v", title, &p->of[0].unit, least, most);
	/* The colours end with the values. */
	json_object_set_new(json_object_get(values, "v_scale"), "domain",
	    json_pack("[f, f]", a.least, a.most));
	figure_set_text(values, "x_title", "%s", against);
	for (size_t i = 0; i < rows; i++)
		add_cells(p, values, &r, i, v + i * columns, against, names, columns,
		    a.ratio);
	plot_figure_note(&p->f, "Colours: medians; –: no value.");
	plot_figure_view(&p->f, "heatmap", values);
	plot_rows_free(&r);
	plot_text_free(names, columns);
	free(code);
	free(title);
	free(against);
	free(shown);
	free(v);
}
