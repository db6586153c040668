/* plot_groups.c: the groups of a figure, their statistics, and which of them are shown. */
#include "plot_groups.h"
#include "base/die.h"
#include "base/str.h"
#include "metric/metric_column.h"
#include "metric/phase.h"
#include "plot_kind.h"
#include "plot_row.h"
#include "table/table_options.h"

/* ---- groups ----------------------------------------------------------------------------- */

char *
plot_groups_name(const struct plotting *p, size_t group)
{
	struct buf b = {0};
	const struct list *by = &p->plan->by;
	buf_addf(&b, "%s", by->n ? "" : "all");
	for (size_t i = 0; i < by->n; i++) {
		char *key = table_group_key(&p->s.g, group, i);
		bool is_param = str_ends_with(by->v[i], "_param");
		if (is_param)
			buf_addf(&b, "%s%.*s=%s", i ? " " : "", (int)(strlen(by->v[i]) -
			    strlen("_param")), by->v[i], key ? key : "(none)");
		else
			buf_addf(&b, "%s%s", i ? " / " : "", key ? key : "(none)");
		free(key);
	}
	return b.p;
}

/* ---- columns ---------------------------------------------------------------------------- */

/* Replaces the columns of a cell's phases, in their order, so that the phases that are shown add
 * up: one that is unknown or not shown takes no time, in the rows with times. */
static void
show_phases(struct plotting *p, struct table *t)
{
	struct column *shown[N_PHASES];
	struct phase_times spent;
	for (enum phase k = 0; k < N_PHASES; k++)
		shown[k] = table_add_numbers(t, phase_defs[k].name);
	for (size_t row = 0; row < t->n_rows; row++) {
		for (enum phase k = 0; k < N_PHASES; k++)
			spent.s[k] = p->of[k].column->number[row];
		bool separate = phase_is_separable(&spent);
		for (enum phase k = 0; k < N_PHASES && !isnan(spent.s[PHASE_KERNEL]); k++)
			shown[k]->number[row] = phase_is_shown(k, separate) && !isnan(spent.s[k]) ?
			    spent.s[k] : 0;
	}
	for (enum phase k = 0; k < N_PHASES; k++)
		p->of[k].column = shown[k];
}

/* The sum or median of some rows is not that of all. */
static void
note_missing(struct plotting *p, const struct measure *m, size_t without, size_t rows)
{
	char *name = plot_measure_name(m), *over = m->over ? metric_column_title(m->over) : NULL;
	char *text = xasprintf("%zu of %zu rows %s no %s%s%s.", without, rows, without == 1 ?
	    "has" : "have", name, over ? ", or no " : "", over ? over : "");
	if (without)
		plot_note(p, text);
	free(text);
	free(name);
	free(over);
}

/* Counts the rows without a value of each measure, and those with one that has no logarithm. */
static void
count_rows(struct plotting *p, const struct table *t, const bool *keep)
{
	size_t rows = 0, low = 0, *without = xmalloc((p->n_of + 1) * sizeof *without);
	memset(without, 0, (p->n_of + 1) * sizeof *without);
	for (size_t i = 0; i < t->n_rows; i++) {
		bool is_low = false;
		for (size_t k = 0; k < p->n_of && (!keep || keep[i]); k++) {
			const struct measure *m = &p->of[k];
			double x = m->column ? m->column->number[i] : 0;
			without[k] += isnan(x) || (m->divisor && isnan(m->divisor->number[i]));
			is_low |= x <= 0;
		}
		rows += !keep || keep[i];
		low += is_low;
	}
	for (size_t k = p->plan->n_fixed; k < p->n_of - p->plan->n_params; k++)
		note_missing(p, &p->of[k], without[k], rows);
	free(without);
	json_object_set_new(p->facts, "low", json_integer(plot_kind_is(p->kind, "positive",
	    NULL) ? (json_int_t)low : 0));
}

static void
find_columns(struct plotting *p, struct table *t)
{
	const char *key = plot_kind_text(p->kind, "key", NULL);
	for (size_t i = 0; i < p->n_of; i++) {
		struct measure *m = &p->of[i];
		m->column = m->counts ? NULL : xtable_column(t, m->name, true);
		m->divisor = m->over ? xtable_column(t, m->over, true) : NULL;
	}
	if (key && strcmp(key, "category") == 0) {
		static size_t n;
		char *name = xasprintf("%s category %zu", p->plan->categories.column, ++n);
		p->key = xderive_classes(t, name, &p->plan->categories);
		free(name);
	} else if (key) {
		p->key = xtable_column(t, p->plan->against.v[0], false);
	}
}

/* ---- statistics ------------------------------------------------------------------------- */

static void
compute_figures(struct plotting *p, struct stat_table *s, struct table *t)
{
	s->t = *t;
	s->of = xmalloc((p->n_of + 1) * sizeof *s->of);
	s->wanted = xmalloc((p->n_of + 1) * sizeof *s->wanted);
	xstat_rule(&s->rule, "iqr");
	p->stat_column = xrealloc(p->stat_column, (p->n_of + 1) * sizeof *p->stat_column);
	for (size_t i = 0; i < p->n_of; i++) {
		const struct measure *m = &p->of[i];
		if (!m->column || m->divisor)
			continue;
		char *all = xasprintf("5,25,50,75,95,%s", m->stat[0] == 'p' ? m->stat : "50");
		p->stat_column[i] = s->n_of;
		s->wanted[s->n_of] = (struct wanted){0};
		xstat_percentiles(&s->wanted[s->n_of], all);
		free(all);
		s->of[s->n_of++] = m->column;
	}
	stat_figures(s, plot_kind_is(p->kind, "groups", "far"));
}

void
plot_groups_make(struct plotting *p, struct table *t, const bool *keep)
{
	size_t n_by = p->plan->by.n;
	struct column **by = xtable_options_columns(t, &p->plan->by, false);
	find_columns(p, t);
	count_rows(p, t, keep);
	if (plot_kind_is(p->kind, "phases", NULL) && p->plan->n_fixed == N_PHASES)
		show_phases(p, t);
	table_group_make(&p->s.g, t, by, n_by, keep);
	compute_figures(p, &p->s, t);
	if (p->key) {
		bool in_order = p->key->in_order;
		p->key->in_order |= plot_kind_is(p->kind, "against", "words");
		by = xrealloc(by, (n_by + 1) * sizeof(*by));
		by[n_by] = p->key;
		table_group_make(&p->keys, t, &p->key, 1, keep);
		table_group_make(&p->cells.g, t, by, n_by + 1, keep);
		p->key->in_order = in_order;
		compute_figures(p, &p->cells, t);
	}
	free(by);
}

void
plot_groups_free(struct plotting *p)
{
	free(p->shown);
	free(p->place);
	free(p->far);
	free(p->share);
	free(p->stat_column);
	stat_figures_free(&p->s);
	stat_figures_free(&p->cells);
	table_group_free(&p->keys);
}

/* ---- choice ----------------------------------------------------------------------------- */

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

/* "sum@2" of a group: that statistic of the second measure. */
static double
number_of(const struct plotting *p, const char *name, size_t group)
{
	struct row r = {.p = p, .pane = &p->all, .s = &p->s, .group = group};
	return plot_row_number(&r, name);
}

static void
set_shares(struct plotting *p, const char *of)
{
	p->share = xmalloc((p->s.g.n + 1) * sizeof *p->share);
	for (size_t i = 0; i < p->s.g.n; i++) {
		p->share[i] = number_of(p, of, i);
		p->whole += isnan(p->share[i]) ? 0 : p->share[i];
	}
	for (size_t i = 0; i < p->s.g.n; i++)
		p->share[i] = p->whole > 0 ? 100 * p->share[i] / p->whole : NAN;
}

/* The first groups, whose shares reach --upto percent. */
static size_t
reach_upto(const struct plotting *p, const struct ordered *v, size_t most)
{
	double sum = 0, enough = p->plan->o.upto - 1e-10;
	size_t n = 0;
	for (; n < most && !isnan(p->share[v[n].group]) && sum < enough; n++)
		sum += p->share[v[n].group];
	return n;
}

/* Which of n groups in order are shown; returns the first. */
static size_t
choose_window(struct plotting *p, const struct ordered *v, size_t n)
{
	const struct figure_options *o = &p->plan->o;
	size_t most = (size_t)o->top / (p->plan->n_params ? p->plan->n_params : 1);
	size_t from = o->rank_to ? (size_t)o->rank_from - 1 : 0;
	if (from >= n)
		plot_empty(p, "nothing to draw: there are %zu groups, and the first rank is %ld",
		    n, o->rank_from);
	n = o->rank_to && (size_t)o->rank_to < n ? (size_t)o->rank_to - from : n - from;
	most = most ? most : 1;
	p->n_shown = n < most ? n : most;
	if (plot_kind_is(p->kind, "groups", "upto")) {
		p->n_shown = reach_upto(p, v, p->n_shown);
		p->n_rest = plot_kind_is(p->kind, "groups", "rest") ? p->s.g.n - p->n_shown : 0;
	}
	return from;
}

/* Of n groups with values, those that are shown begin with `from` in their order. */
static void
set_facts(struct plotting *p, size_t n, size_t from)
{
	const struct figure_options *o = &p->plan->o;
	struct row r = {.p = p, .pane = &p->all};
	char *title = plot_row_text(&r, plot_kind_text(p->kind, "groups", o->rank_to ?
	    "share_title" : "order_title"), false);
	size_t rows = p->s.g.first[p->s.g.n];
	bool is_top = p->n_shown == (size_t)o->top, cut = p->n_shown < n;
	bool is_short = is_top && p->shown_share < o->upto;
	bool repeated = rows > p->s.g.n;
	bool upto_only = plot_kind_is(p->kind, "groups", "upto");
	json_object_update_new(p->facts, json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, "
	    "s:i}", "groups", (int)p->n_shown, "all", (int)p->s.g.n, "known", (int)n, "empty",
	    (int)(p->s.g.n - n), "held", (int)p->n_held, "first", (int)from + 1, "last",
	    (int)(from + p->n_shown), "measures", (int)p->n_of, "keys", (int)p->keys.n, "rows",
	    (int)rows));
	json_object_update_new(p->facts, json_pack("{s:b, s:b, s:b, s:b, s:b, s:b, s:o}", "rank",
	    o->rank_to != 0, "cut", cut, "short", is_short, "upto_only", upto_only, "grouped",
	    p->plan->by.n != 0, "repeated", repeated, "order", plot_kind_string(title)));
	plot_kind_set_number(p->facts, "upto", o->upto);
	plot_kind_set_number(p->facts, "share", p->shown_share);
	plot_kind_set_number(p->facts, "whole", p->whole);
	free(title);
}

void
plot_groups_choose(struct plotting *p)
{
	const struct figure_options *o = &p->plan->o;
	const char *share = plot_kind_text(p->kind, "groups", "share");
	const char *order = plot_kind_text(p->kind, "groups", o->rank_to ? "share" : "order");
	bool always = plot_kind_is(p->kind, "groups", "always") || o->rank_to;
	bool known = plot_kind_is(p->kind, "groups", "known");
	struct ordered *v = xmalloc((p->s.g.n + 1) * sizeof(*v));
	size_t n = p->s.g.n;
	p->shown = xmalloc((n + 1) * sizeof(*p->shown));
	set_shares(p, share ? share : order);
	for (size_t i = 0; i < p->s.g.n; i++) {
		double x = number_of(p, order, i);
		v[i] = (struct ordered){known && !isnan(x) ? 0 : x, i};
		n -= known && isnan(x);
	}
	qsort(v, p->s.g.n, sizeof(*v), by_largest);
	if (always && !(p->whole > 0))
		plot_empty(p, "nothing to draw: the groups sum to %g, so shares are undefined",
		    p->whole);
	p->n_held = reach_upto(p, v, n);
	size_t from = choose_window(p, v, n);
	for (size_t i = from; !always && !o->by_value && i < from + p->n_shown; i++)
		v[i].value = 0;
	qsort(v + from, p->n_shown, sizeof(*v), by_largest);
	p->place = xmalloc((p->s.g.n + 1) * sizeof *p->place);
	memset(p->place, 0xff, (p->s.g.n + 1) * sizeof *p->place);
	for (size_t i = 0; i < p->n_shown; i++) {
		p->shown[i] = v[from + i].group;
		p->place[p->shown[i]] = i;
		p->shown_share += p->share[p->shown[i]];
	}
	p->all.to = p->n_shown + (p->n_rest > 0);
	set_facts(p, n, from);
	free(v);
}
