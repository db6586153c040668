/* plot_ab.c: several labels, each cell's runs as a row of points. */
#include "base/nbscope.h"
#include "base/die.h"
#include "text/unit.h"
#include "plot_ab.h"
#include "plot_figure.h"
#include "plot_groups.h"
#include "plot_scale.h"

#include <math.h>
#include <stdlib.h>

enum { LOG_SPREAD = 20, AB_WORDS = 52 };

/* The group's values of one label, ascending. */
static double *
label_values(const struct plotting *p, size_t group, size_t label, size_t *n)
{
	double *v = xmalloc((p->g.first[group + 1] - p->g.first[group] + 1) * sizeof(*v));
	*n = 0;
	for (size_t i = p->g.first[group]; i < p->g.first[group + 1]; i++) {
		size_t row = p->g.rows[i];
		if (p->against[0]->code[row] == label && !isnan(p->of[0].column->number[row]))
			v[(*n)++] = p->of[0].column->number[row];
	}
	quantile_sort(v, *n);
	return v;
}

static void
ab_row(struct plotting *p, struct pane *pane, const uint32_t *label, size_t labels, size_t group, const char *name, double row, double ratio)
{
	size_t n;
	double median[2] = {NAN, NAN}, share = 0.7 / (double)labels;
	for (size_t k = 0; k < labels; k++) {
		double *v = label_values(p, group, label[k], &n), y = row - 0.35 + share * ((double)k + 0.5);
		struct style s = plot_style(k), tick = {INK, 1, 1.5, DISC, 0};
		s.size = k == 1 ? 5.5 : 4.5;
		s.alpha = 0.75;
		plot_pane_again(pane, MARK_POINT, s);
		for (size_t i = 0; i < n; i++) {
			plot_xy(pane, v[i] * ratio, y);
			char *value = p->f->wants_tips ? plot_value_text(p, &p->of[0].unit, v[i]) : NULL;
			plot_tip(p->f, pane, v[i] * ratio, v[i] * ratio, y, y, "%s, %s: %s", name, p->against[0]->words[label[k]], value);
			free(value);
		}
		double middle = n ? quantile_sorted(v, n, 0.5, Q_LINEAR) : NAN;
		if (n) {
			plot_pane_again(pane, MARK_LINE, tick);
			plot_xy(pane, middle * ratio, y - share * 0.55);
			plot_xy(pane, middle * ratio, y + share * 0.55);
		}
		if (k < 2)
			median[k] = middle;
		free(v);
	}
	if (labels != 2)
		return;
	double change = 100 * (median[1] / median[0] - 1);
	char *text = isfinite(change) ? xasprintf("%+.1f %%", fabs(change) < 0.05 ? 0 : change) : xstrdup("unknown");
	plot_label(p->f, p->f->width - PX_EDGE, plot_pane_y(pane, row), TO_RIGHT, PX_SMALL, INK, text);
	free(text);
}

/* The labels of the rows that are shown, in the order of the table;
 * labels beyond the limit are only counted. */
static size_t
labels_of(const struct plotting *p, uint32_t *label)
{
	size_t n = 0;
	for (uint32_t k = 0; k < p->against[0]->n_words; k++)
		for (size_t i = 0; i < p->g.first[p->g.n]; i++)
			if (p->against[0]->code[p->g.rows[i]] == k) {
				if (n < STYLES_N)
					label[n] = k;
				n++;
				break;
			}
	return n;
}

void
plot_ab(struct plotting *p)
{
	uint32_t label[STYLES_N];
	size_t n, labels = labels_of(p, label);
	double least = INFINITY, most = -INFINITY, ratio;
	struct measure median = p->of[0];
	median.stat = STAT_MEDIAN;
	if (labels < 2 || labels > STYLES_N)
		die(ST_UNKNOWN, "nothing to compare: '%s' has %zu value%s, and 2 to %d are required", p->against[0]->name, labels, labels == 1 ? "" : "s", STYLES_N);
	size_t *shown = plot_choose_groups(p, &median, p->by_value, &n);
	struct key keys[STYLES_N];
	for (size_t k = 0; k < labels; k++) {
		keys[k] = (struct key){plot_style(k), MARK_POINT, p->against[0]->words[label[k]]};
		keys[k].style.size = 5;
	}
	p->top = plot_figure_key(p->f, PX_EDGE, p->top, keys, labels);
	for (size_t i = 0; i < n; i++) {
		size_t m;
		double *v = plot_sorted_values(p, shown[i], p->of[0].column, &m);
		if (m) {
			least = fmin(least, v[0]);
			most = fmax(most, v[m - 1]);
		}
		free(v);
	}
	if (!(least <= most))
		plot_die_empty(p);
	struct rows r;
	char **names = plot_names(p, shown, n), *title = unit_title(p->of[0].name);
	plot_rows_start(p, &r, names, n, 1, labels == 2 ? AB_WORDS : 0);
	r.row_px = fmax(r.row_px, 9.0 * (double)labels);
	bool log = plot_wants_log(p, least, most, LOG_SPREAD);
	struct scale x = {.title = plot_axis_title(title, &p->of[0].unit, log ? sqrt(least * most) : fmax(fabs(least), fabs(most)), log, p->binary, &ratio)};
	plot_scale_fit(&x, least * ratio, most * ratio, log, r.wide, false);
	struct pane *pane = plot_rows_pane(p, &r, 0, &x);
	for (size_t i = 0; i < n; i++)
		ab_row(p, pane, label, labels, shown[i], names[i], (double)i, ratio);
	plot_figure_note(p->f, labels == 2 ? "Points: each run; tick: median; right: change of the median." : "Points: each run; tick: median.");
	plot_figure_foot(p->f, plot_rows_bottom(&r));
	free(title);
	free(names);
	free(shown);
}
