/* plot_view.c: the views of a figure: their size, axes and data. */
#include "plot_view.h"
#include "base/die.h"
#include "figure_template.h"
#include "figure/figure_theme.h"
#include "plot_axis.h"
#include "plot_groups.h"
#include "plot_kind.h"
#include "plot_names.h"
#include "plot_points.h"
#include "plot_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_ROWS = 12, PANEL_PX = 150, AXIS_PX = 46, GAP_PX = 20 };

/* ---- conditions of a kind --------------------------------------------------------------- */

/* What a condition can ask for, at most this many, or that it holds, and what a note can have. */
static json_t *
facts_of(const struct plotting *p, const struct pane *pane)
{
	size_t k = p->plan->coloured, rows = p->s.g.first[p->s.g.n];
	json_t *facts = json_pack("{s:i, s:i, s:i, s:i, s:b, s:b, s:b, s:b, s:b, s:b, s:i, s:i, "
	    "s:i}", "groups", (int)p->n_shown, "measures", (int)p->n_of, "keys",
	    (int)p->keys.n, "rows", (int)rows, "log_x", pane->x.log, "log_y", pane->y.log, "rank",
	    p->plan->o.rank_to > 0, "grouped", p->plan->by.n > 0, "repeated", rows > p->s.g.n,
	    "coloured", k < p->n_of && pane->of[0] == k, "all", (int)p->s.g.n, "held",
	    (int)p->n_held, "far", (int)p->n_far);
	figure_set_number(facts, "upto", p->plan->o.upto);
	figure_set_number(facts, "share", p->shown_share);
	figure_set_number(facts, "whole", p->whole);
	return facts;
}

static bool
holds(const json_t *facts, const json_t *condition)
{
	const char *name;
	json_t *wanted;
	json_object_foreach((json_t *)condition, name, wanted) {
		const json_t *fact = json_object_get(facts, name);
		if (fact && (json_is_integer(fact) ? json_integer_value(fact) >
		    json_integer_value(wanted) : !json_equal(fact, wanted)))
			return false;
	}
	return true;
}

/* The kind's parts, those of its conditions that hold instead of others. */
static json_t *
parts_of(const struct plotting *p, const struct pane *pane)
{
	json_t *parts = json_object(), *when, *facts = facts_of(p, pane);
	size_t i;
	json_object_update(parts, (json_t *)plot_kind_shared());
	json_object_update(parts, json_object_get(p->kind, "parts"));
	json_array_foreach(json_object_get(p->kind, "when"), i, when)
		if (holds(facts, when))
			json_object_update(parts, json_object_get(when, "set"));
	json_decref(facts);
	return parts;
}

/* ---- sizes ------------------------------------------------------------------------------ */

/* A single view has the width with all around it. */
static void
set_size(json_t *values, double wide, json_t *high, bool single)
{
	json_object_set_new(values, "width", json_real(round(wide)));
	json_object_set_new(values, "height", high);
	if (single)
		json_object_set_new(values, "autosize", json_pack("{s:s, s:s}", "type", "fit-x",
		    "contains", "padding"));
}

/* Views of rows, as many next to each other as fit, with names at the left of each line. */
static void
set_rows(struct plotting *p, struct pane *pane, size_t k, size_t panes, json_t *values)
{
	const json_t *px = json_object_get(json_object_get(p->kind, "layout"), "px");
	double right = plot_kind_number(p->kind, "layout", "right", 0);
	double least = plot_kind_number(p->kind, "layout", "least", 84);
	double room = p->width - 2 * figure_theme_px("edge") - 10, names = p->names_px;
	bool own_names = pane->to - pane->from < p->n_shown;
	double all = own_names ? room : room - names;
	double around = GAP_PX + right + (own_names ? names : 0);
	size_t few = p->n_shown <= FEW_ROWS ? 0 : 1;
	size_t across = (size_t)fmax(1, fmin((double)panes, floor(all / (least + around))));
	/* Distribute the panes evenly over the lines. */
	size_t lines = (panes + across - 1) / across;
	p->across = (panes + lines - 1) / lines;
	double each = all / (double)p->across - around;
	pane->wide = panes == 1 ? room - names - right : each;
	set_size(values, panes == 1 ? p->width : each, json_pack("{s:f, s:s}", "step", px ?
	    json_number_value(json_array_get(px, few)) : few ? 14. : 20., "for", "position"),
	    panes == 1);
	json_object_set_new(values, "room", json_real(round(pane->wide)));
	figure_set_text(values, "by", k % p->across || own_names ? "" : p->by_title);
	if (k % p->across && !own_names)
		json_object_set_new(values, "g_axis", json_pack("{s:b, s:b}", "labels", 0, "ticks",
		    0));
}

/* One view, or a small one for each group, or small ones with axes of their own. */
static void
set_panels(struct plotting *p, struct pane *pane, const char *as, size_t panes, json_t *values)
{
	bool tiles = strcmp(as, "tiles") == 0, many = tiles || strcmp(as, "panels") == 0;
	double whole = p->width - 2 * figure_theme_px("edge"), single = plot_kind_number(p->kind,
	    "layout", "single", 260);
	double apart = plot_kind_number(p->kind, "layout", "apart", tiles ? 8 : 14);
	size_t n = tiles ? panes : many ? p->n_shown : 1;
	size_t columns = tiles ? (size_t)plot_kind_number(p->kind, "layout", "across", 3) :
	    (size_t)(whole / PANEL_PX);
	columns = columns < 1 ? 1 : columns > n ? n : columns;
	size_t lines = (n + columns - 1) / columns;
	columns = tiles ? columns : (n + lines - 1) / lines;
	pane->wide = !many ? p->width : (tiles ? whole / (double)columns - AXIS_PX :
	    (whole - AXIS_PX) / (double)columns) - apart;
	pane->high = many ? plot_kind_number(p->kind, "layout", "high", tiles ? 160 : 90) :
	    fmin(whole * 0.6, single);
	set_size(values, pane->wide, json_real(round(pane->high)), !many);
	json_object_set_new(values, "columns", json_integer((json_int_t)columns));
	p->across = tiles ? columns : 1;
}

/* ---- views ------------------------------------------------------------------------------ */

static void
add_data(const struct plotting *p, const struct pane *pane, const json_t *parts, json_t *values)
{
	const char *name;
	json_t *data, *one;
	size_t i;
	json_t *all = figure_template_fill(json_object_get(p->kind, "data"), parts, values);
	struct row r = {.p = p, .pane = pane};
	json_object_foreach(json_object_get(p->kind, "texts"), name, one) {
		char *text = plot_row_text(&r, json_string_value(one), false);
		figure_set_text(values, name, text);
		free(text);
	}
	json_object_foreach(all, name, data) {
		json_t *rows = json_array();
		if (json_is_object(data))
			plot_points_add(p, pane, data, rows);
		json_array_foreach(data, i, one)
			plot_points_add(p, pane, one, rows);
		json_object_set_new(values, name, rows);
	}
	json_decref(all);
}

static void
add_view(struct plotting *p, struct pane *pane, size_t k, size_t panes)
{
	json_t *values = json_object(), *parts = parts_of(p, pane);
	const char *as = json_string_value(json_object_get(parts, "layout")), *name;
	json_t *def;
	as = as ? as : plot_kind_text(p->kind, "layout", "as");
	plot_names_set(p, pane, values);
	if (as && strcmp(as, "rows") != 0)
		set_panels(p, pane, as, panes, values);
	else
		set_rows(p, pane, k, panes, values);
	figure_set_text(values, "short", p->short_name);
	json_object_foreach(json_object_get(p->kind, "axes"), name, def)
		plot_axis_set(p, pane, name, def, values);
	if (!p->plan->wants_tips)
		json_object_set_new(values, "tooltip", json_null());
	json_decref(parts);
	parts = parts_of(p, pane);	/* whether axes are logarithmic is known now */
	add_data(p, pane, parts, values);
	json_array_append_new(p->views, figure_template_fill(json_object_get(p->kind, "spec"),
	    parts, values));
	json_decref(parts);
	json_decref(values);
}

/* Which measures are in which view. */
static struct pane *
panes_of(struct plotting *p, size_t *n)
{
	const char *panes = plot_kind_text(p->kind, "panes", NULL), *as = panes ? panes : "all";
	size_t of = p->n_of - p->plan->n_params, all = p->n_shown + (p->n_rest > 0);
	size_t tens = (size_t)plot_kind_number(p->kind, "layout", "rows", 0);
	size_t most = of * (of + p->n_of) + 1 + all;
	bool pairs = strcmp(as, "pairs") == 0, is_each = strcmp(as, "each") == 0;
	struct pane *v = xmalloc(most * sizeof *v);
	memset(v, 0, most * sizeof *v);
	*n = 0;
	for (size_t i = 0; i < of; i++) {
		for (size_t j = pairs ? i + 1 : of; j < p->n_of; j++)
			v[(*n)++] = (struct pane){.of = {pairs ? i : j, pairs ? j : i}, .n = 2};
		size_t k = is_each ? *n : 0;
		while (k < *n && strcmp(as, "all") != 0 &&
		    !plot_measure_has_unit_of(&p->of[v[k].of[0]], &p->of[i]))
			k++;
		if (pairs || p->plan->n_params)
			continue;
		*n += k == *n;
		v[k].of[v[k].n++] = i;
	}
	*n = *n ? *n : 1;
	for (; tens && *n * tens < all; ++*n)
		v[*n] = v[0];
	for (size_t k = 0; k < *n; k++) {
		v[k].from = tens ? k * tens : 0;
		v[k].to = tens && v[k].from + tens < all ? v[k].from + tens : all;
		for (size_t i = 0; i < MAX_MEASURES; i++)
			v[k].ratio[i] = 1;
	}
	return v;
}

/* Lines of the kind, which have the numbers of the whole figure. */
static void
add_notes(struct plotting *p, const struct pane *pane)
{
	json_t *parts = parts_of(p, pane), *notes = figure_template_fill(json_object_get(p->kind,
	    "notes"), parts, NULL);
	size_t i;
	json_t *note;
	struct row r = {.p = p, .pane = &p->all, .s = p->s.g.n == 1 ? &p->s : NULL,
	    .own = facts_of(p, pane)};
	json_array_foreach(notes, i, note) {
		const json_t *form = json_is_object(note) ? json_object_get(note, "text") : note;
		if (!holds(r.own, note))
			continue;
		char *text = plot_row_text(&r, json_string_value(form), false);
		plot_note(p, "%s", text);
		free(text);
	}
	json_decref(r.own);
	json_decref(parts);
	json_decref(notes);
}

void
plot_view_all(struct plotting *p)
{
	size_t n;
	plot_names_shorten(p);
	struct pane *panes = panes_of(p, &n);
	if (plot_kind_is(p->kind, "groups", "far"))
		plot_points_mark_far(p);
	for (size_t k = 0; k < n; k++)
		add_view(p, &panes[k], k, n);
	add_notes(p, &panes[0]);
	free(panes);
}
