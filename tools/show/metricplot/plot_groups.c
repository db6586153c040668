/* plot_groups.c: the groups of a figure, their statistics, and which of them are shown. */
#include "plot_groups.h"
#include "base/die.h"
#include "base/num.h"
#include "metric/phase.h"
#include "plot_kind.h"
#include "plot_stat.h"
#include "table/having.h"
#include "table/table_options.h"

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

/* Counts the rows with a measure that is not above 0, and has no logarithm. */
static void
count_low(struct plotting *p)
{
	for (size_t i = 0; i < p->s.g.first[p->s.g.n]; i++) {
		bool is_low = false;
		for (size_t k = 0; k < p->plan->n_of; k++)
			is_low |= p->of[k].column && p->of[k].column->number[p->s.g.rows[i]] <= 0;
		p->low += is_low;
	}
}

static void
find_columns(struct plotting *p, struct table *t)
{
	const char *key = plot_kind_text(p->plan->kind, "key", NULL);
	for (size_t i = 0; i < p->plan->n_of; i++) {
		struct measure *m = &p->of[i];
		m->column = m->counts ? NULL : xtable_column(t, m->name, true);
		m->divisor = m->over ? xderive_divisor(t, m->name, m->over) : NULL;
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
	const struct list *more = &p->plan->having_columns;
	size_t most = p->plan->n_of + more->n;
	s->of = xmalloc((most + 1) * sizeof *s->of);
	s->wanted = memset(xmalloc((most + 1) * sizeof *s->wanted), 0, most * sizeof *s->wanted);
	xstat_rule(&s->rule, "iqr");
	p->stat_column = xrealloc(p->stat_column, (p->plan->n_of + 1) * sizeof *p->stat_column);
	for (size_t i = 0; i < p->plan->n_of; i++) {
		const struct measure *m = &p->of[i];
		if (!m->column || m->divisor)
			continue;
		p->stat_column[i] = s->n_of;
		xstat_percentiles(&s->wanted[s->n_of], "5,25,50,75,95");
		s->of[s->n_of++] = m->column;
	}
	for (size_t i = 0; i < more->n; i++)
		s->of[s->n_of++] = xtable_column(t, more->v[i], true);
	stat_figures(s, plot_kind_is(p->plan->kind, "groups", "far"));
}

static void
set_styles(struct plotting *p, const struct table *t, struct column **by)
{
	struct groups all;
	table_group_make(&all, t, by, p->plan->by.n, NULL);
	struct num_at *v = xmalloc((all.n + 1) * sizeof *v);
	p->style = xmalloc((t->n_rows + 1) * sizeof *p->style);
	for (size_t g = 0; g < all.n; g++) {
		v[g] = (struct num_at){0, g};
		for (size_t k = all.first[g]; k < all.first[g + 1]; k++)
			v[g].x += num_or_0(p->of[0].column->number[all.rows[k]]);
	}
	qsort(v, all.n, sizeof *v, num_descending);
	for (uint32_t rank = 0; rank < all.n; rank++)
		for (size_t k = all.first[v[rank].at]; k < all.first[v[rank].at + 1]; k++)
			p->style[all.rows[k]] = rank;
	free(v);
	table_group_free(&all);
}

void
plot_groups_make(struct plotting *p, struct table *t, const bool *keep)
{
	size_t n_by = p->plan->by.n;
	struct column **by = xtable_options_columns(t, &p->plan->by, false);
	find_columns(p, t);
	if (plot_kind_is(p->plan->kind, "phases", NULL) && p->plan->n_fixed == N_PHASES)
		show_phases(p, t);
	table_group_make(&p->s.g, t, by, n_by, keep);
	if (plot_kind_is(p->plan->kind, "positive", NULL))
		count_low(p);
	compute_figures(p, &p->s, t);
	if (plot_kind_is(p->plan->kind, "groups", "styled"))
		set_styles(p, t, by);
	if (p->key) {
		bool in_order = p->key->in_order;
		p->key->in_order |= plot_kind_is(p->plan->kind, "against", "words");
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
	if (p->parts != p->shown)
		free(p->parts);
	free(p->shown);
	free(p->far);
	free(p->style);
	free(p->share);
	free(p->stat_column);
	stat_figures_free(&p->s);
	stat_figures_free(&p->cells);
	table_group_free(&p->keys);
}

/* ---- choice ----------------------------------------------------------------------------- */

/* "sum@2" of a group: that statistic of the second measure. */
static double
number_of(const struct plotting *p, const char *full, size_t group)
{
	const char *at = strchr(full, '@');
	size_t measure = at ? strtoul(at + 1, NULL, 10) - 1 : 0;
	char *name = xasprintf("%.*s", (int)strcspn(full, "@"), full);
	double x = measure < p->plan->n_of ? plot_stat(p, &p->s, group, measure, name) : NAN;
	free(name);
	return x;
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
reach_upto(const struct plotting *p, const struct num_at *v, size_t most)
{
	double sum = 0, enough = p->plan->o.upto - 1e-10;
	size_t n = 0;
	for (; n < most && !isnan(p->share[v[n].at]) && sum < enough; n++)
		sum += p->share[v[n].at];
	return n;
}

/* Which groups in order are shown; returns the first. */
static size_t
choose_window(struct plotting *p, const struct num_at *v)
{
	const struct figure_options *o = &p->plan->o;
	size_t most = (size_t)o->top / (p->plan->n_params ? p->plan->n_params : 1);
	size_t from = o->rank_to ? (size_t)o->rank_from - 1 : 0, to = p->n_known;
	from = from < to ? from : to;
	to = o->rank_to && (size_t)o->rank_to < to ? (size_t)o->rank_to : to;
	most = most ? most : 1;
	p->n_shown = to - from < most ? to - from : most;
	if (plot_kind_is(p->plan->kind, "groups", "upto") || (p->plan->by_share && !o->rank_to)) {
		p->n_shown = reach_upto(p, v, p->n_shown);
		p->n_rest = plot_kind_is(p->plan->kind, "groups", "rest") ?
		    p->s.g.n - p->n_shown : 0;
	}
	return from;
}

/* The cells of the groups that are shown, in their order, which is that of all groups: a group
 * and its cells have the same rows. */
static void
choose_cells(struct plotting *p)
{
	size_t *place = xmalloc((p->s.g.n + 1) * sizeof *place);
	memset(place, 0xff, (p->s.g.n + 1) * sizeof *place);
	for (size_t i = 0; i < p->n_shown; i++)
		place[p->shown[i].group] = i;
	p->parts = xmalloc((p->cells.g.n + 1) * sizeof *p->parts);
	p->n_parts = 0;
	for (size_t i = 0, group = 0; i < p->cells.g.n; i++) {
		while (p->cells.g.first[i] >= p->s.g.first[group + 1])
			group++;
		if (place[group] != SIZE_MAX)
			p->parts[p->n_parts++] = (struct part){i, place[group]};
	}
	free(place);
}

void
plot_groups_choose(struct plotting *p)
{
	const struct figure_options *o = &p->plan->o;
	const json_t *kind = p->plan->kind;
	const char *share = plot_kind_text(kind, "groups", "share");
	const char *order = o->sort == SORT_COUNT ? "rows" :
	    plot_kind_text(kind, "groups", p->plan->by_share ? "share" : "order");
	bool always = plot_kind_is(kind, "groups", "always") || o->rank_to;
	bool known = plot_kind_is(kind, "groups", "known");
	struct num_at *v = xmalloc((p->s.g.n + 1) * sizeof *v);
	struct conditions having = p->plan->having;
	p->s.chosen = xhaving_chosen(&p->s, &having);
	set_shares(p, share ? share : order);
	for (size_t i = 0; i < p->s.g.n; i++) {
		double x = number_of(p, order, i);
		bool met = stat_is_chosen(&p->s, i), shown = met && !(known && isnan(x));
		v[i] = (struct num_at){!shown ? (double)NAN : known ? 0 : isnan(x) ?
		    -(double)INFINITY : x, i};
		p->n_known += shown;
		p->n_unmet += !met;
	}
	qsort(v, p->s.g.n, sizeof *v, num_descending);
	p->n_held = reach_upto(p, v, p->n_known);
	size_t from = choose_window(p, v);
	for (size_t i = from; !always && !o->sort && i < from + p->n_shown; i++)
		v[i].x = 0;
	qsort(v + from, p->n_shown, sizeof *v, num_descending);
	p->shown = p->parts = xmalloc((p->n_shown + 1) * sizeof *p->shown);
	for (size_t i = 0; i < p->n_shown; i++) {
		p->shown[i] = (struct part){v[from + i].at, i};
		p->shown_share += p->share[v[from + i].at];
	}
	p->n_parts = p->n_shown;
	if (p->key)
		choose_cells(p);
	free(v);
}
