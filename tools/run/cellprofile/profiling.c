/* profiling.c: which cells run under which profilers, and their records.
 * Those of share/profile run inside the kernel: silent requests, which leave nothing in the
 * notebook or its history, define their module, and ask it before each cell to profile, and after
 * it for each part of its records.  Two run outside of it. */
#include "profiling.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/file.h"
#include "browser_profile.h"
#include "browser_trace.h"
#include "cell_files.h"
#include "hook/hook_driver.h"
#include "json/json_parse.h"
#include "kernel/kernel_process.h"
#include "kernel/python_literal.h"
#include "leak_rounds.h"
#include "profile_output.h"
#include "stack_profile.h"

#define MODULE "_nbscope_profile"
#define TAG "profile"
#define TAG_LINES "profile-lines:"
#define TAG_DASK "profile-dask:"

enum { SETTINGS_LIMIT_BYTES = 1 << 20, SETUP_MS = 60000, ARM_MS = 60000, TAKE_MS = 60000,
	MAX_PARTS = 64 };

EMBED_STATIC(profilers_py, OBJ_DIR "profilers.py");
extern const char profilers_py[];

/* Profilers outside of the kernel. */
enum { STACKS, BROWSER, OUTSIDE };
static const char *const outside_names[OUTSIDE] = {"stacks", "browser"};

struct outside_profiler {
	bool asked;
	double t;	/* when its profile of the cell began */
	char *why;	/* why it did not; or NULL */
};
struct profiling {
	json_t *asked;	/* the settings as they were given */
	json_t *settings;	/* with the profilers of the kernel alone */
	struct outside_profiler outside[OUTSIDE];
	bool leaks;	/* measured after each round, not of cells */
	struct notebook notebook;
	char *browser;	/* its name; NULL: the driver has none */
	pid_t kernel;	/* its process; 0: not on this machine */
	bool selected;	/* the cell that runs, or was the last to run, is profiled */
	bool tagged;	/* cells are selected by their tags */
	char *reason;	/* why nothing can be profiled in the kernel; or NULL */
};

/* Takes a profiler that is not the kernel's out of the list. */
static bool
take_profiler(struct profiling *p, const char *name)
{
	json_t *profilers = json_object_get(p->settings, "profilers");
	bool had = false;
	for (size_t i = json_array_size(profilers); i-- > 0; ) {
		const char *word = json_string_value(json_array_get(profilers, i));
		if (!word || strcmp(word, name) != 0)
			continue;
		had = true;
		json_array_remove(profilers, i);
	}
	return had;
}

static bool
has_kernel_profilers(const struct profiling *p)
{
	return json_array_size(json_object_get(p->settings, "profilers")) > 0;
}

struct profiling *
xprofiling_read(const char *path)
{
	static struct profiling p;
	size_t n;
	char *error = NULL, *text = file_read(path, SETTINGS_LIMIT_BYTES, &n);
	if (!text)
		die(ST_SYSTEM, "cannot read '%s':", path);
	p.settings = json_parse_text(text, n, path, &error);
	if (!p.settings)
		die(ST_INPUT, "%s", error);
	if (!json_is_array(json_object_get(p.settings, "profilers")))
		die(ST_INPUT, "%s:1:1: no list of \"profilers\"", path);
	free(text);
	p.asked = json_deep_copy(p.settings);
	for (size_t i = 0; i < OUTSIDE; i++)
		p.outside[i].asked = take_profiler(&p, outside_names[i]);
	p.leaks = take_profiler(&p, "leaks");
	return &p;
}

json_t *
profiling_settings(const struct profiling *p)
{
	return p->asked;
}

/* Calls a function of the module whose value is data. */
static json_t *
call_function(const char *call, long limit_ms, char **why)
{
	char *expression = xasprintf("__import__('sys').modules['" MODULE "'].%s", call);
	json_t *data = hook_driver_evaluate(expression, limit_ms, why);
	free(expression);
	return data;
}

/* ---- which cells -------------------------------------------------------------------------- */

static bool
has_profile_tag(const struct notebook_cell *c)
{
	static const char *const begins[] = {TAG_LINES, TAG_DASK, NOTEBOOK_SCOREP_TAG};
	json_t *tag;
	size_t i;
	bool has = notebook_cell_has_tag(c, TAG);
	json_array_foreach(c->tags, i, tag)
		for (size_t k = 0; k < COUNT(begins); k++)
			has = has || strncmp(json_string_value(tag), begins[k],
			    strlen(begins[k])) == 0;
	return has;
}

static bool
is_selected(const struct profiling *p, const struct notebook_cell *c)
{
	json_t *cells = json_object_get(p->settings, "cells"), *index;
	size_t i;
	if (!json_is_array(cells))
		return !p->tagged || has_profile_tag(c);
	json_array_foreach(cells, i, index)
		if (json_integer_value(index) == (json_int_t)c->index)
			return true;
	return false;
}

/* ---- records ------------------------------------------------------------------------------ */

/* Writes in place of a profile why there is none. */
static void
write_reasons(const struct profiling *p, const struct notebook_cell *c, const char *why)
{
	json_t *profiler;
	size_t i;
	json_array_foreach(json_object_get(p->settings, "profilers"), i, profiler)
		profile_output_head(c, clock_unix_s(), json_string_value(profiler), NULL, 0, why);
}

static bool
is_of_profile(json_t *record, const void *unused)
{
	const char *type = json_string_value(json_object_get(record, "type"));
	(void)unused;
	return strncmp(type, TAG, sizeof TAG - 1) == 0;
}

/* ---- a run --------------------------------------------------------------------------------- */

static void
set_up_kernel(struct profiling *p)
{
	char *module = python_module(MODULE, profilers_py);
	char *settings = python_literal_value(p->settings);
	char *expression = xasprintf("%s.setup(__import__('json').loads(%s))", module, settings);
	json_decref(hook_driver_evaluate(expression, SETUP_MS, &p->reason));
	free(expression);
	free(module);
	free(settings);
	if (p->reason)
		warn("nothing can be profiled: %s", p->reason);
}

void
profiling_open(struct profiling *p, const json_t *opened)
{
	const char *browser = json_string_value(json_object_get(opened, "browser"));
	p->notebook = xnotebook_read(json_string_value(json_object_get(opened, "notebook")));
	p->kernel = kernel_process_find(json_string_value(json_object_get(opened, "kernel_id")));
	p->browser = browser ? xstrdup(*browser ? browser : "Chromium") : NULL;
	for (size_t i = 0; i < p->notebook.n; i++)
		p->tagged = p->tagged || has_profile_tag(&p->notebook.cells[i]);
	if (p->outside[BROWSER].asked && p->browser)
		browser_trace_open(opened);
	if (p->outside[STACKS].asked && p->kernel)
		cell_files_open(&p->notebook);
	if (has_kernel_profilers(p))
		set_up_kernel(p);
	if (p->leaks)
		leak_rounds_open(p->settings, opened);
}

static void
arm_kernel(const struct notebook_cell *c, bool selected, json_int_t interaction)
{
	json_t *cell = json_pack("{s:I, s:I, s:s, s:b, s:O}", "interaction", interaction,
	    "index", (json_int_t)c->index, "id", c->id, "profile", selected, "tags", c->tags);
	if (c->script) {
		json_object_set_new(cell, "script", json_string(c->script));
		json_object_set_new(cell, "line", json_integer((json_int_t)c->first_line));
	}
	char *literal = python_literal_value(cell), *why = NULL;
	char *call = xasprintf("arm(__import__('json').loads(%s))", literal);
	json_decref(call_function(call, ARM_MS, &why));
	if (why)
		warn("cell %zu is not profiled: %s", c->index, why);
	json_decref(cell);
	free(literal);
	free(call);
	free(why);
}

/* NULL, or why there is no profile. */
static char *
start_outside(const struct profiling *p, size_t which)
{
	json_t *overlay = json_object_get(p->settings, "overlay");
	if (which == STACKS)
		return stack_profile_start(json_string_value(overlay), p->kernel);
	if (!p->browser)
		return xstrdup("no browser ran (kernelrun)");
	return browser_profile_start();
}

void
profiling_before(struct profiling *p, size_t cell, json_int_t interaction)
{
	const struct notebook_cell *c = &p->notebook.cells[cell - 1];
	bool selected = p->selected = is_selected(p, c);
	if (has_kernel_profilers(p) && !p->reason)
		arm_kernel(c, selected, interaction);
	for (size_t i = 0; i < OUTSIDE && selected; i++) {
		struct outside_profiler *o = &p->outside[i];
		if (!o->asked)
			continue;
		free(o->why);
		o->why = start_outside(p, i);
		o->t = clock_unix_s();
	}
}

void
profiling_round(const struct profiling *p, const json_t *question)
{
	if (p->leaks)
		leak_rounds_measure(json_integer_value(json_object_get(question, "round")));
}

bool
profiling_ended(const struct profiling *p)
{
	return p->selected;
}

static void
write_kernel_profiles(const struct profiling *p, const struct notebook_cell *c, const char *status)
{
	struct buf text = {0};
	char *why = p->reason ? xstrdup(p->reason) : NULL;
	for (int part = 0; part < MAX_PARTS && !why; part++) {
		json_t *data = call_function("take()", TAKE_MS, &why);
		size_t n = json_string_length(data);
		buf_add(&text, data ? json_string_value(data) : "", n);
		json_decref(data);
		if (!n)
			break;
	}
	if (why && strcmp(status, "completed") != 0) {
		char *ended = xasprintf("the cell ended as %s: %s", status, why);
		free(why);
		why = ended;
	}
	size_t bad = hook_driver_write_lines(text.p, text.n, is_of_profile, NULL);
	if (bad)
		warn("%zu lines from the profilers are not records and were left out", bad);
	if (!text.n)
		write_reasons(p, c, why ? why : "the profilers recorded nothing");
	buf_free(&text);
	free(why);
}

void
profiling_recorded(const struct profiling *p, size_t cell, const char *status)
{
	const struct notebook_cell *c = &p->notebook.cells[cell - 1];
	if (!p->selected)
		return;
	for (size_t i = 0; i < OUTSIDE; i++) {
		const struct outside_profiler *o = &p->outside[i];
		if (!o->asked)
			continue;
		if (o->why)
			profile_output_head(c, o->t, outside_names[i], NULL, 0, o->why);
		else if (i == STACKS)
			stack_profile_write(c, o->t);
		else
			browser_profile_write(c, o->t, p->browser);
	}
	if (has_kernel_profilers(p))
		write_kernel_profiles(p, c, status);
}
