/* profiling.c: profilers inside the kernel, around single cells (share/profile).
 * The driver sends silent requests, which leave nothing in the notebook or its history: one that
 * defines the module, one before each cell to profile, and one after it for each part of its
 * records. */
#include "drive/profiling.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/file.h"
#include "drive/cell_files.h"
#include "drive/profile_output.h"
#include "drive/python_literal.h"
#include "drive/run_options.h"
#include "drive/run_record.h"
#include "drive/scorep_tags.h"
#include "drive/stack_profile.h"
#include "json/json_parse.h"

#include <stdlib.h>
#include <string.h>

#define MODULE "_nbscope_profile"
#define TAG "profile"
#define TAG_LINES "profile-lines:"
#define TAG_DASK "profile-dask:"

enum { SETTINGS_LIMIT_BYTES = 1 << 20, SETUP_MS = 60000, ARM_MS = 60000, TAKE_MS = 60000,
	MAX_PARTS = 64 };

EMBED_STATIC(profile_py, "share/profile/profile.py");
EMBED_STATIC(functions_py, "share/profile/functions.py");
EMBED_STATIC(lines_py, "share/profile/lines.py");
EMBED_STATIC(memory_py, "share/profile/memory.py");
EMBED_STATIC(dask_py, "share/profile/dask.py");
EMBED_STATIC(scorep_py, "share/profile/scorep.py");
EMBED_STATIC(tracing_py, "share/ipython/nbscope/tracing.py");
EMBED_STATIC(decorators_py, "share/profile/decorators.py");
extern const char profile_py[], functions_py[], lines_py[], memory_py[], dask_py[], tracing_py[],
    decorators_py[], scorep_py[];

struct profiling {
	const struct profiling_driver *driver;
	json_t *asked;	/* the settings as they were given */
	json_t *settings;	/* with the profilers of the kernel alone */
	bool browser;	/* the page is profiled, too */
	double browser_t;	/* when its profile of a cell began; 0: it did not */
	bool stacks;	/* and the stacks of the kernel's processes */
	double stacks_t;	/* likewise */
	char *no_stacks;	/* why they are not sampled; or NULL */
	pid_t kernel;	/* its process; 0: not on this machine */
	bool tagged;	/* cells are selected by their tags */
	char *reason;	/* why nothing can be profiled; or NULL */
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

static struct profiling *
xread_settings(const char *path)
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
	p.browser = take_profiler(&p, "browser");
	p.stacks = take_profiler(&p, "stacks");
	return &p;
}

struct profiling *
xprofiling_of_options(void)
{
	if (!run_options.profile_file)
		return NULL;
	struct profiling *p = xread_settings(run_options.profile_file);
	run_options.profile = p->asked;
	return p;
}

/* Calls a function of the module whose value is data. */
static json_t *
call_function(const struct profiling *p, const char *call, long limit_ms, char **why)
{
	char *expression = xasprintf("__import__('sys').modules['" MODULE "'].%s", call);
	json_t *data = p->driver->evaluate(expression, PROFILING_MIME, limit_ms, why);
	free(expression);
	return data;
}

/* ---- which cells -------------------------------------------------------------------------- */

/* What follows the word that a tag begins with; NULL: it begins otherwise. */
static const char *
tag_after(const json_t *tag, const char *begin)
{
	const char *text = json_string_value(tag);
	return text && strncmp(text, begin, strlen(begin)) == 0 ? text + strlen(begin) : NULL;
}

static bool
has_profile_tag(const struct notebook_cell *c)
{
	json_t *tag;
	size_t i;
	bool has = notebook_cell_has_tag(c, TAG);
	json_array_foreach(c->tags, i, tag)
		has = has || tag_after(tag, TAG_LINES) || tag_after(tag, TAG_DASK) ||
		    tag_after(tag, SCOREP_TAGS_BEGIN);
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

/* What a kernel sends may be anything: only records of profiles become part of the run. */
static void
write_records(const struct buf *text)
{
	json_error_t e;
	size_t bad = 0;
	for (const char *line = text->p, *end = line + text->n, *next; line < end; line = next) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		next = newline ? newline + 1 : end;
		size_t n = (size_t)((newline ? newline : end) - line);
		json_t *record = json_parse_strict(line, n, &e);
		const char *type = json_string_value(json_object_get(record, "type"));
		if (type && strncmp(type, TAG, sizeof TAG - 1) == 0)
			xrun_record_write(json_incref(record));
		else
			bad += n > 0;
		json_decref(record);
	}
	if (bad)
		warn("%zu lines from the profilers are not records and were left out", bad);
}

/* ---- a run --------------------------------------------------------------------------------- */

void
profiling_open(struct profiling *p, const struct profiling_driver *driver,
    const struct notebook *nb, pid_t kernel)
{
	p->driver = driver;
	p->kernel = kernel;
	for (size_t i = 0; i < nb->n; i++)
		p->tagged = p->tagged || has_profile_tag(&nb->cells[i]);
	if (p->stacks && kernel)
		cell_files_open(driver, nb, kernel);
	if (!has_kernel_profilers(p))
		return;
	char *all = xasprintf("%s%s%s%s%s%s%s%s", profile_py, functions_py, lines_py, memory_py,
	    dask_py, tracing_py, decorators_py, scorep_py);
	char *module = python_module(MODULE, all), *settings = python_literal_value(p->settings);
	char *expression = xasprintf("%s.setup(__import__('json').loads(%s))", module, settings);
	json_decref(driver->evaluate(expression, PROFILING_MIME, SETUP_MS, &p->reason));
	free(expression);
	free(all);
	free(module);
	free(settings);
	if (p->reason)
		warn("nothing can be profiled: %s", p->reason);
}

/* OPTION=VALUE, of the profiler of dask: a number, true, false, or a text. */
static void
add_dask_option(json_t *options, const char *tag)
{
	const char *equals = strchr(tag, '=');
	char *name = xasprintf("%.*s", (int)strcspn(tag, "="), tag);
	json_t *value = equals ? json_loads(equals + 1, JSON_DECODE_ANY, NULL) : json_true();
	if (!value || json_is_array(value) || json_is_object(value)) {
		json_decref(value);
		value = json_string(equals + 1);
	}
	json_object_set_new(options, name, value);
	free(name);
}

static void
arm_kernel(const struct profiling *p, const struct notebook_cell *c, bool selected)
{
	json_t *functions = json_array(), *dask = json_object(), *tag;
	size_t i;
	json_array_foreach(c->tags, i, tag) {
		if (tag_after(tag, TAG_LINES))
			json_array_append_new(functions, json_string(tag_after(tag, TAG_LINES)));
		else if (tag_after(tag, TAG_DASK))
			add_dask_option(dask, tag_after(tag, TAG_DASK));
	}
	json_t *cell = json_pack("{s:I, s:s, s:b, s:{s:o, s:o}}", "index", (json_int_t)c->index,
	    "id", c->id, "profile", selected, "options", "functions", functions, "dask", dask);
	if (c->script) {
		json_object_set_new(cell, "script", json_string(c->script));
		json_object_set_new(cell, "line", json_integer((json_int_t)c->first_line));
	}
	char *literal = python_literal_value(cell), *why = NULL;
	char *call = xasprintf("arm(__import__('json').loads(%s))", literal);
	json_decref(call_function(p, call, ARM_MS, &why));
	if (why)
		warn("cell %zu is not profiled: %s", c->index, why);
	json_decref(cell);
	free(literal);
	free(call);
	free(why);
}

static void
start_stacks(struct profiling *p)
{
	json_t *overlay = json_object_get(p->settings, "overlay");
	free(p->no_stacks);
	p->no_stacks = stack_profile_start(json_string_value(overlay), p->kernel);
	if (!p->no_stacks)
		p->stacks_t = clock_unix_s();
}

bool
profiling_before(struct profiling *p, const struct notebook_cell *c)
{
	bool selected = is_selected(p, c);
	if (has_kernel_profilers(p) && !p->reason)
		arm_kernel(p, c, selected);
	p->browser_t = p->stacks_t = 0;
	if (selected && p->stacks)
		start_stacks(p);
	bool page = p->driver->start_browser != NULL;
	if (selected && p->browser && page && p->driver->start_browser() == 0)
		p->browser_t = clock_unix_s();
	return selected;
}

static void
write_kernel_profiles(const struct profiling *p, const struct notebook_cell *c, const char *status)
{
	struct buf text = {0};
	char *why = p->reason ? xstrdup(p->reason) : NULL;
	for (int part = 0; part < MAX_PARTS && !why; part++) {
		json_t *data = call_function(p, "take()", TAKE_MS, &why);
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
	if (text.n)
		write_records(&text);
	else
		write_reasons(p, c, why ? why : "the profilers recorded nothing");
	buf_free(&text);
	free(why);
}

void
profiling_after(struct profiling *p, const struct notebook_cell *c, const char *status)
{
	if (p->stacks && p->stacks_t > 0)
		stack_profile_write(c, p->stacks_t);
	else if (p->stacks)
		profile_output_head(c, clock_unix_s(), "stacks", NULL, 0, p->no_stacks);
	if (p->browser && p->browser_t > 0)
		p->driver->write_browser(c, p->browser_t);
	else if (p->browser)
		profile_output_head(c, clock_unix_s(), "browser", NULL, 0, p->driver->no_browser);
	if (has_kernel_profilers(p))
		write_kernel_profiles(p, c, status);
}
