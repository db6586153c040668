/* plot_groups.c: the groups of a figure, their statistics, and which of them are shown. */
#include "plot_groups.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/str.h"
#include "figure_template.h"
#include "metric/metric_column.h"
#include "metric/phase.h"
#include "plot_kind.h"
#include "table/table_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- statistics ------------------------------------------------------------------------- */

/* The last value within the limits of outliers. */
static double
whisker_end(const struct stat_table *s, const struct stat_figure *f, bool high)
{
	double end = NAN;
	for (size_t i = s->g.first[f->group]; i < s->g.first[f->group + 1]; i++) {
		double x = s->of[f->column]->number[s->g.rows[i]];
		if (!isnan(x) && !stat_is_outlier(f, x))
			end = high ? fmax(end, x) : fmin(end, x);
	}
	return end;
}

static double
percentile(const struct stat_table *s, const struct stat_figure *f, double p)
{
	const struct wanted *w = &s->wanted[f->column];
	for (size_t i = 0; i < w->n; i++)
		if (fabs(w->p[i] - p) < 1e-9)
			return stat_percentiles(s, f)[i];
	return NAN;
}

double
plot_groups_number(const struct plotting *p, const struct stat_table *s, size_t group,
    size_t measure, const char *name)
{
	double rows = s->g.first[group + 1] - s->g.first[group];
	const struct measure *m = &p->of[measure];
	name = strcmp(name, "value") == 0 ? m->stat : name;
	if (strcmp(name, "rows") == 0 || !m->column)
		return strcmp(name, "rows") == 0 ? rows : NAN;
	if (m->divisor)
		return stat_ratio_of_sums(s, group, m->column->number, m->divisor->number,
		    1 / m->unit.factor);
	const struct stat_figure *f = stat_figure(s, group, p->stat_column[measure]);
	const struct {
		const char *name;
		double v;
	} numbers[] = {{"n", (double)f->d.n}, {"sum", f->d.n ? f->d.sum : NAN},
	    {"mean", f->d.mean}, {"sd", f->d.std}, {"min", f->d.min}, {"max", f->d.max}};
	for (size_t i = 0; i < COUNT(numbers); i++)
		if (strcmp(name, numbers[i].name) == 0)
			return numbers[i].v;
	if (strcmp(name, "low") == 0 || strcmp(name, "high") == 0)
		return whisker_end(s, f, *name == 'h');
	return name[0] == 'p' ? percentile(s, f, strtod(name + 1, NULL) / 100) : NAN;
}

/* ---- groups ----------------------------------------------------------------------------- */

/* "n_images=3 side=500", as a combination is called everywhere; else the values alone. */
static void
add_group_key(struct buf *b, const char *column, const char *key)
{
	size_t n = strlen(column) - strlen("_param");
	if (str_ends_with(column, "_param"))
		buf_addf(b, "%s%.*s=%s", b->n ? " " : "", (int)n, column, key);
	else
		buf_addf(b, "%s%s", b->n ? " / " : "", key);
}

static void
name_groups(struct plotting *p, struct column *const *by, size_t n_by)
{
	struct buf title = {0};
	p->names = json_array();
	for (size_t g = 0; g < p->s.g.n; g++) {
		struct buf b = {0};
		for (size_t i = 0; i < n_by; i++) {
			char *key = table_group_key(&p->s.g, g, i);
			add_group_key(&b, by[i]->name, key ? key : "(none)");
			free(key);
		}
		json_array_append_new(p->names, figure_text(b.p ? b.p : "all"));
		buf_free(&b);
	}
	for (size_t i = 0; i < n_by; i++) {
		char *name = metric_column_title(by[i]->name);
		buf_addf(&title, "%s%s", i ? " / " : "", name);
		free(name);
	}
	p->by_title = title.p ? title.p : xstrdup("");
}

/* The mean of phases is of the rows with times: a phase that is unknown or not shown takes none. */
static void
set_phase_columns(struct plotting *p, struct table *t)
{
	const struct column *of[N_PHASES];
	for (size_t k = 0; k < N_PHASES; k++) {
		of[k] = xtable_column(t, p->of[k].name, true);
		p->of[k].column = table_add_numbers(t, p->of[k].title);
	}
	for (size_t row = 0; row < t->n_rows; row++) {
		struct phase_times spent;
		for (size_t k = 0; k < N_PHASES; k++)
			spent.s[k] = of[k]->number[row];
		bool separate = phase_is_separable(&spent);
		for (enum phase k = 0; k < N_PHASES && !isnan(spent.s[PHASE_KERNEL]); k++)
			p->of[k].column->number[row] = phase_is_shown(k, separate) &&
			    !isnan(spent.s[k]) ? spent.s[k] : 0;
	}
}

static void
find_columns(struct plotting *p, struct table *t)
{
	bool phases = plot_shows(p->plan, "phases");
	for (size_t i = 0; i < p->n_of && !phases; i++) {
		struct measure *m = &p->of[i];
		m->column = m->counts ? NULL : xtable_column(t, m->name, true);
		m->divisor = m->over ? xtable_column(t, m->over, true) : NULL;
	}
	if (phases)
		set_phase_columns(p, t);
	const char *key = plot_kind_text(p->kind, "key", NULL);
	if (key && strcmp(key, "category") == 0) {
		static size_t n;
		char *name = xasprintf("%s category %zu", p->plan->categories.column, ++n);
		p->key = xderive_classes(t, name, &p->plan->categories);
		free(name);
	} else if (key) {
		p->key = xtable_column(t, p->plan->against.v[0], false);
	}
}

static void
compute_figures(struct plotting *p, struct stat_table *s, struct table *t)
{
	const char *marked = p->plan->o.percentiles;
	s->t = *t;
	s->derived = table_options.derived;
	s->of = xmalloc((p->n_of + 1) * sizeof *s->of);
	s->wanted = xmalloc((p->n_of + 1) * sizeof *s->wanted);
	xstat_rule(&s->rule, "iqr");
	p->stat_column = xrealloc(p->stat_column, (p->n_of + 1) * sizeof *p->stat_column);
	for (size_t i = 0; i < p->n_of; i++) {
		const struct measure *m = &p->of[i];
		if (!m->column || m->divisor)
			continue;
		const char *own = m->stat[0] == 'p' ? m->stat + 1 : "50";
		char *all = xasprintf("5,25,50,75,95,%s%s%s", own, *marked ? "," : "",
		    marked);
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
	size_t n_by = p->plan->by.n, group = 0;
	struct column **by = xtable_options_columns(t, &p->plan->by, false);
	find_columns(p, t);
	table_group_make(&p->s.g, t, by, n_by, keep);
	name_groups(p, by, n_by);
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
	/* Cells are in the order of their groups, and have the same rows. */
	p->cell_group = xmalloc((p->cells.g.n + 1) * sizeof *p->cell_group);
	for (size_t i = 0; i < p->cells.g.n; i++) {
		while (p->cells.g.first[i] >= p->s.g.first[group + 1])
			group++;
		p->cell_group[i] = group;
	}
	free(by);
}

void
plot_groups_free(struct plotting *p)
{
	json_decref(p->names);
	json_decref(p->labels);
	free(p->short_name);
	free(p->by_title);
	free(p->shown);
	free(p->place);
	free(p->far);
	free(p->share);
	free(p->cell_group);
	free(p->stat_column);
	stat_figures_free(&p->s);
	stat_figures_free(&p->cells);
	table_group_free(&p->keys);
}
