/* browser_profile.c: the page's side of a cell, from the sampling profiler of DevTools.
 * It returns a tree of calls and, for each sample, the node that ran.  The time of a sample is the
 * time until the next one. */
#include "browser_profile.h"
#include "base/die.h"
#include "browser_names.h"
#include "browser_trace.h"
#include "hook/hook_driver.h"
#include "json/json_text.h"
#include "profile_output.h"
#include "text/base64.h"

#include <math.h>

enum { SAMPLING_US = 500, MAX_DEPTH = 400, MAX_CELL_FILE_BYTES = 8 << 20 };

struct call {
	const json_t *frame;	/* the node's callFrame */
	size_t function;	/* of the same place: index of its first node */
	size_t parent;	/* NONE: of the root */
	size_t samples;
	double own_s, all_s;
	double cumulative_s;	/* of the function, in its first node */
};
#define NONE SIZE_MAX

struct tree {
	struct call *v;
	size_t n, samples;
	double sampled_s;
	json_t *by_id;	/* {id: index} */
};

char *
browser_profile_start(void)
{
	const struct { const char *method; json_t *params; } steps[] = {
		{"Profiler.enable", json_object()},
		{"Profiler.setSamplingInterval", json_pack("{s:i}", "interval", SAMPLING_US)},
		{"Profiler.start", json_object()},
	};
	char *why = NULL;
	browser_trace_start();
	for (size_t i = 0; i < COUNT(steps); i++)
		if (why)
			json_decref(steps[i].params);
		else
			json_decref(hook_driver_call_devtools(steps[i].method,
			    steps[i].params, &why));
	if (!why)
		return NULL;
	free(why);
	return xstrdup("this browser has no profiler that its driver can start: Chromium has one");
}

/* ---- places --------------------------------------------------------------------------- */

/* From 1; 0: the browser's own. */
static json_int_t
frame_line(const json_t *frame)
{
	json_int_t line = json_integer_value(json_object_get(frame, "lineNumber"));
	return line < 0 ? 0 : line + 1;
}

/* What the driver has injected has a line, but no URL; the browser's own functions have neither. */
static const char *
script_name(const json_t *frame)
{
	const char *url = json_string_value(json_object_get(frame, "url"));
	return url && *url ? url : frame_line(frame) ? "(driver)" : "~";
}

static const char *
function_name(const json_t *frame)
{
	const char *name = json_string_value(json_object_get(frame, "functionName"));
	return name && *name ? name : "(anonymous)";
}

static char *
place_key(const json_t *frame)
{
	return xasprintf("%s\n%lld\n%s", script_name(frame), (long long)frame_line(frame),
	    function_name(frame));
}

/* ---- the tree --------------------------------------------------------------------------- */

static size_t
index_of(const struct tree *t, const json_t *id)
{
	char key[24];
	snprintf(key, sizeof key, "%lld", (long long)json_integer_value(id));
	json_t *at = json_object_get(t->by_id, key);
	return at ? (size_t)json_integer_value(at) : NONE;
}

static void
read_nodes(struct tree *t, const json_t *nodes)
{
	json_t *node, *child, *places = json_object();
	size_t i, k;
	t->n = json_array_size(nodes);
	t->v = xmalloc((t->n ? t->n : 1) * sizeof *t->v);
	t->by_id = json_object();
	json_array_foreach(nodes, i, node) {
		json_t *frame = json_object_get(node, "callFrame");
		char key[24], *place = place_key(frame);
		snprintf(key, sizeof key, "%lld",
		    (long long)json_integer_value(json_object_get(node, "id")));
		json_object_set_new(t->by_id, key, json_integer((json_int_t)i));
		json_t *first = json_object_get(places, place);
		if (!first)
			json_object_set_new(places, place, json_integer((json_int_t)i));
		t->v[i] = (struct call){.frame = frame, .parent = NONE,
			.function = first ? (size_t)json_integer_value(first) : i};
		free(place);
	}
	json_array_foreach(nodes, i, node)
		json_array_foreach(json_object_get(node, "children"), k, child)
			if (index_of(t, child) != NONE)
				t->v[index_of(t, child)].parent = i;
	json_decref(places);
}

static void
read_samples(struct tree *t, const json_t *profile)
{
	json_t *samples = json_object_get(profile, "samples"), *id;
	json_t *deltas = json_object_get(profile, "timeDeltas");
	size_t i;
	json_array_foreach(samples, i, id) {
		size_t at = index_of(t, id);
		double s = json_number_value(json_array_get(deltas, i + 1)) / 1e6;
		if (at == NONE || !(s >= 0))
			continue;
		t->v[at].own_s += s;
		t->v[at].samples++;
		t->samples++;
		t->sampled_s += s;
	}
}

/* Each function once in a stack, however often it calls itself. */
static void
sum_cumulative(struct tree *t)
{
	for (size_t i = 0; i < t->n; i++) {
		size_t seen[MAX_DEPTH], n = 0;
		if (!t->v[i].samples)
			continue;
		for (size_t at = i; at != NONE && n < MAX_DEPTH; at = t->v[at].parent) {
			size_t function = t->v[at].function;
			bool had = false;
			for (size_t k = 0; k < n; k++)
				had = had || seen[k] == function;
			if (!had)
				t->v[function].cumulative_s += t->v[i].own_s;
			seen[n++] = function;
		}
	}
	for (size_t i = 0; i < t->n; i++)
		t->v[t->v[i].function].all_s += t->v[i].own_s;
}

/* ---- records ------------------------------------------------------------------------------ */

static void
write_functions(const struct tree *t, const struct notebook_cell *c)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct call *f = &t->v[i];
		if (f->function != i || f->parent == NONE || !(f->cumulative_s > 0))
			continue;
		hook_driver_write(json_pack(
		    "{s:s, s:I, s:I, s:s, s:I, s:s, s:n, s:n, s:f, s:f, s:[], s:O*}",
		    "type", "profile_function", "cell_index", (json_int_t)c->index,
		    "id", (json_int_t)i, "file", script_name(f->frame),
		    "line", frame_line(f->frame),
		    "function", function_name(f->frame), "calls", "primitive_calls",
		    "own_s", f->all_s, "cumulative_s", f->cumulative_s, "callers",
		    "script", json_object_get(f->frame, "script")));
	}
}

/* The frames of a node, the outermost first; none of NONE. */
static json_t *
stack_of(const struct tree *t, size_t node)
{
	json_t *stack = json_array();
	size_t depth = 0;
	for (size_t at = node; at != NONE && t->v[at].parent != NONE && depth++ < MAX_DEPTH;
	    at = t->v[at].parent) {
		const json_t *frame = t->v[at].frame;
		const char *file = script_name(frame);
		long long line = (long long)frame_line(frame);
		json_array_insert_new(stack, 0, strcmp(file, "~") == 0 ?
		    json_string(function_name(frame)) : !line ?
		    json_sprintf("%s (%s)", function_name(frame), file) :
		    json_sprintf("%s (%s:%lld)", function_name(frame), file, line));
	}
	return stack;
}

/* What the page's threads did when, and below it the browser's own work: "(layout)". */
static void
write_lane(const struct tree *t, const struct notebook_cell *c, const json_t *lane)
{
	json_t *spans = json_object_get(lane, "spans"), *node = json_object_get(lane, "node");
	json_t *span;
	const char *work = json_string_value(json_object_get(lane, "work"));
	json_t *stack = stack_of(t, json_is_integer(node) ? index_of(t, node) : NONE);
	double s = 0;
	size_t i;
	json_array_foreach(spans, i, span)
		s += json_number_value(json_array_get(span, 1));
	if (work)
		json_array_append_new(stack, json_sprintf("(%s)", work));
	profile_output_stack(c, "browser", json_string_value(json_object_get(lane, "thread")),
	    stack, (size_t)ceil(s * 1e6 / SAMPLING_US), s, json_incref(spans));
}

/* lanes: see browser_trace.h. */
static void
write_stacks(const struct tree *t, const struct notebook_cell *c, const json_t *lanes)
{
	json_t *lane;
	size_t i;
	json_array_foreach(lanes, i, lane)
		write_lane(t, c, lane);
	for (i = 0; i < t->n && !lanes; i++)
		if (t->v[i].samples)
			profile_output_stack(c, "browser", "main", stack_of(t, i), t->v[i].samples,
			    t->v[i].own_s, NULL);
}

/* For the viewers that people have: DevTools and speedscope open it. */
static void
write_file(const json_t *profile, const struct notebook_cell *c)
{
	char *text = json_text_of(profile);
	size_t n = strlen(text);
	if (n <= MAX_CELL_FILE_BYTES) {
		char *data = base64_encode(text, n);
		hook_driver_write(json_pack("{s:s, s:I, s:s, s:o, s:I, s:s}",
		    "type", "profile_file", "cell_index", (json_int_t)c->index,
		    "profiler", "browser", "name",
		    json_sprintf("cell-%03zu.cpuprofile", c->index), "bytes", (json_int_t)n,
		    "base64", data));
		free(data);
	}
	free(text);
}

void
browser_profile_write(const struct notebook_cell *c, double t, const char *browser)
{
	struct tree tree = {0};
	char *why = NULL;
	json_t *answer = hook_driver_call_devtools("Profiler.stop", json_object(), &why);
	json_t *profile = json_object_get(answer, "profile");
	json_t *lanes = profile ? browser_trace_end(profile, t) : NULL;
	char *version = xasprintf("%s, a sample every %g ms", browser, SAMPLING_US / 1e3);
	if (profile) {
		browser_names_set(profile);
		read_nodes(&tree, json_object_get(profile, "nodes"));
		read_samples(&tree, profile);
		sum_cumulative(&tree);
	}
	profile_output_head(c, t, "browser", version, tree.sampled_s, tree.samples ? NULL :
	    profile ? "no sample was taken" : why ? why : "the browser gave no profile");
	if (profile) {
		write_functions(&tree, c);
		write_stacks(&tree, c, lanes);
		write_file(profile, c);
	}
	browser_trace_messages(c);
	free(why);
	free(version);
	json_decref(lanes);
	json_decref(tree.by_id);
	free(tree.v);
	json_decref(answer);
}
