/* model_flame.c: a flame graph of a cell, from its stacks or from its function profile: a tree of
 * frames, {name, owner, time_s, frames}. */
#include "model_flame.h"
#include "base/die.h"
#include "json/json_value.h"
#include "model_record.h"
#include "profile/profile_place.h"
#include "profile/profile_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 60, MAX_NODES = 3000 };
#define MIN_SHARE 0.002	/* narrower frames are not drawn */

/* The child of that name with more time; while the tree grows, children are {name: frame}. */
static json_t *
add_child(json_t *children, const char *name, enum profile_owner owner, double time_s)
{
	static const char *const classes[] = {[OWNER_PACKAGE] = "package", [OWNER_CELL] = "own",
		[OWNER_STANDARD] = "standard", [OWNER_KERNEL] = "standard",
		[OWNER_BUILTIN] = "builtin"};
	json_t *child = json_object_get(children, name);
	if (!child) {
		child = json_pack("{s:s, s:s, s:f, s:{}}", "name", name, "owner", classes[owner],
		    "time_s", 0.0, "children");
		json_object_set_new(children, name, child);
	}
	json_t *time = json_object_get(child, "time_s");
	json_real_set(time, json_real_value(time) + time_s);
	return json_object_get(child, "children");
}

/* ---- from stacks ------------------------------------------------------------------- */

static bool
has_several_threads(const struct profile_cell *c)
{
	for (size_t i = 1; i < c->n_stacks; i++)
		if (strcmp(c->stacks[i].thread, c->stacks[0].thread) != 0 ||
		    strcmp(c->stacks[i].process, c->stacks[0].process) != 0)
			return true;
	return false;
}

/* The first frame of a cell's code, below all that runs it; 0: there is none. */
static size_t
first_of_cell(const json_t *frames)
{
	for (size_t i = 0; i < json_array_size(frames); i++) {
		enum profile_owner owner;
		free(profile_place_frame(json_string_value(json_array_get(frames, i)), &owner));
		if (owner == OWNER_CELL)
			return i;
	}
	return 0;
}

static void
add_stack(json_t *at, const struct profile_stack *s, bool threads)
{
	size_t first = first_of_cell(s->frames);
	if (threads) {
		char *name = xasprintf("%s, %s", s->process, s->thread);
		at = add_child(at, name, OWNER_KERNEL, s->time_s);
		free(name);
	}
	for (size_t i = first; i < json_array_size(s->frames) && i < first + MAX_DEPTH; i++) {
		enum profile_owner owner;
		char *name = profile_place_frame(json_string_value(json_array_get(s->frames, i)),
		    &owner);
		at = add_child(at, name, owner, s->time_s);
		free(name);
	}
}

static double
add_stacks(json_t *root, const struct profile_cell *c)
{
	bool threads = has_several_threads(c);
	double all_s = 0;
	for (size_t i = 0; i < c->n_stacks; i++) {
		add_stack(root, &c->stacks[i], threads);
		all_s += c->stacks[i].time_s;
	}
	return all_s;
}

/* ---- from functions ------------------------------------------------------------------ */

/* Functions are named as they are in stacks: "f (glue/core/data.py:7)". */
static char *
function_name(const struct profile_function *f)
{
	struct buf place = {0};
	profile_text_place(&place, f->file, f->line, NULL);
	bool bare = strcmp(f->file, "~") == 0 || strcmp(f->file, f->function) == 0;
	char *name = bare ? xstrdup(f->function) : xasprintf("%s (%s)", f->function, place.p);
	buf_free(&place);
	return name;
}

struct estimate {
	const struct profile_cell *c;
	double all_s;
	size_t n;
	bool *in_path;	/* of each function */
};

/* The time of a function under a caller; 0: it is not called by it. */
static double
time_under(const struct profile_cell *c, size_t function, size_t caller)
{
	const struct profile_function *f = &c->functions[function];
	double s = 0;
	for (size_t i = 0; i < f->n_callers && function != caller; i++)
		if (f->callers[i].function == caller)
			s += f->callers[i].cumulative_s;
	return s;
}

/* A function's time under a caller is divided as that caller's own time is: the profile has no
 * longer paths than from a caller to a function. */
static void
add_function(struct estimate *e, json_t *parent, size_t function, double time_s, int depth)
{
	const struct profile_function *f = &e->c->functions[function];
	if (time_s < MIN_SHARE * e->all_s || e->n++ >= MAX_NODES || depth == MAX_DEPTH)
		return;
	char *name = function_name(f);
	json_t *children = add_child(parent, name, profile_place_owner(f->file), time_s);
	double inner_s = 0, s;
	free(name);
	for (size_t i = 0; i < e->c->n_functions; i++)
		inner_s += time_under(e->c, i, function);
	double all_s = fmax(f->cumulative_s, inner_s);
	e->in_path[function] = true;
	for (size_t i = 0; i < e->c->n_functions && all_s > 0; i++)
		if (!e->in_path[i] && (s = time_under(e->c, i, function)) > 0)
			add_function(e, children, i, time_s * s / all_s, depth + 1);
	e->in_path[function] = false;
}

static bool
is_called(const struct profile_function *f, size_t self)
{
	for (size_t i = 0; i < f->n_callers; i++)
		if (f->callers[i].function != self)
			return true;
	return false;
}

/* The cell's own code, which what runs the cell calls, too; without it, what nothing calls. */
static bool
is_root(const struct profile_cell *c, size_t i, size_t longest)
{
	bool own = profile_place_owner(c->functions[longest].file) == OWNER_CELL;
	return i == longest || (!own && !is_called(&c->functions[i], i));
}

static size_t
longest_function(const struct profile_cell *c)
{
	size_t longest = 0;
	bool own = false;
	for (size_t i = 0; i < c->n_functions; i++) {
		bool cells = profile_place_owner(c->functions[i].file) == OWNER_CELL;
		double s = c->functions[i].cumulative_s;
		if ((cells && !own) ||
		    (cells == own && s > c->functions[longest].cumulative_s))
			longest = i;
		own = own || cells;
	}
	return longest;
}

static double
add_functions(json_t *root, const struct profile_cell *c)
{
	struct estimate e = {.c = c, .in_path = xmalloc(c->n_functions + 1)};
	size_t longest = longest_function(c);
	memset(e.in_path, 0, c->n_functions + 1);
	for (size_t i = 0; i < c->n_functions; i++)
		e.all_s += is_root(c, i, longest) ? c->functions[i].cumulative_s : 0;
	for (size_t i = 0; i < c->n_functions; i++)
		if (is_root(c, i, longest))
			add_function(&e, root, i, c->functions[i].cumulative_s, 1);
	free(e.in_path);
	return e.all_s;
}

/* ---- frames ------------------------------------------------------------------------- */

/* Those that are wide enough, the widest first, each with its share of the whole and its width in
 * percent of what calls it. */
static json_t *
frames_of(json_t *children, double parent_s, double all_s)
{
	static const char *const order[] = {"-time_s", "name", NULL};
	json_t *wide = json_array(), *frame;
	const char *name;
	json_object_foreach(children, name, frame) {
		double s = json_value_real_at(frame, "time_s");
		if (s < MIN_SHARE * all_s)
			continue;
		json_object_update_new(frame, json_pack("{s:f, s:f, s:o}", "pct", 100 * s / all_s,
		    "width_pct", 100 * s / parent_s, "frames",
		    frames_of(json_object_get(frame, "children"), s, all_s)));
		json_object_del(frame, "children");
		json_array_append(wide, frame);
	}
	json_t *frames = model_sorted(wide, order);
	json_decref(wide);
	return frames;
}

json_t *
model_flame(const struct profile_cell *c)
{
	json_t *root = json_object(), *flame = json_null();
	char *name = c->index ? xasprintf("cell %ld", c->index) : xstrdup("between cells");
	double all_s = c->n_stacks ? add_stacks(root, c) : add_functions(root, c);
	if (json_object_size(root) && all_s > 0)
		flame = json_pack("{s:s, s:f, s:b, s:o}", "name", name, "time_s", all_s, "sampled",
		    c->n_stacks > 0, "frames", frames_of(root, all_s, all_s));
	free(name);
	json_decref(root);
	return flame;
}
