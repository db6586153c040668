/* model_interactions.c: the interactions of a notebook on its page, with their pictures. */
#include "model_interactions.h"

#include "base/nbscope.h"
#include "base/num.h"
#include "base/str.h"
#include "json/json_value.h"
#include "model_picture.h"

enum { PICTURES_BYTES = 3 << 20 };

/* The run of the notebook with this repetition; 0: its film.  NULL: there is none. */
static const struct run_summary *
run_of(const struct report *r, const struct report_notebook *k, double repetition)
{
	if (!(repetition > 0))
		return k->film == NO_FILM ? NULL : &r->sum.v[k->film];
	for (size_t i = 0; i < k->all.n; i++)
		if (r->sum.v[k->all.runs[i]].repetition == (long)repetition)
			return &r->sum.v[k->all.runs[i]];
	return NULL;
}

/* A copy with `picture`, which is null if there is none, and `strip`, the frames of its film. */
static json_t *
with_pictures(const json_t *o, const struct report *r, const struct report_notebook *k,
    size_t *bytes)
{
	json_t *copy = json_copy((json_t *)(uintptr_t)o), *strip = json_array(), *frame;
	const struct run_summary *run = run_of(r, k, json_value_real_at(o, "repetition"));
	const struct run_summary *film = run_of(r, k, 0);
	const char *file = report_text(o, "screenshot");
	size_t i;
	json_object_set_new(copy, "picture", file && run && r->screenshots
	    ? model_picture(r, run, file, bytes) : json_null());
	json_array_foreach(json_object_get(o, "frames"), i, frame)
		if (film && r->screenshots)
			json_array_append_new(strip, json_pack("{s:f, s:o}", "after_s",
			    num_or_0(json_value_real_at(frame, "after_s")), "picture",
			    model_picture(r, film, report_text(frame, "file"), bytes)));
	json_object_set_new(copy, "strip", strip);
	return copy;
}

/* The members of a list that are of the notebook. */
static json_t *
of_notebook(const json_t *list, const struct report_notebook *k)
{
	json_t *own = json_array(), *o;
	size_t i;
	json_array_foreach(list, i, o)
		if (str_same(report_text(o, "name"), k->name))
			json_array_append(own, o);
	return own;
}

void
model_interactions(json_t *model, json_t *page, const struct report *r,
    const struct report_notebook *k)
{
	static const char *const lists[] = {"interactions", "slow_interactions"};
	json_t *cell, *o, *all, *loose = json_array();
	size_t i, n, bytes = PICTURES_BYTES;
	for (i = 0; i < COUNT(lists); i++)
		json_object_set_new(model, lists[i],
		    of_notebook(json_object_get(model, lists[i]), k));
	all = json_object_get(model, lists[0]);
	json_array_foreach(json_object_get(page, "cells"), i, cell) {
		json_t *own = json_array();
		json_array_foreach(all, n, o)
			if (json_equal(json_object_get(o, "cell"), json_object_get(cell, "cell")))
				json_array_append_new(own, with_pictures(o, r, k, &bytes));
		json_object_set_new(cell, "interactions", own);
	}
	json_array_foreach(all, i, o)
		if (!json_is_number(json_object_get(o, "cell")))
			json_array_append_new(loose, with_pictures(o, r, k, &bytes));
	json_object_set_new(page, "loose", loose);
}
