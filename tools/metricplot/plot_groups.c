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
#include "plot_figure.h"
#include "plot_groups.h"
#include "plot_scale.h"
#include "plot_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_PX = 14, ROW_PX_FEW = 20, ROWS_FEW = 12, PANE_LEAST_PX = 84, PANE_GAP = 22, AXIS_PX = 40 };
#define LABEL_MOST 0.36
#define MOSTLY_MS 0.1
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
		default: x = quantile_sorted(v, n, m->stat == STAT_PERCENTILE ? m->p : 0.5, Q_LINEAR); break;
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
		plot_figure_note(p->f, "Shown: the largest %zu of %zu by %s.", *n, p->g.n, what);
		free(what);
	}
	if (!by_value)
		qsort(v, *n, sizeof(*v), by_group);
	for (size_t i = 0; i < *n; i++)
		shown[i] = v[i].group;
	free(v);
	return shown;
}

char *
plot_measure_title(const struct measure *m)
{
	static const char *const words[] = {[STAT_SUM] = "total ", [STAT_MEAN] = "mean ", [STAT_MEDIAN] = "median ", [STAT_MIN] = "least ", [STAT_MAX] = "peak "};
	if (m->stat == STAT_COUNT)
		return xstrdup("count");
	char *name = unit_title(m->name), *all;
	if (m->stat == STAT_RATIO) {
		char *over = unit_title(m->over);
		all = xasprintf("%s / %s", name, over);
		free(over);
	} else if (m->stat == STAT_PERCENTILE) {
		all = xasprintf("p%g of %s", 100 * m->p, name);
	} else {
		all = xasprintf("%s%s", m->stat < COUNT(words) && words[m->stat] ? words[m->stat] : "", name);
	}
	free(name);
	return all;
}

char *
plot_axis_title(const char *title, const struct unit *u, double largest, bool log_scale, bool binary, double *ratio)
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
		return plot_scale_number(value);
	unit_print(&b, value, u, p->binary);
	return b.p;
}

void
plot_die_empty(const struct plotting *p)
{
	die(ST_UNKNOWN, "nothing to draw: %s", !p->t->n_rows ? "the table has no rows" : !p->g.n ? "no row matches --where" : "none of these columns has a value");
}

void
plot_rows_start(struct plotting *p, struct rows *r, char **names, size_t n, size_t panes, double right_px)
{
	double widest = 0, whole = p->f->width;
	*r = (struct rows){.n = n, .panes = panes, .names = names, .right_px = right_px};
	for (size_t i = 0; i < n; i++)
		widest = fmax(widest, plot_text_px(names[i], PX_TEXT));
	r->label_px = fmin(widest, whole * LABEL_MOST);
	r->row_px = n <= ROWS_FEW ? ROW_PX_FEW : ROW_PX;
	double room = whole - r->label_px - 2 * PX_EDGE - 10;
	r->across = panes;
	while (r->across > 1 && room / (double)r->across - PANE_GAP - right_px < PANE_LEAST_PX)
		r->across--;
	/* Distribute the panes evenly over the lines. */
	size_t lines = (panes + r->across - 1) / r->across;
	r->across = (panes + lines - 1) / lines;
	r->wide = room / (double)r->across - PANE_GAP - right_px + (r->across == 1 && !(right_px > 0) ? PANE_GAP - 10 : 0);
	r->top = p->top + 14;
	char *by = plot_text_fit(p->by_title, PX_SMALL, whole / 2);
	bool fits = plot_text_px(by, PX_SMALL) <= r->label_px;
	plot_label(p->f, fits ? PX_EDGE + r->label_px + 3 : PX_EDGE, r->top - 7, fits ? TO_RIGHT : TO_LEFT, PX_SMALL, SOFT, by);
	free(by);
}

struct pane *
plot_rows_pane(struct plotting *p, const struct rows *r, size_t k, const struct scale *x)
{
	double high = (double)r->n * r->row_px, left = PX_EDGE + r->label_px + 10 + (double)(k % r->across) * (r->wide + PANE_GAP + r->right_px);
	double top = r->top + (double)(k / r->across) * (high + AXIS_PX + 6);
	struct pane *pane = plot_pane_add(p->f, left, left + r->wide, top, top + high);
	pane->x = *x;
	plot_scale_names(&pane->y, r->names, k % r->across ? 0 : r->n, true, PX_TEXT, r->label_px);
	pane->y.lo = (double)r->n - 0.5;
	pane->x.grid = true;
	return pane;
}

double
plot_rows_bottom(const struct rows *r)
{
	size_t lines = (r->panes + r->across - 1) / r->across;
	return r->top + (double)lines * ((double)r->n * r->row_px + AXIS_PX + 6);
}

char **
plot_names(const struct plotting *p, const size_t *shown, size_t n)
{
	char **v = xmalloc((n + 1) * sizeof(*v));
	for (size_t i = 0; i < n; i++)
		v[i] = p->names[shown[i]];
	return v;
}

char **
plot_names_fitted(const struct plotting *p, const size_t *shown, size_t n, double room)
{
	char **names = plot_names(p, shown, n), **fits = plot_text_fit_names(names, n, PX_TEXT, room);
	free(names);
	return fits;
}
