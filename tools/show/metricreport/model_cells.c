/* model_cells.c: all cells and all notebooks in the model of a report: their tables, the time of
 * the phases and below the headings, failures; and the slowest cells, each once with what was on
 * screen and its diagnosis. */
#include "model_cells.h"
#include "base/die.h"
#include "base/num.h"
#include "json/json_value.h"
#include "metric/heading_times.h"
#include "model_cell.h"
#include "model_picture.h"
#include "model_profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FAILURES_BYTES = 20 << 20, THUMBNAILS_BYTES = 1 << 20, SLOWEST = 8,
    MAX_EXAMINED = 2000 };
#define MIN_UNATTRIBUTED 0.005	/* of the client time: less is rounding */
#define MIN_SHARE 0.02	/* of the slowest cell's time */

/* ---- tables ------------------------------------------------------------------------- */

static json_t *
notebook_row(const struct report *r, const struct report_notebook *k, double scale_s)
{
	const struct run_summary *v = &r->sum.v[k->all.shown];
	char *cells = summary_cells_text(v);
	json_t *o = json_pack("{s:s, s:s, s:s, s:o, s:o}",
	    "status", cell_status_shown(v->ended), "class", model_status_class(v->ended),
	    "completed", cells, "bar", model_bar(r, &v->spent, v->client_s, 0, scale_s),
	    "received_mb", json_value_real(v->received_mb));
	model_set_runs(o, k->all.n, k->all.least_s, k->all.median_s, k->all.most_s, v->client_s);
	model_link(o, r, k, 0);
	free(cells);
	return o;
}

static json_t *
notebook_rows(const struct report *r)
{
	json_t *list = json_array();
	double most_s = 0;
	for (size_t i = 0; i < r->n_notebooks; i++)
		most_s = fmax(most_s, r->sum.v[r->notebook[i].all.shown].client_s);
	for (size_t i = 0; i < r->n_notebooks; i++)
		json_array_append_new(list, notebook_row(r, &r->notebook[i], most_s));
	return list;
}

/* The sums over the cells that have a time. */
static struct phase_times
spent_by_all(const struct report *r, double *client_s)
{
	struct phase_times all = {0};
	*client_s = 0;
	for (size_t i = 0; i < r->n_rows; i++) {
		const struct report_cell *c = &r->cells[r->row[i].shown];
		if (!(c->client_s > 0))
			continue;
		for (size_t k = 0; k < N_PHASES; k++)
			all.s[k] += c->kernel_only ? c->spent.s[k] : num_or_0(c->spent.s[k]);
		all.handling_s += num_or_0(c->spent.handling_s);
		*client_s += c->client_s;
	}
	return all;
}

/* Phases, of all cells together, and what they do not explain. */
static json_t *
all_phases(const struct report *r, json_t **time)
{
	double client_s;
	struct phase_times all = spent_by_all(r, &client_s);
	double sum = phase_sum_s(&all, r->phases_separable), whole = fmax(sum, client_s);
	json_t *list = json_array(), *longest = json_null();
	double most_s = -1;
	for (enum phase k = 0; k < N_PHASES; k++) {
		const struct phase_def *d = &phase_defs[k];
		bool shown = phase_is_shown(k, r->phases_separable);
		json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:b, s:o, s:o, s:b}", "name", d->name,
		    "means", d->means, "light", d->light, "dark", d->dark, "shown", shown,
		    "s", json_value_real(all.s[k]), "pct", json_value_real(whole > 0
		    ? 100 * all.s[k] / whole : NAN), "visible",
		    shown && sum > 0 && all.s[k] >= MIN_UNATTRIBUTED * whole);
		json_array_append_new(list, o);
		if (shown && all.s[k] > most_s) {
			longest = o;
			most_s = all.s[k];
		}
	}
	bool rest = client_s - sum > MIN_UNATTRIBUTED * client_s;
	*time = sum > 0 ? json_pack("{s:f, s:O, s:o, s:o}", "client_s", client_s,
	    "longest", longest, "bar", model_bar(r, &all, client_s, 0, whole),
	    "unattributed", rest
	    ? json_pack("{s:f, s:f}", "s", client_s - sum, "pct",
	    100 * (client_s - sum) / client_s) : json_null()) : json_null();
	return list;
}

void
model_cells(json_t *model, const struct report *r)
{
	json_t *cells = json_array(), *time;
	for (size_t i = 0; i < r->n_rows; i++)
		json_array_append_new(cells, model_cell(r, &r->row[r->slowest[i]], 0));
	json_object_set_new(model, "cells", cells);
	json_object_set_new(model, "notebooks", notebook_rows(r));
	json_object_set_new(model, "phases", all_phases(r, &time));
	json_object_set_new(model, "time", time);
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

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool
fails_alike(const struct run_summary *a, const struct run_summary *b)
{
	return summary_failed(a) && summary_failed(b) && a->failed_cell == b->failed_cell &&
	    same_text(a->status, b->status) && same_text(a->why, b->why);
}

static json_t *
failure(const struct report *r, const struct report_notebook *k, size_t run, size_t *bytes)
{
	size_t result = k->all.runs[run], alike = 0;
	const struct run_summary *v = &r->sum.v[result];
	const struct report_cell *c = v->failed_cell
	    ? report_cell_of(r, k, result, v->failed_cell) : NULL;
	for (size_t i = 0; i < k->all.n; i++)
		alike += fails_alike(v, &r->sum.v[k->all.runs[i]]);
	json_t *o = json_pack("{s:s, s:I, s:I, s:I, s:s?, s:s?, s:o}", "status", v->status,
	    "cell", (json_int_t)v->failed_cell, "alike", (json_int_t)alike,
	    "runs", (json_int_t)k->all.n, "line", c ? c->line : NULL, "why", v->why,
	    "picture", c ? model_picture_whole(r, v, c->screenshot, bytes) : json_null());
	model_link(o, r, k, v->failed_cell);
	json_object_set_new(o, "notebook", json_string(v->full_name ? v->full_name : v->name));
	return o;
}

/* Each distinct failure of a notebook once. */
static bool
is_repeated_failure(const struct report *r, const struct report_notebook *k, size_t run)
{
	for (size_t i = 0; i < run; i++)
		if (fails_alike(&r->sum.v[k->all.runs[i]], &r->sum.v[k->all.runs[run]]))
			return true;
	return false;
}

void
model_failures(json_t *model, const struct report *r, const struct report_notebook *only)
{
	json_t *list = json_array();
	size_t bytes = FAILURES_BYTES;
	for (size_t i = 0; i < r->n_notebooks; i++) {
		const struct report_notebook *k = &r->notebook[i];
		for (size_t m = 0; m < k->all.n && (!only || only == k); m++)
			if (summary_failed(&r->sum.v[k->all.runs[m]]) &&
			    !is_repeated_failure(r, k, m))
				json_array_append_new(list, failure(r, k, m, &bytes));
	}
	json_object_set_new(model, "failures", list);
}

/* ---- the slowest cells -------------------------------------------------------------- */

static const struct report_cell *
nth_cell(const struct report *r, size_t i)
{
	return &r->cells[r->row[r->slowest[i]].shown];
}

/* They can be in different notebooks of a sweep. */
static bool
is_same_cell(const struct report_cell *c, const struct report_cell *d)
{
	return d->index == c->index && strcmp(d->id ? d->id : "", c->id ? c->id : "") == 0;
}

/* Returns whether a slower row shows the same cell. */
static bool
is_shown_before(const struct report *r, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (is_same_cell(nth_cell(r, k), nth_cell(r, i)))
			return true;
	return false;
}

/* Sets the times of the same cell in the other notebooks, and their number. */
static void
set_others(json_t *o, const struct report *r, size_t i)
{
	json_int_t n = 0;
	double least = NAN, most = NAN;
	for (size_t k = i + 1; k < r->n_rows; k++) {
		double s = nth_cell(r, k)->client_s;
		if (!(s > 0) || !is_same_cell(nth_cell(r, k), nth_cell(r, i)))
			continue;
		n++;
		least = fmin(least, s);
		most = fmax(most, s);
	}
	json_object_set_new(o, "others", json_pack("{s:I, s:o, s:o}", "notebooks", n, "least_s",
	    json_value_real(least), "most_s", most > least ? json_real(most) : json_null()));
}

static json_t *
slow_cell(const struct report *r, size_t i, size_t *bytes)
{
	const struct cell_row *row = &r->row[r->slowest[i]];
	const struct report_cell *c = &r->cells[row->shown];
	const struct report_notebook *k = &r->notebook[row->notebook];
	const struct run_summary *run;
	json_t *o = model_cell(r, row, nth_cell(r, 0)->client_s);
	const char *file = r->screenshots ? model_picture_of(r, k, c, &run) : NULL;
	char *source = xasprintf("source-%ld", c->index);
	double all_s = r->sum.v[c->result].client_s;
	json_object_set_new(o, "picture", file ? model_picture(r, run, file, bytes) : json_null());
	json_object_set_new(o, "of_notebook_pct", all_s > 0
	    ? json_value_real(100 * c->client_s / all_s) : json_null());
	json_object_set_new(o, "profile", model_profile_link(r, k, c->index, NULL));
	json_object_set_new(o, "source_href", model_href(r, k, false, source));
	free(source);
	set_others(o, r, i);
	return o;
}

/* Each cell is in the notebook in which it was slowest. */
void
model_slowest(json_t *model, const struct report *r)
{
	json_t *slowest = json_array(), *diagnoses = json_array();
	size_t bytes = THUMBNAILS_BYTES, i;
	bool any = false, explained = false;
	double most_s = r->n_rows ? nth_cell(r, 0)->client_s : NAN;
	for (i = 0; i < r->n_rows && i < MAX_EXAMINED; i++) {
		const struct report_cell *c = nth_cell(r, i);
		bool slow = c->client_s > MIN_SHARE * most_s && json_array_size(slowest) < SLOWEST;
		if (is_shown_before(r, i))
			continue;
		explained |= c->diagnosis && slow;
		if (slow)
			json_array_append_new(slowest, slow_cell(r, i, &bytes));
		else if (c->diagnosis)
			json_array_append_new(diagnoses, model_cell(r, &r->row[r->slowest[i]], -1));
	}
	json_t *o;
	json_array_foreach(slowest, i, o)
		any |= json_is_object(json_object_get(o, "picture"));
	json_object_set_new(model, "slowest", slowest);
	json_object_set_new(model, "pictures", json_boolean(any));
	json_object_set_new(model, "diagnoses", diagnoses);
	json_object_set_new(model, "slowest_explained", json_boolean(explained));
}
