/* profile_contributors.c: what contributed to the client time of cells, on one scale.
 * share/profile/outside/contributors.py walks the critical path of each cell; this knows the clocks
 * and whose code a frame is. */
#include "profile_contributors.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/python_child.h"
#include "base/str.h"
#include "json/json_value.h"
#include "profile/profile_place.h"

EMBED_STATIC(contributors_py, "share/profile/outside/contributors.py");
extern const char contributors_py[];

static struct child walker;	/* pid 0: no cell has anything to walk */
static bool any;	/* since the last cell */

/* Takes over the object. */
static void
xsend(json_t *what)
{
	if (!what)	/* a record with an impossible number */
		return;
	if (!walker.pid)
		xpython_child_start(&walker, "NBSCOPE_VENV", "venv", contributors_py);
	json_dumpf(what, walker.to, JSON_COMPACT);
	fputc('\n', walker.to);
	json_decref(what);
}

/* Whose code it is, as far as it matters here: a file that is not installed is the author's. */
static const char *
owner_word(const char *frame, enum profile_owner owner)
{
	bool package = owner == OWNER_PACKAGE && profile_place_is_installed(frame);
	return owner == OWNER_CELL || (owner == OWNER_PACKAGE && !package) ? "own" :
	    package ? "package" : "other";
}

void
xprofile_contributors_stack(const json_t *frames, struct scan *s, double t)
{
	json_t *shown = json_array(), *frame, *spans = span_json(scan_get(s, "spans"));
	size_t i;
	json_array_foreach(frames, i, frame) {
		enum profile_owner owner;
		const char *text = json_string_value(frame);
		char *name = profile_place_frame(text, &owner);
		json_array_append_new(shown, json_pack("[O, s, s]", frame, name,
		    owner_word(text, owner)));
		free(name);
	}
	if (json_array_size(spans)) {
		any = true;
		xsend(json_pack("{s:o, s:f, s:O, s:o, s:o}", "stack", shown, "t", t, "spans", spans,
		    "process", span_json(scan_get(s, "process")), "thread",
		    span_json(scan_get(s, "thread"))));
	} else {
		json_decref(shown);
	}
	json_decref(spans);
}

void
xprofile_contributors_message(struct scan *s)
{
	xsend(scan_json(s));
}

void
profile_contributors_cell(const struct run_cell *c, size_t at, const char *source)
{
	if (any)
		xsend(json_pack("{s:I, s:I, s:s?, s:o, s:o, s:o, s:o, s:o, s:o, s:f, s:f}",
		    "at", (json_int_t)at, "cell_index", (json_int_t)c->index, "source", source,
		    "pressed_t", json_value_time(c->pressed_t),
		    "sent_t", json_value_time(c->sent_t), "busy_t", json_value_time(c->busy_t),
		    "idle_t", json_value_time(c->idle_t),
		    "received_t", json_value_time(c->received_t),
		    "end_t", json_value_time(c->end_t),
		    "page_shift_s", c->page_shift_s, "kernel_shift_s", c->kernel_shift_s));
	any = false;
}

void
xprofile_contributors_finish(struct profile_fold *f)
{
	json_t *answer, *of_cell;
	size_t i;
	if (!walker.pid)
		return;
	fclose(walker.to);
	walker.to = NULL;
	answer = json_loadf(walker.from, 0, NULL);
	if (!answer)
		warn("cannot find what contributed to cells: Python failed");
	json_array_foreach(answer, i, of_cell) {
		size_t at = (size_t)json_integer_value(json_object_get(of_cell, "at"));
		f->cells[at].contributors = json_incref(json_object_get(of_cell, "contributors"));
		for (size_t k = 0; k < f->n; k++)
			f->cells[k].explained = f->cells[k].explained ||
			    (f->cells[k].page && !f->cells[k].gesture &&
			    f->cells[k].index == f->cells[at].index &&
			    str_same(f->cells[k].usecase, f->cells[at].usecase));
	}
	xchild_end_killed(&walker, "cannot find what contributed to cells");
	json_decref(answer);
}
