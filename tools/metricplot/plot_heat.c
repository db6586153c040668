/* plot_heat.c: heat map: medians by the values of a parameter. */
#include "plot_heat.h"
#include "base/die.h"
#include "base/num.h"
#include "plot_figure.h"
#include "plot_groups.h"
#include "plot_scale.h"
#include "plot_text.h"
#include "text/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_SPREAD = 20, HEAT_STEPS = 32, HEAT_ROW = 16, HEAT_WIDEST = 90, TEXT_CELL = 30 };

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
			place[i] = (uint32_t)((char **)bsearch(&c->words[i], names, *n, sizeof(*names), by_word) - names);
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
	double apart = plot_scale_step(v, *n);
	for (size_t i = 0; i < *n; i++)
		names[i] = plot_scale_tick_text(v[i], apart);
	for (size_t i = 0; i < p->g.first[p->g.n]; i++) {
		size_t row = p->g.rows[i];
		const double *at = isnan(c->number[row]) ? NULL : bsearch(&c->number[row], v, *n, sizeof(*v), num_compare);
		code[row] = at ? (uint32_t)(at - v) : NO_WORD;
	}
	free(v);
	return names;
}

/* Medians, rows by columns; NaN: none. */
static double *
medians_of(const struct plotting *p, const size_t *shown, size_t rows, const uint32_t *code, size_t columns)
{
	double *all = xmalloc((rows * columns + 1) * sizeof(*all));
	for (size_t i = 0; i < rows; i++) {
		size_t first = p->g.first[shown[i]], last = p->g.first[shown[i] + 1];
		double *v = xmalloc((last - first + 1) * sizeof(*v));
		for (size_t c = 0; c < columns; c++) {
			size_t n = 0;
			for (size_t k = first; k < last; k++)
				if (code[p->g.rows[k]] == c && !isnan(p->of[0].column->number[p->g.rows[k]]))
					v[n++] = p->of[0].column->number[p->g.rows[k]];
			all[i * columns + c] = n ? quantile_median(v, n) : NAN;
		}
		free(v);
	}
	return all;
}

static double
shade(double v, double least, double most, bool log_scale)
{
	if (!(most > least))
		return 0.5;
	return log_scale ? (log(v) - log(least)) / (log(most) - log(least)) : (v - least) / (most - least);
}

static unsigned
heat(double share)
{
	return plot_ramp(floor(share * (HEAT_STEPS - 1) + 0.5) / (HEAT_STEPS - 1));
}

/* The legend of the colours: a strip with an axis; returns the y below. */
static double
heat_key(struct plotting *p, double least, double most, bool log_scale, double ratio, char *title)
{
	double left = PX_EDGE + plot_text_px(title, PX_TEXT) + 10, right = fmin(p->f->width - PX_EDGE - 14, left + 220);
	struct pane *pane = plot_pane_add(p->f, left, right, p->top + 2, p->top + 12);
	plot_label(p->f, PX_EDGE, p->top + 7, TO_LEFT, PX_TEXT, INK, title);
	plot_scale_fit(&pane->x, least * ratio, most * ratio, log_scale, right - left, false);
	/* The axis ends with the colours. */
	if (most > least) {
		pane->x.lo = least * ratio;
		pane->x.hi = most * ratio;
	}
	pane->x.bare = true;
	pane->y = (struct scale){.lo = 0, .hi = 1, .bare = true};
	for (size_t i = 0; i < HEAT_STEPS; i++) {
		double a = (double)i / HEAT_STEPS, b = (double)(i + 1) / HEAT_STEPS, lo = pane->x.lo, hi = pane->x.hi;
		struct style s = {heat((double)i / (HEAT_STEPS - 1)), 1, 1, DISC, 0};
		plot_pane_layer(pane, MARK_BAR, s);
		plot_pane_bar(pane, pane->x.log ? lo * pow(hi / lo, a) : lo + (hi - lo) * a, pane->x.log ? lo * pow(hi / lo, b) : lo + (hi - lo) * b, 0, 1);
	}
	return p->top + 34;
}

static void
heat_cells(struct plotting *p, struct pane *pane, const double *v, size_t rows, size_t columns, char *const *names, char *const *values, const double *reach, bool log_scale, double ratio)
{
	double wide = (pane->right - pane->left) / (double)columns;
	for (size_t i = 0; i < rows * columns; i++) {
		double x = (double)(i % columns), y = (double)(i / columns);
		if (isnan(v[i])) {
			if (wide > 8)
				plot_label(p->f, plot_pane_x(pane, x), plot_pane_y(pane, y), TO_MIDDLE, PX_SMALL, FAINT, "–");
			continue;
		}
		struct style s = {heat(shade(v[i], reach[0], reach[1], log_scale)), 1, 1, DISC, 0};
		plot_pane_again(pane, MARK_BAR, s);
		plot_pane_bar(pane, x - 0.5, x + 0.5, y - 0.5, y + 0.5);
		char *text = plot_scale_number(v[i] * ratio), *value = plot_value_text(p, &p->of[0].unit, v[i]);
		if (wide > TEXT_CELL && plot_text_px(text, PX_SMALL) < wide - 2)
			plot_label(p->f, plot_pane_x(pane, x), plot_pane_y(pane, y), TO_MIDDLE, PX_SMALL, plot_ink_on(s.rgb), text);
		plot_tip(p->f, pane, x - 0.5, x + 0.5, y - 0.5, y + 0.5, "%s, %s %s: %s", names[i / columns], p->against[0]->name, values[i % columns], value);
		free(text);
		free(value);
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
	char **values = columns_of(p, code, &columns), **names = plot_names(p, shown, rows);
	double *v = medians_of(p, shown, rows, code, columns), reach[2] = {INFINITY, -INFINITY}, ratio, widest = 0;
	for (size_t i = 0; i < rows * columns; i++)
		if (!isnan(v[i])) {
			reach[0] = fmin(reach[0], v[i]);
			reach[1] = fmax(reach[1], v[i]);
		}
	if (!(reach[0] <= reach[1]))
		plot_die_empty(p);
	bool log_scale = plot_wants_log(p, reach[0], reach[1], LOG_SPREAD);
	char *name = unit_title(p->of[0].name), *title = plot_axis_title(name, &p->of[0].unit, log_scale ? sqrt(reach[0] * reach[1]) : reach[1], log_scale, p->binary, &ratio);
	p->top = heat_key(p, reach[0], reach[1], log_scale, ratio, title);
	struct rows r;
	plot_rows_start(p, &r, names, rows, 1, 0);
	r.row_px = fmax(r.row_px, HEAT_ROW);
	r.wide = fmin(r.wide, HEAT_WIDEST * (double)columns);
	struct scale x = {.title = unit_title(p->against[0]->name), .bare = true};
	for (size_t c = 0; c < columns; c++)
		widest = fmax(widest, plot_text_px(values[c], PX_TEXT));
	double wide = r.wide / (double)columns, room = fmin(widest, fmax(wide * 2, 80));
	size_t every = (size_t)ceil((room + 6) / wide);
	x.lo = -0.5, x.hi = (double)columns - 0.5;
	for (size_t c = 0; c < columns; c += every) {
		char *fits = plot_text_fit(values[c], PX_TEXT, room);
		plot_scale_tick(&x, (double)c, fits);
		free(fits);
	}
	struct pane *pane = plot_rows_pane(p, &r, 0, &x);
	pane->x.grid = false;
	pane->y.bare = true;
	heat_cells(p, pane, v, rows, columns, names, values, reach, log_scale, ratio);
	plot_figure_note(p->f, "Colours: medians; –: no value.");
	plot_figure_foot(p->f, plot_rows_bottom(&r));
	for (size_t c = 0; c < columns; c++)
		free(values[c]);
	free(values);
	free(names);
	free(code);
	free(name);
	free(title);
	free(shown);
	free(v);
}
