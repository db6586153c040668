/* model_cells.c: all cells and all notebooks in the model of a report: their tables, the time of
 * the phases and below the headings, failures; and the slowest cells, each once with what was on
 * screen and its diagnosis. */
#include "model_cells.h"
#include "base/die.h"
#include "base/num.h"
#include "base/str.h"
#include "json/json_value.h"
#include "model_cell.h"
#include "model_picture.h"
#include "model_profile.h"

enum { FAILURES_BYTES = 20 << 20, THUMBNAILS_BYTES = 1 << 20, SLOWEST = 8 };
#define MIN_SHARE 0.02	/* of the slowest cell's time */

/* ---- tables ------------------------------------------------------------------------- */

static const struct report *shown;	/* for rows */

static json_t *
row_of_cell(const struct template_mark *mark)
{
	return model_cell(shown, (const struct cell_row *)mark);
}

static json_t *
row_of_notebook(const struct template_mark *mark)
{
	const struct report *r = shown;
	const struct report_notebook *k = (const struct report_notebook *)mark;
	const struct run_summary *v = &r->sum.v[k->all.shown];
	char *cells = summary_cells_text(v);
	json_t *o = json_copy(k->o);
	json_object_update_new(o, json_pack("{s:s, s:s, s:s, s:o}",
	    "status", cell_status_shown(v->ended),
	    "class", model_status_class(v->ended), "completed", cells,
	    "received_mb", json_value_real(v->received_mb)));
	model_bar(o, r, &v->spent, v->client_s, r->most_s);
	free(cells);
	return o;
}

json_t *
model_notebooks(json_t *model, const struct report *r)
{
	json_t *list = json_array(), *by_name = json_object();
	for (size_t i = 0; i < r->n_notebooks; i++) {
		struct report_notebook *k = &r->notebook[i];
		char *id = model_anchor(k, 0);
		k->o = json_pack("{s:s, s:s, s:o, s:n}", "id", id, "notebook", k->title,
		    "file", model_file(r, k), "anchor");
		model_set_runs(k->o, k->all.n, k->all.least_s, k->all.median_s, k->all.most_s,
		    r->sum.v[k->all.shown].client_s);
		k->mark = TEMPLATE_MARK(row_of_notebook);
		json_array_append(list, &k->mark.null);
		json_object_set(by_name, k->name, k->o);
		free(id);
	}
	json_object_set_new(model, "notebooks", list);
	return by_name;
}

void
model_cells(json_t *model, const struct report *r)
{
	shown = r;
	json_t *cells = json_array(), *with_items = json_array();
	for (size_t i = 0; i < r->n_rows; i++) {
		struct cell_row *row = &r->row[r->slowest[i]];
		row->mark = TEMPLATE_MARK(row_of_cell);
		json_array_append(cells, &row->mark.null);
		if (r->cells[row->shown].has_items)
			json_array_append(with_items, &row->mark.null);
	}
	json_object_set_new(model, "cells", cells);
	json_object_set_new(model, "with_items", with_items);
}

/* Times of the runs that are shown. */
void
model_headings(json_t *model, const struct report *r, const struct report_notebook *only)
{
	struct heading_times all = {0};
	json_t *list = json_array();
	for (size_t i = 0; i < r->n_notebooks; i++)
		if (!only || only == &r->notebook[i])
			heading_times_add(&all, &r->sum.v[r->notebook[i].all.shown].headings);
	for (size_t i = 0; i < all.n && all.n > 1; i++)
		json_array_append_new(list, json_pack("{s:s, s:I, s:f, s:f}",
		    "heading", all.v[i].heading, "cells", (json_int_t)all.v[i].cells,
		    "client_s", all.v[i].client_s,
		    "pct", 100 * all.v[i].client_s / heading_times_sum(&all)));
	heading_times_free(&all);
	json_object_set_new(model, "headings", list);
}

/* ---- failures ----------------------------------------------------------------------- */

/* A way in which a notebook failed. */
struct failure {
	struct template_mark mark;	/* the first member */
	const struct report_notebook *k;
	size_t run, alike;	/* the first that failed so, and how many did */
};
static size_t failures_bytes;	/* that their pictures may still have */

static json_t *
make_failure(const struct template_mark *mark)
{
	const struct failure *f = (const struct failure *)mark;
	const struct run_summary *v = &shown->sum.v[f->run];
	json_t *cell = v->failed_cell ? report_cell_object(report_cell_of(shown, f->k, f->run,
	    v->failed_cell)) : NULL;
	const char *file = report_text(cell, "screenshot");
	json_t *o = json_pack("{s:I, s:s, s:s, s:I, s:I, s:I, s:s?, s:s?, s:s?, s:o}", "run",
	    (json_int_t)f->run, "name", v->name, "status", v->status, "cell",
	    (json_int_t)v->failed_cell, "runs", (json_int_t)f->k->all.n, "alike",
	    (json_int_t)f->alike, "line", report_text(cell, "line"), "screenshot", file, "why",
	    v->why, "picture", model_picture_whole(shown, v, file, &failures_bytes));
	json_decref(cell);
	model_link(o, f->k, v->failed_cell);
	json_object_set_new(o, "notebook", json_string(v->full_name));
	return o;
}

/* The failures of a notebook, each once. */
static void
add_failures(json_t *list, const struct report *r, const struct report_notebook *k)
{
	size_t first = json_array_size(list);
	for (size_t m = 0; m < k->all.n; m++) {
		const struct run_summary *v = &r->sum.v[k->all.runs[m]], *w;
		struct failure *f = NULL, *other;
		for (size_t i = first; !f && i < json_array_size(list); i++) {
			other = (struct failure *)json_array_get(list, i);
			w = &r->sum.v[other->run];
			f = v->failed_cell == w->failed_cell && str_same(v->status, w->status) &&
			    str_same(v->why, w->why) ? other : NULL;
		}
		if (!f && summary_failed(v)) {
			f = xmalloc(sizeof *f);
			*f = (struct failure){TEMPLATE_MARK(make_failure), k, k->all.runs[m], 0};
			json_array_append(list, &f->mark.null);
		}
		if (summary_failed(v))
			f->alike++;
	}
}

void
model_failures(json_t *model, const struct report *r, const struct report_notebook *only)
{
	json_t *list = json_array();
	failures_bytes = FAILURES_BYTES;
	for (size_t i = 0; i < r->n_notebooks; i++)
		if (!only || only == &r->notebook[i])
			add_failures(list, r, &r->notebook[i]);
	json_object_set_new(model, "failures", list);
}

/* ---- the slowest cells -------------------------------------------------------------- */

/* Counts the same cell in another notebook. The slowest is counted first. */
static void
add_other(json_t *slow, double client_s)
{
	json_t *others = json_object_get(slow, "others");
	json_int_t n = json_integer_value(json_object_get(others, "notebooks"));
	double most_s = json_number_value(json_object_get(others, "most_s"));
	json_object_set_new(others, "notebooks", json_integer(n + 1));
	json_object_set_new(others, "least_s", json_real(client_s));
	if (!n)
		json_object_set_new(others, "most_s", json_real(client_s));
	json_object_set_new(others, "range", json_boolean(n && most_s > client_s));
}

static json_t *
slow_cell(const json_t *model, const struct report *r, const struct cell_row *row,
    double scale_s, size_t *bytes)
{
	const struct report_cell *c = &r->cells[row->shown];
	const struct report_notebook *k = &r->notebook[row->notebook];
	const struct run_summary *run;
	json_t *o = model_cell(r, row);
	char *file = r->screenshots ? model_picture_of(r, k, c, &run) : NULL;
	double all_s = r->sum.v[c->result].client_s;
	model_bar(o, r, &c->spent, c->client_s, scale_s);
	json_object_set_new(o, "picture", file ? model_picture(r, run, file, bytes) : json_null());
	json_object_set_new(o, "of_notebook_pct", all_s > 0
	    ? json_value_real(100 * c->client_s / all_s) : json_null());
	json_t *profile = model_profile_link(model, r, k, c->index);
	const char *why = report_text(o, "diagnosis");
	json_object_set_new(o, "profile", profile);
	/* That the kernel takes the time is seen in the bar; its line says more. */
	if (report_text(profile, "sentence") && why && strncmp(why, "the kernel takes ", 17) == 0 &&
	    !strpbrk(why, ";:") && !strstr(why, " and "))
		json_object_set_new(o, "diagnosis", json_null());
	json_object_set_new(o, "others", json_pack("{s:i}", "notebooks", 0));
	free(file);
	return o;
}

/* A cell can be in different notebooks of a sweep: each is shown once, in the notebook in which it
 * was slowest. */
void
model_slowest(json_t *model, const struct report *r)
{
	json_t *slowest = json_array(), *diagnoses = json_array(), *seen = json_object();
	size_t bytes = THUMBNAILS_BYTES;
	bool any = false, explained = false;
	double most_s = r->n_rows ? r->cells[r->row[r->slowest[0]].shown].client_s : NAN;
	for (size_t i = 0; i < r->n_rows; i++) {
		struct cell_row *row = &r->row[r->slowest[i]];
		const struct report_cell *c = &r->cells[row->shown];
		bool slow = c->client_s > MIN_SHARE * most_s && json_array_size(slowest) < SLOWEST;
		char *key = xasprintf("%ld %s", c->index, c->id ? c->id : "");
		json_t *first = json_object_get(seen, key);
		if (json_is_object(first) && c->client_s > 0)
			add_other(first, c->client_s);
		if (!first) {
			json_t *o = slow ? slow_cell(model, r, row, most_s, &bytes) : json_null();
			any |= json_is_object(json_object_get(o, "picture"));
			explained |= c->diagnosed && slow;
			json_object_set_new(seen, key, o);
			if (slow)
				json_array_append(slowest, o);
			else if (c->diagnosed)
				json_array_append(diagnoses, &row->mark.null);
		}
		free(key);
	}
	json_object_set_new(model, "slowest", slowest);
	json_object_set_new(model, "pictures", json_boolean(any));
	json_object_set_new(model, "diagnoses", diagnoses);
	json_object_set_new(model, "slowest_explained", json_boolean(explained));
	json_decref(seen);
}
