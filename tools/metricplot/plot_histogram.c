/* plot_histogram.c: histograms with percentiles, a panel for each group. */
#include "plot_histogram.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/nbscope.h"
#include "metric/metric_column.h"
#include "plot_distribution.h"
#include "plot_figure.h"
#include "plot_text.h"
#include "stats/descriptive.h"

#include <math.h>
#include <stdlib.h>

enum { LEVELS = 3, LEVEL_PX = 10 };

struct histogram {
	struct plotting *p;
	json_t *rows;
	const char *name;	/* of the group, with its count */
	const double *v;
	size_t n;
	struct value_axis axis;
	double wide, high;
};

static json_t *
add_item(const struct histogram *h)
{
	json_t *row = json_pack("{s:s}", "g", h->name);
	json_array_append_new(h->rows, row);
	return row;
}

/* Names that would overlap are one line lower.  Returns the number of lines. */
static size_t
add_percentiles(const struct histogram *h)
{
	size_t lines = 0;
	double used[LEVELS] = {-INFINITY, -INFINITY, -INFINITY};
	const struct value_axis *a = &h->axis;
	for (size_t k = 0; k < h->p->percentiles.n; k++) {
		double percent = 100 * h->p->percentiles.p[k];
		double at = quantile_sorted(h->v, h->n, percent / 100, Q_LINEAR), x = at * a->ratio;
		double share = plot_axis_share(a, x);
		json_t *row = add_item(h);
		size_t level = 0;
		while (level + 1 < LEVELS && share * h->wide < used[level])
			level++;
		figure_set_number(row, "p", x);
		figure_set_number(row, "at", (double)(level * LEVEL_PX));
		figure_set_text(row, "name", "p%g", percent);
		lines = level + 1 > lines ? level + 1 : lines;
		used[level] = share * h->wide + plot_text_px("p99.9", PX_SMALL);
		if (h->p->f.wants_tips) {
			char *value = plot_value_text(h->p, &h->p->of[0].unit, at);
			figure_set_text(row, "tip", "p%g: %s", percent, value);
			free(value);
		}
	}
	return lines;
}

/* The highest bar ends below the percentiles' names. */
static void
add_room(const struct histogram *h, size_t most, size_t lines)
{
	double names = (double)(LEVEL_PX * lines);
	figure_set_number(add_item(h), "room", (double)most / (1 - fmin(names / h->high, 0.5)));
}

/* Returns the largest count. */
static size_t
add_bins(const struct histogram *h)
{
	size_t most = 0, bins = h->p->bins, *count = xmalloc((bins + 1) * sizeof *count);
	const struct value_axis *a = &h->axis;
	double lo = h->v[0] * a->ratio, hi = h->v[h->n - 1] * a->ratio;
	if (a->log)
		lo = log10(lo), hi = log10(hi);
	/* A single value gets a bar in the middle of the axis. */
	double range = a->log ? log10(a->most / a->least) : a->most - a->least, narrow = range > 0 ?
	    range / 80 : a->log ? 0.01 : fmax(fabs(hi) / 100, 1e-300);
	double step = (hi - lo) / (double)bins;
	for (size_t b = 0; b < bins; b++)
		count[b] = 0;
	for (size_t i = 0; i < h->n; i++) {
		double x = h->v[i] * a->ratio, k = step > 0 ? ((a->log ?
		    log10(x) : x) - lo) / step : 0;
		count[k >= (double)bins ? bins - 1 : k < 0 ? 0 : (size_t)k]++;
	}
	for (size_t b = 0; b < bins; b++) {
		double from = step > 0 ? lo + step * (double)b : lo - narrow;
		double to = step > 0 ? from + step : lo + narrow;
		if (!count[b])
			continue;
		json_t *row = add_item(h);
		if (a->log)
			from = pow(10, from), to = pow(10, to);
		figure_set_number(row, "x", from);
		figure_set_number(row, "x2", to);
		json_object_set_new(row, "n", json_integer((json_int_t)count[b]));
		most = count[b] > most ? count[b] : most;
		if (h->p->f.wants_tips) {
			char *one = plot_value_text(h->p, &h->p->of[0].unit, from / a->ratio);
			char *other = plot_value_text(h->p, &h->p->of[0].unit, to / a->ratio);
			figure_set_text(row, "tip", "%s to %s: %zu", one, other, count[b]);
			free(one);
			free(other);
		}
	}
	free(count);
	return most;
}

/* Three digits at least, and no exponent unless it is needed. */
static char *
plain_number(double x)
{
	return fabs(x) >= 1000 && fabs(x) < 1e7 ? xasprintf("%.0f", x) : xasprintf("%.3g", x);
}

/* "N 120, min 0.4 s, mean 2.2 s, sd 3.1 s, max 60 s"; in a panel's heading, which has little
 * room, in lines, without the units, which the axis has. */
static char *
figures_text(const struct histogram *h, bool heading)
{
	struct descriptive d;
	struct buf b = {0};
	descriptive_of(&d, h->v, h->n);
	const struct {
		const char *before;
		double v;
	} figures[] = {{heading ? "\nmin " : ", min ", d.min}, {", mean ", d.mean},
	    {heading ? "\nsd " : ", sd ", d.std}, {", max ", d.max}};
	if (!heading)
		buf_addf(&b, "N %zu", h->n);
	for (size_t i = 0; i < COUNT(figures); i++) {
		char *value = heading ? plain_number(figures[i].v * h->axis.ratio) :
		    plot_value_text(h->p, &h->p->of[0].unit, figures[i].v);
		buf_addf(&b, "%s%s", figures[i].before, isnan(figures[i].v) ? "-" : value);
		free(value);
	}
	return b.p;
}

/* A panel's name, with its figures; those of a single one are a note. */
static char *
panel_name(const struct histogram *h, const char *name, bool alone)
{
	char *figures = h->n ? figures_text(h, !alone) : xstrdup("");
	char *text = xasprintf("%s  (%zu)%s", name, h->n, alone ? "" : figures);
	if (alone && h->n)
		plot_figure_note(&h->p->f, "%s.", figures);
	free(figures);
	return text;
}

void
plot_histogram(struct plotting *p)
{
	size_t n, columns;
	struct measure count = {.stat = STAT_COUNT};
	size_t *shown = plot_choose_groups(p, &count, p->by_value, &n);
	struct spread s;
	plot_spread_of(p, &p->of[0], shown, n, &s);
	if (!(s.least <= s.most))
		plot_empty_figure(p);
	json_t *values = plot_panels(p, n, PANELS_WITH_AXES_APART, &columns);
	char *title = metric_column_title(p->of[0].name);
	struct histogram h = {.p = p, .rows = json_object_get(values, "rows"),
		.wide = json_real_value(json_object_get(values, "width")),
		.high = json_number_value(json_object_get(values, "height")),
		.axis = plot_value_axis(p, values, "x", title, &p->of[0].unit, s.least, s.most)};
	figure_set_text(values, "y_title", n == 1 ? "count" : "");
	char **fits = plot_fit_names(p, shown, n, h.wide - plot_text_px("  (00000)",
	    PX_TEXT));
	for (size_t i = 0; i < n; i++) {
		h.v = s.v[i];
		h.n = s.n[i];
		char *name = panel_name(&h, fits[i], n == 1);
		h.name = name;
		if (h.n) {
			size_t most = add_bins(&h);
			add_room(&h, most, add_percentiles(&h));
		} else {
			json_object_set_new(add_item(&h), "unknown", json_true());
		}
		free(name);
	}
	plot_figure_view(&p->f, n == 1 ? "histogram_one" : "histogram_many", values);
	plot_text_free(fits, n);
	plot_spread_free(&s);
	free(title);
	free(shown);
}
