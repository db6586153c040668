/* plot_model.c: what share/figure/figure.jq gets of a figure. */
#include "plot_model.h"
#include "base/die.h"
#include "figure/figure_theme.h"
#include "json/json_value.h"
#include "metric/metric_column.h"
#include "metric/phase.h"
#include "plot_kind.h"
#include "plot_stat.h"

#include <stdio.h>

static json_t *
text_of(const char *text)
{
	return text ? plot_kind_string(text) : json_null();
}

static json_t *
text_of_key(const struct groups *g, size_t group, size_t i)
{
	char *key = table_group_key(g, group, i);
	json_t *text = text_of(key);
	free(key);
	return text;
}

/* The texts, or the titles of the columns of these names. */
static json_t *
list_of(const struct list *texts, bool titles)
{
	json_t *all = json_array();
	for (size_t i = 0; i < texts->n; i++) {
		char *title = titles ? metric_column_title(texts->v[i]) : NULL;
		json_array_append_new(all, text_of(title ? title : texts->v[i]));
		free(title);
	}
	return all;
}

/* The measure, and which values all rows have. */
static json_t *
measure_of(const struct plotting *p, size_t k)
{
	struct measure *m = &p->of[k];
	double least = INFINITY, most = -INFINITY, above_0 = INFINITY;
	size_t missing = 0;
	for (size_t i = 0; m->column && i < p->s.g.first[p->s.g.n]; i++) {
		uint32_t row = p->s.g.rows[i];
		double x = m->column->number[row];
		missing += isnan(x) || (m->divisor && isnan(m->divisor->number[row]));
		least = fmin(least, x);	/* ignores NaN */
		most = fmax(most, x);
		above_0 = x > 0 ? fmin(above_0, x) : above_0;
	}
	json_t *all = plot_measure_model(m);
	json_object_update_new(all, json_pack("{s:i, s:o, s:o, s:o, s:b, s:b}", "missing",
	    (int)missing, "least", json_value_real(least), "most", json_value_real(most),
	    "above_0", json_value_real(above_0), "fixed", k < p->plan->n_fixed, "param",
	    k >= p->plan->n_of - p->plan->n_params));
	return all;
}

/* Groups or cells, each with its statistics, its keys and its group's place. */
static json_t *
parts_of(const struct plotting *p, const struct stat_table *s, const struct part *parts,
    size_t n)
{
	json_t *all = json_array();
	for (size_t i = 0; i < n; i++) {
		json_t *one = plot_stat_all(p, s, parts[i].group), *keys = json_array();
		for (size_t k = 0; k < p->plan->by.n + (s == &p->cells); k++)
			json_array_append_new(keys, text_of_key(&s->g, parts[i].group, k));
		json_object_set_new(one, "keys", keys);
		size_t row = s->g.rows[s->g.first[parts[i].group]];
		if (p->style)
			json_object_set_new(one, "style", json_integer(p->style[row]));
		json_object_set_new(one, "place", json_integer((json_int_t)parts[i].place));
		json_array_append_new(all, one);
	}
	return all;
}

/* ---- all -------------------------------------------------------------------------------- */

static void
add_options(json_t *model, const struct figure_plan *f)
{
	const struct figure_options *o = &f->o;
	json_object_update_new(model, json_pack("{s:O, s:O, s:O, s:o, s:o, s:o, s:o}", "kind",
	    f->kind, "shared", plot_kind_shared(), "theme", figure_theme(), "id",
	    text_of(o->id), "output", text_of(o->outputs.n ? o->outputs.v[0] : NULL), "title",
	    text_of(o->title), "subtitle", text_of(o->subtitle)));
	json_object_update_new(model, json_pack("{s:i, s:i, s:f, s:f, s:b, s:b, s:b, s:b, s:b, "
	    "s:o, s:o, s:o, s:o, s:o}", "log", o->log, "bins", (int)o->bins, "width", f->width,
	    "upto", o->upto, "tips", f->wants_tips, "ranked", o->rank_to != 0, "by_share",
	    f->by_share, "log_counts", o->log_counts, "by_count", o->sort == SORT_COUNT,
	    "notes", list_of(&o->notes, false), "having", list_of(&o->having, false), "by",
	    list_of(&f->by, false), "by_titles", list_of(&f->by, true), "against",
	    list_of(&f->against, true)));
}

json_t *
plot_model(const struct plotting *p, size_t table_rows)
{
	const struct figure_plan *f = p->plan;
	json_t *model = json_object(), *measures = json_array(), *keys = json_array();
	json_t *classes = json_array(), *phases = json_array(), *shares = json_array();
	add_options(model, f);
	for (size_t k = 0; k < f->n_of; k++)
		json_array_append_new(measures, measure_of(p, k));
	for (size_t i = 0; p->key && i < p->keys.n; i++)
		json_array_append_new(keys, text_of_key(&p->keys, i, 0));
	for (size_t i = 0; i < f->categories.n; i++)
		json_array_append_new(classes, plot_kind_string(f->categories.v[i].name));
	for (size_t k = 0; k < N_PHASES && plot_kind_is(f->kind, "phases", NULL); k++)
		json_array_append_new(phases, json_pack("[s, s]", phase_defs[k].light,
		    phase_defs[k].dark));
	for (size_t i = 0; i < p->n_shown; i++)
		json_array_append_new(shares, plot_number(p->share[p->shown[i].group]));
	json_object_update_new(model, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
	    "measures", measures, "groups", parts_of(p, &p->s, p->shown, p->n_shown), "cells",
	    parts_of(p, &p->cells, p->parts, p->key ? p->n_parts : 0), "key",
	    text_of(p->key ? p->key->name : NULL), "keys", keys, "classes", classes, "phases",
	    phases, "coloured", f->coloured < f->n_of ? json_integer((json_int_t)f->coloured) :
	    json_null()));
	json_object_update_new(model, json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:b}",
	    "all", (int)p->s.g.n, "unmet", (int)p->n_unmet, "known", (int)p->n_known, "held",
	    (int)p->n_held, "first", f->o.rank_to ? (int)f->o.rank_from : 1, "rows",
	    (int)p->s.g.first[p->s.g.n], "low", (int)p->low, "table_rows", (int)table_rows,
	    "is_top", p->n_shown == (size_t)f->o.top));
	double rest = p->whole * (100 - p->shown_share) / 100;
	json_object_update_new(model, json_pack("{s:o, s:o, s:o, s:i, s:o}", "whole",
	    plot_measure_number(p->of, p->whole, 1, true), "shares", shares, "share",
	    plot_number(p->shown_share), "others", (int)p->n_rest, "rest",
	    plot_measure_number(p->of, rest, 1, true)));
	return model;
}
