/* report_flame.c: a flame graph of a cell, from its stacks or from its function profile. */
#include "report_flame.h"
#include "base/die.h"
#include "html.h"
#include "profile/profile_place.h"
#include "profile/profile_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 60, MAX_NODES = 3000, ROW_PX = 18, TEXT_PX = 13 };
#define MIN_SHARE 0.002	/* narrower frames are not drawn */
#define MIN_TEXT_SHARE 0.015

struct flame_node {
	char *name;
	enum profile_owner owner;
	double time_s;
	size_t *children, n, cap;
};
/* Node 0 is the whole cell. */
struct flame {
	struct flame_node *nodes;
	size_t n, cap, depth;
};

static size_t
new_node(struct flame *g, char *name, enum profile_owner owner, double time_s)
{
	g->nodes = xgrow(g->nodes, g->n, &g->cap, sizeof *g->nodes);
	g->nodes[g->n] = (struct flame_node){.name = name, .owner = owner, .time_s = time_s};
	return g->n++;
}

static size_t
new_child(struct flame *g, size_t parent, char *name, enum profile_owner owner, double time_s)
{
	size_t child = new_node(g, name, owner, time_s);
	struct flame_node *p = &g->nodes[parent];
	p->children = xgrow(p->children, p->n, &p->cap, sizeof *p->children);
	p->children[p->n++] = child;
	return child;
}

static void
free_flame(struct flame *g)
{
	for (size_t i = 0; i < g->n; i++) {
		free(g->nodes[i].name);
		free(g->nodes[i].children);
	}
	free(g->nodes);
}

static char *
cell_name(const struct profile_cell *c)
{
	return c->index ? xasprintf("cell %ld", c->index) : xstrdup("between cells");
}

/* ---- from stacks ------------------------------------------------------------------- */

static size_t
child_named(struct flame *g, size_t parent, char *name, enum profile_owner owner)
{
	const struct flame_node *p = &g->nodes[parent];
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(g->nodes[p->children[i]].name, name) == 0) {
			free(name);
			return p->children[i];
		}
	return new_child(g, parent, name, owner, 0);
}

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
add_stack(struct flame *g, const struct profile_stack *s, bool threads)
{
	size_t at = 0, first = first_of_cell(s->frames);
	g->nodes[0].time_s += s->time_s;
	if (threads) {
		at = child_named(g, 0, xasprintf("%s, %s", s->process, s->thread), OWNER_KERNEL);
		g->nodes[at].time_s += s->time_s;
	}
	for (size_t i = first; i < json_array_size(s->frames) && i < first + MAX_DEPTH; i++) {
		enum profile_owner owner;
		char *name = profile_place_frame(json_string_value(json_array_get(s->frames, i)),
		    &owner);
		at = child_named(g, at, name, owner);
		g->nodes[at].time_s += s->time_s;
	}
}

static void
add_stacks(struct flame *g, const struct profile_cell *c)
{
	bool threads = has_several_threads(c);
	for (size_t i = 0; i < c->n_stacks; i++)
		add_stack(g, &c->stacks[i], threads);
}

/* ---- from functions ------------------------------------------------------------------ */

struct flame_call {
	size_t function;
	double cumulative_s;	/* of it under that caller */
};
struct flame_calls {
	struct flame_call *v;
	size_t n, cap;
	bool in_path, called;
};

static struct flame_calls *
calls_of(const struct profile_cell *c)
{
	struct flame_calls *calls = xmalloc(c->n_functions * sizeof *calls);
	memset(calls, 0, c->n_functions * sizeof *calls);
	for (size_t i = 0; i < c->n_functions; i++)
		for (size_t k = 0; k < c->functions[i].n_callers; k++) {
			const struct profile_caller *by = &c->functions[i].callers[k];
			struct flame_calls *of = &calls[by->function];
			if (by->function == i)
				continue;
			of->v = xgrow(of->v, of->n, &of->cap, sizeof *of->v);
			of->v[of->n++] = (struct flame_call){i, by->cumulative_s};
			calls[i].called = true;
		}
	return calls;
}

/* As in stacks: "f (glue/core/data.py:7)". */
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

/* A function's time under a caller is divided as that caller's own time is: the profile has no
 * longer paths than from a caller to a function. */
static void
add_function_node(struct flame *g, const struct profile_cell *c, struct flame_calls *calls,
    size_t function, size_t parent, double time_s, int depth)
{
	const struct profile_function *f = &c->functions[function];
	struct flame_calls *of = &calls[function];
	if (time_s < MIN_SHARE * g->nodes[0].time_s || g->n >= MAX_NODES || depth == MAX_DEPTH)
		return;
	size_t node = new_child(g, parent, function_name(f), profile_place_owner(f->file), time_s);
	double inner_s = 0;
	for (size_t i = 0; i < of->n; i++)
		inner_s += of->v[i].cumulative_s;
	double all_s = fmax(f->cumulative_s, inner_s);
	of->in_path = true;
	for (size_t i = 0; i < of->n && all_s > 0; i++)
		if (!calls[of->v[i].function].in_path)
			add_function_node(g, c, calls, of->v[i].function, node,
			    time_s * of->v[i].cumulative_s / all_s, depth + 1);
	of->in_path = false;
}

/* The cell's own code, which what runs the cell calls, too; without it, what nothing calls. */
static bool
is_root(const struct profile_cell *c, const struct flame_calls *calls, size_t i, size_t longest)
{
	bool own = profile_place_owner(c->functions[longest].file) == OWNER_CELL;
	return own ? i == longest : !calls[i].called || i == longest;
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

static void
add_functions(struct flame *g, const struct profile_cell *c)
{
	struct flame_calls *calls = calls_of(c);
	size_t longest = longest_function(c);
	for (size_t i = 0; i < c->n_functions; i++)
		if (is_root(c, calls, i, longest))
			g->nodes[0].time_s += c->functions[i].cumulative_s;
	for (size_t i = 0; i < c->n_functions; i++)
		if (is_root(c, calls, i, longest))
			add_function_node(g, c, calls, i, 0, c->functions[i].cumulative_s, 1);
	for (size_t i = 0; i < c->n_functions; i++)
		free(calls[i].v);
	free(calls);
}

/* ---- SVG --------------------------------------------------------------------------- */

static const struct flame_node *sorted_nodes;

static int
by_node_time(const void *pa, const void *pb)
{
	size_t a = *(const size_t *)pa, b = *(const size_t *)pb;
	double x = sorted_nodes[a].time_s, y = sorted_nodes[b].time_s;
	return x < y ? 1 : x > y ? -1 : strcmp(sorted_nodes[a].name, sorted_nodes[b].name);
}

/* Each frame is an SVG of its own, which cuts its text; x and width are percent. */
static void
put_frame(struct buf *b, const struct flame_node *f, double all_s, double x, size_t depth)
{
	static const char *const classes[] = {[OWNER_PACKAGE] = "package", [OWNER_CELL] = "own",
		[OWNER_STANDARD] = "standard", [OWNER_KERNEL] = "standard",
		[OWNER_BUILTIN] = "builtin"};
	double share = f->time_s / all_s;
	buf_addf(b, "<svg x=\"%.3f%%\" y=\"%zu\" width=\"%.3f%%\" height=\"%d\"><title>", 100 * x,
	    depth * ROW_PX, 100 * share, ROW_PX);
	html_text(b, f->name);
	buf_addf(b, ": %.3f s, %.1f %%</title><rect class=\"%s\" width=\"100%%\" height=\"%d\"/>",
	    f->time_s, 100 * share, classes[f->owner], ROW_PX - 1);
	if (share >= MIN_TEXT_SHARE) {
		buf_addf(b, "<text x=\"3\" y=\"%d\">", TEXT_PX);
		html_text(b, f->name);
		buf_addf(b, "</text>");
	}
	buf_addf(b, "</svg>\n");
}

static void
put_node(struct buf *b, struct flame *g, size_t node, double all_s, double x, size_t depth)
{
	struct flame_node *f = &g->nodes[node];
	if (f->time_s < MIN_SHARE * all_s)
		return;
	put_frame(b, f, all_s, x, depth);
	if (depth + 1 > g->depth)
		g->depth = depth + 1;
	sorted_nodes = g->nodes;
	if (f->n)
		qsort(f->children, f->n, sizeof *f->children, by_node_time);
	for (size_t i = 0; i < f->n; i++) {
		put_node(b, g, f->children[i], all_s, x, depth + 1);
		x += g->nodes[f->children[i]].time_s / all_s;
	}
}

static const char *
caption_of(const struct profile_cell *c)
{
	if (c->n_stacks)
		return c->page ? "Flame graph of the sampled stacks." : "Flame graph of the "
		    "sampled stacks. The time in which a thread waited is left out.";
	return "Estimated from the function profile, which knows only who called a function "
	    "directly: its time is divided among longer paths in proportion.";
}

void
report_flame(struct buf *b, const struct profile_cell *c)
{
	struct flame g = {0};
	struct buf frames = {0};
	bool stacks = c->n_stacks > 0;
	new_node(&g, cell_name(c), OWNER_CELL, 0);
	if (stacks)
		add_stacks(&g, c);
	else
		add_functions(&g, c);
	if (g.n > 1 && g.nodes[0].time_s > 0) {
		put_node(&frames, &g, 0, g.nodes[0].time_s, 0, 0);
		buf_addf(b, "<figure class=\"flame\"><svg width=\"100%%\" height=\"%zu\" "
		    "role=\"img\" aria-label=\"Flame graph of %s, %.3f s\">\n",
		    g.depth * ROW_PX, g.nodes[0].name, g.nodes[0].time_s);
		buf_add(b, frames.p, frames.n);
		buf_addf(b, "</svg><figcaption>%s The width of a frame is its time, with all that "
		    "it calls. <i class=\"own\"></i> cells <i class=\"package\"></i> packages "
		    "<i class=\"standard\"></i> standard library <i class=\"builtin\"></i> "
		    "built in</figcaption></figure>\n", caption_of(c));
	}
	buf_free(&frames);
	free_flame(&g);
}
