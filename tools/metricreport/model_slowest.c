/* model_slowest.c: the slowest cells in the model of a report, each once with what was on screen
 * and its diagnosis; the diagnoses of the other cells. */
#include "model_slowest.h"
#include "base/die.h"
#include "json/json_value.h"
#include "html.h"
#include "model_cell.h"
#include "model_picture.h"
#include "model_profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLOWEST = 8, MAX_DIAGNOSES = 12, MAX_EXAMINED = 2000, THUMBNAILS_BYTES = 1 << 20 };
#define MIN_SHARE 0.02	/* of the slowest cell's time */

static const struct report_cell *
nth_cell(const struct report *r, size_t i)
{
	return &r->cells[r->row[r->slowest[i]].shown];
}

/* The same cell in another notebook of a sweep. */
static bool
is_same_cell(const struct report_cell *c, const struct report_cell *d)
{
	return d->index == c->index && strcmp(d->id ? d->id : "", c->id ? c->id : "") == 0;
}

/* Whether a slower row shows the same cell. */
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
source_address(const struct report *r, const struct report_notebook *k, long index)
{
	struct buf b = {0};
	buf_addf(&b, "%s/", r->pages);
	html_url(&b, k->name);
	buf_addf(&b, ".html#source-%ld", index);
	json_t *text = json_string(b.p);
	buf_free(&b);
	return text;
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
	double all_s = r->sum.v[c->result].client_s;
	json_object_set_new(o, "picture", file ? model_picture(r, run, file, bytes) : json_null());
	json_object_set_new(o, "of_notebook_pct", all_s > 0
	    ? json_value_real(100 * c->client_s / all_s) : json_null());
	json_object_set_new(o, "profile", model_profile_link(r, k, c->index, NULL));
	json_object_set_new(o, "source_href", r->pages && html_is_file_name(k->name)
	    ? source_address(r, k, c->index) : json_null());
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
		else if (c->diagnosis && json_array_size(diagnoses) < MAX_DIAGNOSES)
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
