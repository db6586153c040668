/* model_page.c: the page of one notebook: what was on screen, the timeline of its runs, its cells
 * and their sources. */
#include "model_page.h"
#include "base/die.h"
#include "base/num.h"
#include "json/json_value.h"
#include "model_cell.h"
#include "model_interactions.h"
#include "model_picture.h"
#include "model_profile.h"

#include <unistd.h>

enum { STRIP_BYTES = 3 << 20, MAX_FRAMES = 120 };

/* ---- what was on screen --------------------------------------------------------------- */

struct strip {
	const struct report *r;
	const struct run_summary *run;
	json_t *frames;
	size_t bytes;
};

static void
add_frame(struct strip *s, const struct report_cell *c, const char *file, double at_s, bool last)
{
	if (!file || json_array_size(s->frames) == MAX_FRAMES)
		return;
	json_array_append_new(s->frames, json_pack("{s:I, s:f, s:b, s:o}", "cell",
	    (json_int_t)c->index, "at_s", at_s, "last", last, "picture",
	    model_picture(s->r, s->run, file, &s->bytes)));
}

/* A cell's first frame is the last one of the cell before. */
static void
add_film_frames(struct strip *s, const struct report_cell *c, const json_t *o, double from_t)
{
	json_t *frames = json_object_get(o, "frames"), *f;
	size_t i, n = json_array_size(frames);
	json_array_foreach(frames, i, f)
		if (i || !json_array_size(s->frames))
			add_frame(s, c, report_text(f, "file"),
			    c->t - from_t + json_value_real_at(f, "after_s"), i + 1 == n);
}

/* The span is from the first key press to the end of the last cell. */
static double
run_span(const struct report *r, const struct report_notebook *k, size_t result, double *from)
{
	double to = NAN;
	*from = NAN;
	for (size_t i = k->cell_first; i < k->cell_first + k->cell_n; i++) {
		const struct report_cell *c = &r->cells[i];
		if (c->result != result || !isfinite(c->t))
			continue;
		*from = fmin(*from, c->t);
		to = fmax(to, c->t + num_or_0(c->client_s));
	}
	return to - *from;
}

/* The film, or the screenshots of the run that is shown. */
static json_t *
strip_of(const struct report *r, const struct report_notebook *k)
{
	bool film = k->film != NO_FILM;
	size_t result = film ? k->film : k->all.shown;
	double from_t;
	struct strip s = {r, &r->sum.v[result], json_array(), STRIP_BYTES};
	run_span(r, k, result, &from_t);
	for (size_t i = 0; i < k->rows && r->screenshots; i++) {
		const struct report_cell *c = report_cell_of(r, k, result,
		    r->cells[r->row[k->first + i].shown].index);
		if (!c || !isfinite(c->t))
			continue;
		json_t *o = report_cell_object(c);
		if (film)
			add_film_frames(&s, c, o, from_t);
		else
			add_frame(&s, c, report_text(o, "screenshot"),
			    c->t - from_t + fmax(num_or_0(c->client_s), 0), true);
		json_decref(o);
	}
	return s.frames;
}

/* ---- the timeline --------------------------------------------------------------------- */

static json_t *
run_of(const struct report *r, const struct report_notebook *k, size_t result)
{
	const struct run_summary *v = &r->sum.v[result];
	json_t *cells = json_array();
	double from, scale = run_span(r, k, result, &from);
	char *samples = model_run_path(r->samples, v, ".svg");
	for (size_t i = k->cell_first; i < k->cell_first + k->cell_n && scale > 0; i++) {
		const struct report_cell *c = &r->cells[i];
		if (c->result != result || !(c->client_s > 0))
			continue;
		json_t *o = report_cell_object(c);
		json_array_append_new(cells, o);
		json_object_set_new(o, "cell", json_integer(c->index));
		json_object_set_new(o, "start_s", json_value_real(c->t - from));
		json_object_set_new(o, "client_s", json_real(c->client_s));
		model_bar(o, r, &c->spent, c->client_s, scale);
	}
	json_t *o = json_pack("{s:I, s:b, s:s, s:o, s:o, s:s?}", "repetition",
	    (json_int_t)(v->repetition > 0 ? v->repetition : 1), "shown", result == k->all.shown,
	    "status", v->status, "client_s", json_value_real(v->client_s), "cells", cells,
	    "samples", samples && access(samples, R_OK) == 0 ? samples : NULL);
	free(samples);
	return o;
}

/* ---- cells ------------------------------------------------------------------------------ */

static json_t *
page_cell(const json_t *model, const struct report *r, const struct report_notebook *k,
    const struct cell_row *row, const char **heading)
{
	const struct report_cell *c = &r->cells[row->shown];
	json_t *o = model_cell(r, row), *film = k->film == NO_FILM ? NULL
	    : report_cell_object(report_cell_of(r, k, k->film, c->index));
	bool begins = c->heading && (!*heading || strcmp(c->heading, *heading) != 0);
	json_object_set_new(o, "begins_heading", json_boolean(begins));
	json_object_set(o, "speed_index_s", film ? json_object_get(film, "speed_index_s")
	    : json_null());
	json_decref(film);
	json_object_set_new(o, "profile", model_profile_link(model, r, k, c->index));
	*heading = c->heading;
	return o;
}

void
model_page(json_t *model, const struct report *r, const struct report_notebook *k)
{
	const struct run_summary *v = &r->sum.v[k->all.shown];
	const char *heading = NULL;
	json_t *cells = json_array(), *runs = json_array();
	for (size_t i = 0; i < k->rows; i++)
		json_array_append_new(cells, page_cell(model, r, k, &r->row[k->first + i],
		    &heading));
	for (size_t i = 0; i < k->all.n; i++)
		json_array_append_new(runs, run_of(r, k, k->all.runs[i]));
	/* The page has all runs. */
	char *completed = summary_cells_text(v), *name = report_without_run(v->full_name, v);
	double all_s = fmax(phase_sum_s(&v->spent, r->phases_separable), v->client_s);
	bool film = k->film != NO_FILM;
	json_t *page = json_pack("{s:s, s:s, s:b, s:I, s:s, s:b, s:o, s:o, s:o, s:o, s:O?}",
	    "name", name, "status",
	    v->status, "good", !k->all.failed && !k->all.skipped,
	    "n_bad", (json_int_t)(k->all.failed + k->all.skipped), "completed", completed,
	    "filmed", film, "speed_index_s",
	    json_value_real(film ? r->sum.v[k->film].speed_index_s : (double)NAN),
	    "cells", cells, "strip", strip_of(r, k), "timeline", runs, "params", v->params);
	model_bar(page, r, &v->spent, v->client_s, all_s);
	model_set_runs(page, k->all.n, k->all.least_s, k->all.median_s, k->all.most_s, v->client_s);
	model_interactions(model, page, r, k);
	json_object_set_new(model, "page", page);
	free(completed);
	free(name);
}
