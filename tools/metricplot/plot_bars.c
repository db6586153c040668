/* plot_bars.c: figures with one number for each group: bars, largest, ranked. */
#include "plot_bars.h"
#include "base/die.h"
#include "base/nbscope.h"
#include "figure_template.h"
#include "plot_categories.h"
#include "plot_figure.h"
#include "plot_groups.h"
#include "plot_text.h"

#include <math.h>
#include <stdlib.h>

enum { RANK_PANEL = 10, ROW_STEP = 15, RANK_WORDS_PX = 96, BAR_SPREAD = 30, LABEL_GAP = 6 };

static double
largest_of(const double *v, size_t n)
{
	double most = NAN;
	for (size_t i = 0; i < n; i++)
		most = isnan(most) || v[i] > most ? isnan(v[i]) ? most : v[i] : most;
	return most;
}

/* On a logarithmic axis, which has no zero, the groups are dots. */
double
plot_bar_scale(struct plotting *p, json_t *values, const char *title, const struct unit *unit,
    const double *v, size_t n)
{
	double least = INFINITY, most = largest_of(v, n), low = 0, ratio;
	char *axis;
	for (size_t i = 0; i < n; i++) {
		if (v[i] > 0)
			least = fmin(least, v[i]);
		low = fmin(low, isnan(v[i]) ? 0 : v[i]);
	}
	bool zero = low < 0 || !(most > 0);
	bool log = plot_wants_log(p, zero ? low : least, most, BAR_SPREAD);
	axis = plot_axis_title(title, unit, log ? sqrt(least * most) : fmax(most, -low), log,
	    p->binary, &ratio);
	figure_set_text(values, "x_title", "%s", axis);
	plot_set_scale(values, "x", log, !log, (log ? least : low) * ratio, most * ratio);
	json_object_set_new(values, "mark", json_pack("{s:s}", "type", log ? "point" : "bar"));
	if (log)
		json_object_set_new(json_object_get(values, "mark"), "size", json_integer(40));
	free(axis);
	return ratio;
}

/* A count has all its digits. */
static char *
bar_text(const struct plotting *p, const struct measure *m, double value)
{
	return m->stat == STAT_COUNT ? xasprintf("%.0f", value) :
	    plot_value_text(p, &m->unit, value);
}

/* Each bar in the colour of its class. */
static void
set_levels(const struct plotting *p, json_t *values)
{
	plot_category_key(p, values, false);
	json_object_set_new(values, "bar_colour", figure_template_fill("bar_levels", values));
}

static json_t *
bars_of(struct plotting *p, const struct rows *r, size_t k, const struct measure *m,
    const double *v)
{
	json_t *values = plot_rows_values(p, r, k);
	char *title = plot_measure_title(m);
	double ratio = plot_bar_scale(p, values, title, &m->unit, v, r->n);
	json_object_set_new(values, "sums", json_null());
	if (m == p->coloured)
		set_levels(p, values);
	for (size_t i = 0; i < r->n; i++) {
		json_t *row = plot_row(r, i);
		char *value = bar_text(p, m, v[i]);
		figure_set_number(row, "x", v[i] * ratio);
		if (!isnan(v[i])) {
			figure_set_number(row, "end", fmax(v[i], 0) * ratio);
			figure_set_text(row, "v", "%s", value);
		}
		if (m == p->coloured && !isnan(v[i]))
			figure_set_text(row, "c", "%s", plot_category_name(p,
			    bins_find(&p->categories, v[i])));
		if (p->f.wants_tips)
			figure_set_text(row, "tip", "%s: %s %s", r->names[i], title, value);
		json_array_append_new(json_object_get(values, "rows"), row);
		if (isnan(v[i]))
			plot_rows_unknown(values, r, i);
		free(value);
	}
	free(title);
	return values;
}

/* The width of the widest label of a bar, with the space before it. */
static double
labels_px(const struct plotting *p, const struct measure *m, const double *v, size_t n)
{
	double widest = 0;
	for (size_t i = 0; i < n; i++) {
		char *text = bar_text(p, m, v[i]);
		widest = fmax(widest, plot_text_px(text, PX_SMALL) + LABEL_GAP);
		free(text);
	}
	return widest;
}

void
plot_bars(struct plotting *p)
{
	size_t n;
	size_t *shown = plot_choose_groups(p, &p->of[0], p->by_value, &n);
	double *v = xmalloc((p->n_of * n + 1) * sizeof(*v)), labels = 0;
	struct rows r;
	for (size_t k = 0; k < p->n_of; k++) {
		for (size_t i = 0; i < n; i++)
			v[k * n + i] = plot_measure_group(p, &p->of[k], shown[i]);
		labels = fmax(labels, labels_px(p, &p->of[k], v + k * n, n));
	}
	bool any = !isnan(largest_of(v, p->n_of * n));
	plot_rows_start(p, &r, shown, n, p->n_of, labels);
	for (size_t k = 0; k < p->n_of; k++)
		plot_figure_view(&p->f, "bars", bars_of(p, &r, k, &p->of[k], v + k * n));
	if (!any)
		plot_empty_figure(p);
	plot_rows_free(&r);
	free(v);
	free(shown);
}

/* Regardless of the number that is shown. */
size_t *
plot_ranks(struct plotting *p, const struct measure *m, double **value, double *whole)
{
	size_t n, most = p->most;
	p->most = SIZE_MAX;
	size_t *shown = plot_choose_groups(p, m, true, &n);
	p->most = most;
	*value = xmalloc((n + 1) * sizeof(**value));
	*whole = 0;
	for (size_t i = 0; i < n; i++) {
		(*value)[i] = plot_measure_group(p, m, shown[i]);
		*whole += isnan((*value)[i]) ? 0 : (*value)[i];
	}
	if (isnan(largest_of(*value, n)))
		plot_empty_figure(p);
	if (!(*whole > 0))
		plot_empty(p, "nothing to draw: the groups sum to %g, so shares are undefined",
		    *whole);
	return shown;
}

/* That of all others is grey. */
void
plot_bar_shares(json_t *values, const double *v, size_t rows, double whole, bool others)
{
	double cumulated = 0;
	json_t *all = json_object_get(values, "rows");
	for (size_t i = 0; i < rows; i++) {
		json_t *row = json_array_get(all, i);
		cumulated += v[i];
		figure_set_text(row, "t", "%.1f %% · %.1f %%", 100 * v[i] / whole,
		    fmin(100, 100 * cumulated / whole));
		if (others && i + 1 == rows)
			json_object_set_new(row, "rest", json_true());
	}
	json_object_del(values, "sums");
}

void
plot_largest(struct plotting *p)
{
	double *v, whole, sum = 0, enough;
	size_t *shown = plot_ranks(p, &p->of[0], &v, &whole), n = 0, group = 0;
	enough = whole * (p->upto / 100 - 1e-12);
	while (n < p->g.n && n < p->most && !isnan(v[n]) && sum < enough)
		sum += v[n++];
	size_t others = p->g.n - n, rows = n + (others > 0);
	if (n == p->most && n < p->g.n && sum < enough)
		plot_figure_note(&p->f,
		    "The largest %zu of %zu are %.1f %% of the total, not %g %%.", n,
		    p->g.n, 100 * sum / whole, p->upto);
	if (others) {
		group = shown[n];
		v[n] = whole - sum;
	}
	char *own = p->names[group];
	if (others)
		p->names[group] = xasprintf("%zu other%s", others, others == 1 ? "" : "s");
	struct rows r;
	plot_rows_start(p, &r, shown, rows, 1, 0);
	p->names[group] = own;
	enum log_wish wish = p->log;
	p->log = wish == LOG_AUTO ? LOG_NO : wish;
	json_t *values = bars_of(p, &r, 0, &p->of[0], v);
	p->log = wish;
	json_object_set_new(values, "labels", json_null());
	plot_bar_shares(values, v, rows, whole, others);
	plot_figure_note(&p->f, "At the right: share of the total, and cumulated.");
	plot_figure_view(&p->f, "bars", values);
	plot_rows_free(&r);
	free(shown);
	free(v);
}

static void
add_rank(struct plotting *p, json_t *rows, const char *name, size_t rank, size_t group,
    double value,
    double whole)
{
	size_t count = p->g.first[group + 1] - p->g.first[group];
	json_t *row = json_pack("{s:s}", "g", name);
	char *share = isnan(value) ? xstrdup("unknown") : xasprintf("%.2f", 100 * value / whole),
	    *text = plot_value_text(p, &p->of[0].unit, value);
	figure_set_number(row, "x", value);
	figure_set_text(row, "share", "%s", share);
	figure_set_text(row, "count", "%zu", count);
	if (p->f.wants_tips)
		figure_set_text(row, "tip", "%zu. %s: %s, %s %%, %zu rows", rank, p->names[group],
		    text,
		    share, count);
	json_array_append_new(rows, row);
	free(share);
	free(text);
}

void
plot_ranked(struct plotting *p)
{
	double *v, whole, widest = 0;
	size_t *shown = plot_ranks(p, &p->of[0], &v, &whole);
	size_t n = p->g.n < p->most ? p->g.n : p->most;
	size_t panels = (n + RANK_PANEL - 1) / RANK_PANEL;
	size_t columns = p->f.width > 500 && panels > 1 ? 2 : 1;
	double wide = p->f.width / (double)columns - PX_EDGE;
	if (n < p->g.n)
		plot_figure_note(&p->f, "Shown: the largest %zu of %zu.", n, p->g.n);
	char **fits = plot_fit_names(p, shown, n, wide * 0.45);
	for (size_t i = 0; i < n; i++)
		widest = fmax(widest, plot_text_px(fits[i], PX_TEXT));
	for (size_t k = 0; k < panels; k++) {
		size_t first = k * RANK_PANEL, m = n - first < RANK_PANEL ? n - first : RANK_PANEL;
		json_t *values = json_pack("{s:f, s:i, s:[], s:n, s:n, s:s, s:{s:[i, f], s:b}}",
		    "width",
		    round(fmax(wide - widest - RANK_WORDS_PX - 34, 30)), "height",
		    (int)m * ROW_STEP,
		    "rows", "g_axis", p->f.wants_tips ? "-" : "tooltip", "by", "", "x_scale",
		    "domain", 0, v[0],
		    "nice", 0);
		for (size_t i = first; i < first + m; i++)
			add_rank(p, json_object_get(values, "rows"), fits[i], i + 1, shown[i], v[i],
			    whole);
		plot_figure_view(&p->f, "ranked", values);
	}
	p->f.across = columns;
	char *title = plot_measure_title(&p->of[0]), *all = plot_value_text(p, &p->of[0].unit,
	    whole);
	plot_figure_note(&p->f, "Bars and percentages: %s; total %s.", title, all);
	plot_text_free(fits, n);
	free(title);
	free(all);
	free(shown);
	free(v);
}
