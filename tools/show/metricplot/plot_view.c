/* plot_view.c: the views of a figure: their names, size, axes and data. */
#include "plot_view.h"
#include "base/die.h"
#include "figure/figure_theme.h"
#include "metric/phase.h"
#include "plot_axis.h"
#include "plot_groups.h"
#include "plot_kind.h"
#include "plot_points.h"
#include "plot_row.h"
#include "text/text.h"

enum { FEW_ROWS = 12, GAP_PX = 20, KEY_PX = 30 };
#define NAME_EM 0.54	/* of a name that has to be short */
#define MAX_NAME 0.36	/* of the figure's width */

/* ---- names ------------------------------------------------------------------------------ */

static size_t
letters_of(const char *text)
{
	size_t n = 0;
	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* "mode / side" of "mode=png side=1000"; NULL: another name. */
static char *
keys_of(const char *name)
{
	struct buf b = {0};
	for (const char *at = name; at; at = strchr(at, ' ')) {
		at += *at == ' ';
		size_t n = strcspn(at, "= ");
		if (at[n] == '=' && n)
			buf_addf(&b, "%s%.*s", b.n ? " / " : "", (int)n, at);
		else if (!b.n)
			return NULL;
	}
	return b.p;
}

static double
widest_px(const json_t *texts)
{
	size_t i, most = 0, letters;
	json_t *text;
	json_array_foreach((json_t *)texts, i, text) {
		letters = letters_of(json_string_value(text));
		most = letters > most ? letters : most;
	}
	return (double)most * PLOT_LETTER_EM * figure_theme_px("text");
}

/* Sets the labels of the rows, and those that templates have to shorten. */
static void
set_labels(struct plotting *p)
{
	double room = p->width * MAX_NAME, most = plot_kind_number(p->kind, "layout", "names");
	struct buf all = {0};
	char *keys = NULL;
	most = most > 0 && most < room ? most : room;
	size_t letters = (size_t)(most / NAME_EM / figure_theme_px("text"));
	p->labels = json_array();
	for (size_t i = 0; i < p->n_shown; i++) {
		char *name = plot_groups_name(p, p->shown[i]);
		json_array_append_new(p->labels, plot_kind_string(name));
		if (letters_of(name) > letters) {
			keys = all.n ? keys : keys_of(name);
			buf_addf(&all, "%s%s", all.n ? "\n" : "", name);
		}
		free(name);
	}
	p->names_px = fmin(widest_px(p->labels), most);
	if (p->n_rest) {
		json_t *rest = json_sprintf("%zu other%s", p->n_rest, text_plural(p->n_rest));
		json_array_append_new(p->labels, rest);
	}
	buf_add(&all, "", 0);
	p->long_names = json_pack("{s:i, s:o}", "name_letters", (int)letters, "long_names",
	    plot_kind_string(all.p));
	char *note = keys ? xasprintf("Names: %s.", keys) : NULL;
	if (note)
		plot_note(p, note);
	free(keys);
	free(note);
	buf_free(&all);
}

static void
set_list(json_t *values, const char *name, const char *columns, double width, json_t *texts)
{
	json_object_set_new(values, name, texts);
	json_object_set_new(values, columns, json_integer((json_int_t)fmax(1, floor(width /
	    (widest_px(texts) + KEY_PX)))));
}

/* Colours of the theme's ramp, at equal distances; that of what is unknown is grey. */
static json_t *
ramp_of(const json_t *names)
{
	const json_t *ramp = json_object_get(figure_theme_part("scales"), "ramp");
	json_t *colours = json_array(), *name;
	size_t i, n = json_array_size(names);
	double most = (double)json_array_size(ramp) - 1;
	json_array_foreach((json_t *)names, i, name) {
		double at = n < 2 ? 0.2 : 0.92 * (double)i / (double)(n - 1);
		if (strcmp(json_string_value(name), "unknown") == 0)
			json_array_append_new(colours, figure_theme_value("missing"));
		else
			json_array_append(colours, json_array_get(ramp, (size_t)round(at * most)));
	}
	return colours;
}

/* Sets what a scale can have: names of groups, of the key's values, of measures and of classes,
 * and colours. */
static void
set_scales(struct plotting *p, const struct pane *pane, json_t *values)
{
	json_t *groups = json_array(), *keys = json_array(), *titles = json_array();
	json_t *phases = json_array();
	for (size_t i = pane->from; i < pane->to; i++)
		json_array_append(groups, json_array_get(p->labels, i));
	for (size_t i = 0; p->key && i < p->keys.n; i++) {
		char *key = table_group_key(&p->keys, i, 0);
		if (key || p->plan->categories.n)
			json_array_append_new(keys, plot_kind_string(key ? key : "unknown"));
		free(key);
	}
	for (size_t i = 0; !p->key && i < p->plan->categories.n; i++)
		json_array_append_new(keys, plot_kind_string(p->plan->categories.v[i].name));
	for (size_t k = 0; k < p->n_of; k++) {
		char *title = plot_measure_name(&p->of[k]);
		json_array_append_new(titles, plot_kind_string(title));
		free(title);
	}
	for (size_t k = 0; k < N_PHASES && plot_kind_is(p->kind, "phases", NULL); k++) {
		const struct phase_def *d = &phase_defs[k];
		json_array_append_new(phases, figure_theme_two_colours(d->light, d->dark));
		json_object_set_new(p->dark, d->light, json_string(d->dark));
	}
	json_object_set_new(values, "bins", json_integer(p->plan->o.bins));
	json_object_set_new(values, "phase_colours", phases);
	json_object_set_new(values, "ramp_colours", ramp_of(keys));
	set_list(values, "names", "name_columns", p->width, groups);
	set_list(values, "titles", "title_columns", p->width, titles);
	set_list(values, "keys", "key_columns", p->width, keys);
}

/* ---- sizes ------------------------------------------------------------------------------ */

/* Names at the left of the rows of a view, but only of the first one in a line, unless each has
 * rows of its own. */
static void
set_rows(const struct plotting *p, bool own_names, size_t k, json_t *values)
{
	const json_t *steps = json_object_get(json_object_get(p->kind, "layout"), "px");
	bool first = k % p->across == 0;
	char *by = plot_titles(&p->plan->by, " / ");
	json_object_set_new(values, "height", json_pack("{s:O, s:s}", "step", json_array_get(steps,
	    p->n_shown > FEW_ROWS), "for", "position"));
	json_object_set_new(values, "by", plot_kind_string(first &&
	    !own_names ? by : ""));
	free(by);
	if (!first && !own_names)
		json_object_set_new(values, "g_axis", json_pack("{s:b, s:b}", "labels", 0, "ticks",
		    0));
}

/* Sets the size of view k: as many views of rows, tiles or panels, which are one for each group,
 * are next to each other as fit, or there is one, which has the width with all around it. */
static void
set_size(struct plotting *p, struct pane *pane, const char *as, size_t k, size_t panes,
    json_t *values)
{
	double least = 0, around = 0, once = 0, most = 1, high = 0, single = 0;
	double whole = p->width - 2 * figure_theme_px("edge");
	bool rows = strcmp(as, "rows") == 0, one = strcmp(as, "one") == 0;
	bool own_names = pane->to - pane->from < p->n_shown, panels = strcmp(as, "panels") == 0;
	double n = (double)(panels ? p->n_shown : one ? 1 : panes);
	json_unpack(json_object_get(p->kind, "layout"), "{s:F, s:F, s:F, s:F, s:F, s:F}",
	    "least", &least, "around", &around, "once", &once, "across", &most, "high", &high,
	    "single", &single);
	if (rows) {
		once += own_names ? 0 : p->names_px;
		around += (panes > 1 ? GAP_PX : 0) + (own_names ? p->names_px : 0);
	}
	/* Distribute them evenly over the lines. */
	double across = fmax(1, fmin(fmin(n, most), floor((whole - once) / (least + around))));
	across = ceil(n / ceil(n / across));
	pane->wide = one ? p->width : (whole - once) / across - around;
	pane->high = one ? fmin(whole * 0.6, single) : high;
	p->across = panels ? 1 : (size_t)across;
	bool fit = one || (rows && panes == 1);
	json_object_update_new(values, json_pack("{s:f, s:f, s:f, s:i}", "width", fit ? p->width :
	    round(pane->wide), "height", round(pane->high), "room", round(pane->wide), "columns",
	    (int)across));
	if (fit)
		json_object_set_new(values, "autosize", json_pack("{s:s, s:s}", "type", "fit-x",
		    "contains", "padding"));
	if (rows)
		set_rows(p, own_names, k, values);
}

/* ---- views ------------------------------------------------------------------------------ */

/* The kind's parts; the facts are those of the figure, and of this view. */
static json_t *
parts_of(const struct plotting *p, const struct pane *pane)
{
	size_t k = p->plan->coloured;
	json_object_update_new(p->facts, json_pack("{s:b, s:b, s:b}", "log_x", pane->x.log,
	    "log_y", pane->y.log, "coloured", k < p->n_of && pane->of[0] == k));
	return plot_kind_parts(p->kind, p->facts);
}

static void
add_data(const struct plotting *p, const struct pane *pane, const json_t *parts, json_t *values)
{
	const char *name;
	json_t *data, *one;
	size_t i;
	json_t *all = plot_kind_fill(json_object_get(p->kind, "data"), parts, values);
	struct row r = {.p = p, .pane = pane};
	json_object_foreach(json_object_get(p->kind, "texts"), name, one) {
		char *text = plot_row_text(&r, json_string_value(one), false);
		json_object_set_new(values, name, plot_kind_string(text));
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
	json_t *values = json_object(), *parts = parts_of(p, pane), *def;
	const char *as = plot_kind_text(parts, "layout", NULL), *name;
	set_scales(p, pane, values);
	set_size(p, pane, as ? as : plot_kind_text(p->kind, "layout", "as"), k, panes, values);
	json_object_foreach(json_object_get(p->kind, "axes"), name, def)
		plot_axis_set(p, pane, name, def, values);
	if (!p->plan->wants_tips)
		json_object_set_new(values, "tooltip", json_null());
	json_decref(parts);
	parts = parts_of(p, pane);	/* whether axes are logarithmic is known now */
	add_data(p, pane, parts, values);
	json_array_append_new(p->views, plot_kind_fill(json_object_get(p->kind, "spec"), parts,
	    values));
	json_decref(parts);
	json_decref(values);
}

/* Which measures are in which view. */
static struct pane *
panes_of(struct plotting *p, size_t *n)
{
	const char *panes = plot_kind_text(p->kind, "panes", NULL), *as = panes ? panes : "all";
	size_t of = p->n_of - p->plan->n_params, all = p->all.to;
	size_t tens = (size_t)plot_kind_number(p->kind, "layout", "rows");
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

/* ---- notes ------------------------------------------------------------------------------ */

/* Lines, of which those whose conditions hold have the numbers of the whole figure. */
static void
add_notes(struct plotting *p, const json_t *forms, const struct pane *pane)
{
	json_t *parts = parts_of(p, pane), *notes = plot_kind_fill(forms, parts, NULL), *note;
	size_t i;
	struct row r = {.p = p, .pane = &p->all, .s = p->s.g.n == 1 ? &p->s : NULL,
	    .own = p->facts};
	json_array_foreach(notes, i, note) {
		const char *own = plot_kind_text(note, "text", NULL);
		const char *form = own ? own : json_string_value(note);
		if (!form || !plot_kind_holds(note, r.own))
			continue;
		char *text = plot_row_text(&r, form, false);
		plot_note(p, text);
		free(text);
	}
	json_decref(parts);
	json_decref(notes);
}

void
plot_view_all(struct plotting *p)
{
	size_t n;
	struct pane *panes = panes_of(p, &n);
	if (plot_kind_is(p->kind, "groups", "far"))
		plot_points_mark_far(p);
	add_notes(p, plot_kind_shared("notes"), &panes[0]);
	set_labels(p);
	for (size_t k = 0; k < n; k++)
		add_view(p, &panes[k], k, n);
	add_notes(p, json_object_get(p->kind, "notes"), &panes[0]);
	free(panes);
}
