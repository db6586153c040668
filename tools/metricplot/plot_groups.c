/* plot_groups.c: values of groups, and the rows of groups that most figures have. */
#include "base/buf.h"
#include "base/nbscope.h"
#include "base/die.h"
#include "table/bins.h"
#include "table/column_unit.h"
#include "table/derive.h"
#include "table/list.h"
#include "table/rows_where.h"
#include "table/stat_figure.h"
#include "table/table_group.h"
#include "table/table_read.h"
#include "text/unit.h"
#include "metric/metric_column.h"
#include "plot_figure.h"
#include "plot_groups.h"
#include "plot_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ROW_PX = 14,
	ROW_PX_FEW = 20,
	ROWS_FEW = 12,
	PANE_LEAST_PX = 84,
	PANE_GAP = 20,
	PANEL_PX = 150,
	PANEL_HIGH = 90,
	PANEL_AXIS_PX = 46,
	DECADE_PX = 90,
	POWER_PX = 28,
};
#define MAX_LABEL 0.36
#define MOSTLY_MS 0.1
#define MIN_PLAIN 1e-4	/* numbers of an axis without an exponent */
#define MAX_PLAIN 1e12
#define MOSTLY_HOURS 36000

double *
plot_sorted_values(const struct plotting *p, size_t group, const struct column *c, size_t *n)
{
	size_t invalid, rows = p->g.first[group + 1] - p->g.first[group];
	double *v = xmalloc((rows + 1) * sizeof(*v));
	*n = table_group_values(&p->g, group, c, v, &invalid);
	quantile_sort(v, *n);
	return v;
}

/* Only rows that have both columns: otherwise the ratio would divide by an incomplete sum. */
static double
ratio_of_sums(const struct plotting *p, const struct measure *m, size_t group)
{
	struct exact above = {0}, below = {0};
	bool any = false;
	for (size_t i = p->g.first[group]; i < p->g.first[group + 1]; i++) {
		double a = m->column->number[p->g.rows[i]], b = m->divisor->number[p->g.rows[i]];
		if (isnan(a) || isnan(b))
			continue;
		exact_add(&above, a);
		exact_add(&below, b);
		any = true;
	}
	double whole = exact_value(&below);
	return any && whole != 0 ? exact_value(&above) / whole / m->unit.factor : NAN;
}

double
plot_measure_group(const struct plotting *p, const struct measure *m, size_t group)
{
	if (m->stat == STAT_COUNT)
		return (double)(p->g.first[group + 1] - p->g.first[group]);
	if (m->stat == STAT_RATIO)
		return ratio_of_sums(p, m, group);
	size_t n;
	double *v = plot_sorted_values(p, group, m->column, &n), x = NAN;
	if (n)
		switch (m->stat) {
		case STAT_SUM: x = exact_sum(v, n); break;
		case STAT_MEAN: x = exact_sum(v, n) / (double)n; break;
		case STAT_MIN: x = v[0]; break;
		case STAT_MAX: x = v[n - 1]; break;
		default: x = quantile_sorted(v, n, m->stat == STAT_PERCENTILE ? m->p : 0.5,
		    Q_LINEAR); break;
		}
	free(v);
	return x;
}

struct ordered {
	double value;
	size_t group;
};

static int
by_largest(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;
	if (isnan(x->value) != isnan(y->value))
		return isnan(x->value) ? 1 : -1;
	if (x->value < y->value || x->value > y->value)
		return x->value < y->value ? 1 : -1;
	return x->group < y->group ? -1 : x->group > y->group;
}

static int
by_group(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;
	return x->group < y->group ? -1 : x->group > y->group;
}

size_t *
plot_choose_groups(struct plotting *p, const struct measure *m, bool by_value, size_t *n)
{
	struct ordered *v = xmalloc((p->g.n + 1) * sizeof(*v));
	size_t *shown = xmalloc((p->g.n + 1) * sizeof(*shown));
	for (size_t i = 0; i < p->g.n; i++)
		v[i] = (struct ordered){plot_measure_group(p, m, i), i};
	qsort(v, p->g.n, sizeof(*v), by_largest);
	*n = p->g.n < p->most ? p->g.n : p->most;
	if (*n < p->g.n) {
		char *what = plot_measure_title(m);
		plot_figure_note(&p->f, "Shown: the largest %zu of %zu by %s.", *n, p->g.n, what);
		free(what);
	}
	if (!by_value)
		qsort(v, *n, sizeof(*v), by_group);
	for (size_t i = 0; i < *n; i++)
		shown[i] = v[i].group;
	free(v);
	return shown;
}

char **
plot_fit_names(struct plotting *p, const size_t *shown, size_t n, double room_px)
{
	char **names = xmalloc((n + 1) * sizeof *names), **fits, *keys;
	for (size_t i = 0; i < n; i++)
		names[i] = p->names[shown[i]];
	fits = plot_text_fit_names(names, n, PX_TEXT, room_px, &keys);
	if (keys && !p->has_short_names)
		plot_figure_note(&p->f, "Names: %s.", keys);
	p->has_short_names |= keys != NULL;
	free(keys);
	free(names);
	return fits;
}

char *
plot_measure_title(const struct measure *m)
{
	static const char *const words[] = {[STAT_SUM] = "total ", [STAT_MEAN] = "mean ",
	    [STAT_MEDIAN] = "median ", [STAT_MIN] = "least ", [STAT_MAX] = "peak "};
	if (m->stat == STAT_COUNT)
		return xstrdup("count");
	char *name = metric_column_title(m->name), *all;
	if (m->stat == STAT_RATIO) {
		char *over = metric_column_title(m->over);
		all = xasprintf("%s / %s", name, over);
		free(over);
	} else if (m->stat == STAT_PERCENTILE) {
		all = xasprintf("p%g of %s", 100 * m->p, name);
	} else {
		const char *word = m->stat < COUNT(words) && words[m->stat] ? words[m->stat] : "";
		/* "peak memory" is one already. */
		bool said = strncmp(name, word, strlen(word)) == 0;
		all = xasprintf("%s%s", said ? "" : word, name);
	}
	free(name);
	return all;
}

char *
plot_axis_title(const char *title, const struct unit *u, double largest, bool log_scale,
    bool binary, double *ratio)
{
	double s = largest * u->factor;
	/* Powers of ten of minutes are not readable. */
	if (log_scale && u->quantity == OF_TIME && s > MOSTLY_MS && s < MOSTLY_HOURS)
		largest = 1 / u->factor;
	struct unit suits = unit_suits(u, largest, binary, ratio);
	return *suits.symbol ? xasprintf("%s (%s)", title, suits.symbol) : xstrdup(title);
}

bool
plot_wants_log(const struct plotting *p, double least, double most, double spread)
{
	static bool told;
	if (p->log == LOG_YES && !(least > 0) && !told) {
		warn("an axis is linear despite --log: not all of its values are above 0");
		told = true;
	}
	return least > 0 && p->log != LOG_NO && (p->log == LOG_YES || most / least > spread);
}

char *
plot_value_text(const struct plotting *p, const struct unit *u, double value)
{
	struct buf b = {0};
	if (isnan(value))
		return xstrdup("unknown");
	if (u->quantity == OF_NOTHING)
		return xasprintf("%.4g", value);
	unit_print(&b, value, u, p->binary);
	return b.p;
}

_Noreturn void
plot_empty(struct plotting *p, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *text = xvasprintf(fmt, ap);
	va_end(ap);
	if (!p->is_one_of_several)
		die(ST_UNKNOWN, "%s", text);
	warn("%s: %s", p->f.id, text);
	free(text);
	longjmp(p->empty, 1);
}

_Noreturn void
plot_empty_figure(struct plotting *p)
{
	plot_empty(p, "nothing to draw: %s", !p->t->n_rows ? "the table has no rows" :
	    !p->g.n ? "no row matches --where" : "none of these columns has a value");
}

void
plot_scale_widen(bool log_scale, double *least, double *most)
{
	double lo = *least, hi = *most, times = hi > lo ? pow(hi / lo, 0.02) : 1.5;
	double more = hi > lo ? (hi - lo) / 50 : hi != 0 ? fabs(hi) / 10 : 1;
	*least = log_scale ? lo / times : lo - more;
	*most = log_scale ? hi * times : hi + more;
}

/* A scale of many decades has ticks at powers of ten only, unless it is long. */
static void
set_decades(json_t *axis, double px, double least, double most)
{
	double decades = log10(most / least), step = ceil(decades * POWER_PX / px);
	if (decades < 2 || px / decades >= DECADE_PX)
		return;
	json_t *ticks = json_array();
	for (double k = ceil(log10(least) / step) * step; k <= log10(most); k += step)
		json_array_append_new(ticks, json_real(pow(10, k)));
	if (json_array_size(ticks) > 1)
		json_object_set(axis, "values", ticks);
	json_decref(ticks);
}

void
plot_set_scale(json_t *values, const char *name, bool log_scale, bool zero, double least,
    double most)
{
	char *scale = xasprintf("%s_scale", name), *axis = xasprintf("%s_axis", name);
	double largest = fmax(fabs(least), fabs(most));
	plot_scale_widen(log_scale, &least, &most);
	json_object_set_new(values, scale, zero ? json_pack("{s:b, s:b}", "zero", 1, "nice", 1) :
	    json_pack("{s:s, s:[f, f], s:b, s:b}", "type", log_scale ? "log" : "linear", "domain",
	    least, most, "nice", 0, "zero", 0));
	json_object_set_new(values, axis, json_object());
	bool up = strcmp(name, "y") == 0;
	double px = json_number_value(json_object_get(values, up ? "height" :
	    json_object_get(values, "room") ? "room" : "width"));
	/* Labels that are above each other are closer. */
	if (log_scale)
		set_decades(json_object_get(values, axis), up ? 2 * px : px, least, most);
	else if ((largest > 0 && largest < MIN_PLAIN) || largest > MAX_PLAIN)
		json_object_set_new(json_object_get(values, axis), "format", json_string("~e"));
	free(scale);
	free(axis);
}

void
plot_set_one_look(json_t *values, const char *name)
{
	char *colour = xasprintf("%s_colour", name), *shape = xasprintf("%s_shape", name);
	json_object_set_new(values, colour, json_pack("{s:o}", "value",
	    figure_theme_value("blue")));
	json_object_set_new(values, shape, json_pack("{s:s}", "value", "circle"));
	free(colour);
	free(shape);
}

void
plot_rows_start(struct plotting *p, struct rows *r, const size_t *shown, size_t n, size_t panes,
    double right_px)
{
	double widest = 0, whole = p->f.width;
	r->names = plot_fit_names(p, shown, n, whole * MAX_LABEL);
	for (size_t i = 0; i < n; i++)
		widest = fmax(widest, plot_text_px(r->names[i], PX_TEXT));
	double room = r->room = whole - widest - 2 * PX_EDGE - 10;
	size_t across = panes;
	while (across > 1 && room / (double)across - PANE_GAP - right_px < PANE_LEAST_PX)
		across--;
	/* Distribute the panes evenly over the lines. */
	size_t lines = (panes + across - 1) / across;
	r->n = n;
	r->panes = panes;
	r->across = p->f.across = (panes + lines - 1) / lines;
	r->wide = panes == 1 ? whole : room / (double)r->across - PANE_GAP - right_px;
	r->high = (double)n * (n <= ROWS_FEW ? ROW_PX_FEW : ROW_PX);
}

json_t *
plot_rows_values(const struct plotting *p, const struct rows *r, size_t k)
{
	json_t *v = json_pack("{s:f, s:f, s:[], s:[]}", "width", round(r->wide), "height", r->high,
	    "rows", "unknown_rows");
	figure_set_text(v, "by", "%s", k % r->across ? "" : p->by_title);
	if (k % r->across)
		json_object_set_new(v, "g_axis", json_pack("{s:b, s:b}", "labels", 0, "ticks", 0));
	if (r->panes == 1) {
		json_object_set_new(v, "room", json_real(r->room));
		json_object_set_new(v, "autosize", json_pack("{s:s, s:s}", "type", "fit-x",
		    "contains", "padding"));
	}
	json_object_set_new(v, "unknown", json_null());
	if (!p->f.wants_tips)
		json_object_set_new(v, "tooltip", json_null());
	return v;
}

json_t *
plot_row(const struct rows *r, size_t i)
{
	return json_pack("{s:s}", "g", r->names[i]);
}

void
plot_rows_unknown(json_t *values, const struct rows *r, size_t i)
{
	json_array_append_new(json_object_get(values, "unknown_rows"), plot_row(r, i));
	json_object_del(values, "unknown");
}

void
plot_rows_free(struct rows *r)
{
	plot_text_free(r->names, r->n);
}

json_t *
plot_panels(const struct plotting *p, size_t n, double apart_px, size_t *columns)
{
	double whole = p->f.width - 2 * PX_EDGE;
	*columns = (size_t)(whole / PANEL_PX);
	*columns = *columns < 1 ? 1 : *columns > n ? n : *columns;
	size_t lines = (n + *columns - 1) / *columns;
	*columns = (n + lines - 1) / lines;
	double wide = n == 1 ? p->f.width : (whole - PANEL_AXIS_PX) / (double)*columns - apart_px;
	json_t *v = json_pack("{s:f, s:f, s:i, s:[]}", "width", round(wide), "height",
	    n == 1 ? fmin(whole * 0.55, 260) : PANEL_HIGH, "columns", (int)*columns, "rows");
	if (n == 1)
		json_object_set_new(v, "autosize", json_pack("{s:s, s:s}", "type", "fit-x",
		    "contains", "padding"));
	if (!p->f.wants_tips)
		json_object_set_new(v, "tooltip", json_null());
	return v;
}
