/* model_profile.c: what profilers found in the cells of notebooks, in the model of a report: where
 * the time and the memory went, by function and by line. */
#include "model_profile.h"
#include "base/die.h"
#include "base/str.h"
#include "html.h"
#include "layout/layout.h"
#include "json/json_value.h"
#include "model_cell.h"
#include "profile/profile_hot.h"
#include "profile/profile_place.h"
#include "profile/profile_text.h"

#include <glob.h>

static struct profile_fold profiles;

static void
read_profile_record(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	profile_fold_read(&profiles, s, in);
}

void
xmodel_profile_read(struct report *r, const char *path)
{
	char *list[] = {(char *)(uintptr_t)path, NULL};
	xscan_files(list, read_profile_record);
	profile_fold_finish(&profiles);
	r->profiles = &profiles;
}

/* ---- which cell has which profile ------------------------------------------------------ */

static bool
is_profile_of(const struct report *r, const struct profile_cell *c, const struct report_notebook *k)
{
	bool known = false;
	if (c->usecase && r->sum.usecase && strcmp(c->usecase, r->sum.usecase) != 0)
		return false;
	for (size_t i = 0; i < c->n_passes; i++) {
		known |= c->passes[i].names != NULL;
		if (json_object_get(c->passes[i].names, k->name))
			return true;
	}
	return !known;
}

static bool
has_profile(const struct report *r, const struct report_notebook *k, long index)
{
	for (size_t i = 0; r->profiles && index && i < r->profiles->n; i++)
		if (r->profiles->cells[i].index == index &&
		    is_profile_of(r, &r->profiles->cells[i], k))
			return true;
	return false;
}

/* It is on the page of the notebook itself, or else of the first one that has a profile of the
 * cell. */
json_t *
model_profile_link(const struct report *r, const struct report_notebook *k, long index)
{
	const struct report_notebook *at = k, *end = r->notebook + r->n_notebooks;
	if (!has_profile(r, k, index))
		for (at = r->notebook; at < end && !has_profile(r, at, index); at++)
			;
	if (at == end || (r->pages && !html_is_file_name(at->name)))
		return json_null();
	return json_pack("{s:o, s:s?}", "file", model_file(r, at), "notebook",
	    at == k ? NULL : at->title);
}

/* ---- functions, lines and allocations ----------------------------------------------------- */

static json_t *
place_of(const char *file, long line, const char *function)
{
	struct buf place = {0};
	profile_text_place(&place, file, line, function);
	json_t *text = json_string(place.p);
	buf_free(&place);
	return text;
}

static json_t *
count_or_null(double count)
{
	return count > 0 ? json_real(count) : json_null();
}

/* The cell itself and the function with the line that takes most of its time are open. */
static json_t *
codes_of(const struct profile_cell *c)
{
	const struct profile_code *hot = NULL;
	json_t *rows = json_array();
	profile_hot_line(c, &hot);
	for (size_t i = 0; i < c->n_codes; i++) {
		const struct profile_code *code = &c->codes[i];
		bool own = strcmp(code->file, code->function) == 0;
		json_t *lines = json_array();
		for (size_t k = 0; k < code->n_lines; k++)
			json_array_append_new(lines, json_pack("{s:I, s:o, s:f, s:s?}", "line",
			    (json_int_t)code->lines[k].line,
			    "hits", count_or_null(code->lines[k].hits),
			    "time_s", code->lines[k].time_s, "source", code->lines[k].source));
		json_array_append_new(rows, json_pack("{s:o, s:f, s:b, s:b, s:o}", "place",
		    place_of(code->file, code->first_line, code->function), "time_s",
		    code->time_s, "own", own, "open", own || code == hot, "lines", lines));
	}
	return rows;
}

static json_t *
allocations_of(const struct profile_cell *c)
{
	json_t *rows = json_array();
	for (size_t i = 0; i < c->n_allocations; i++) {
		const struct profile_allocation *a = &c->allocations[i];
		json_array_append_new(rows, json_pack("{s:b, s:o, s:f, s:o}", "at_end", a->at_end,
		    "place", place_of(a->file, a->line, a->function), "bytes", a->bytes,
		    "allocations", count_or_null(a->allocations)));
	}
	return rows;
}

static json_t *
passes_of(const struct profile_cell *c)
{
	json_t *list = json_array();
	for (size_t i = 0; i < c->n_passes; i++) {
		struct buf text = {0};
		profile_text_pass(&text, &c->passes[i]);
		json_array_append_new(list, json_string(text.p));
		buf_free(&text);
	}
	return list;
}

/* ---- functions and stacks, for the flame graph ---------------------------------------------- */

static const char *
owner_word(enum profile_owner owner)
{
	static const char *const words[] = {[OWNER_PACKAGE] = "package", [OWNER_CELL] = "own",
		[OWNER_STANDARD] = "standard", [OWNER_KERNEL] = "standard",
		[OWNER_BUILTIN] = "builtin"};
	return words[owner];
}

/* The frames of a stack, each [name, owner]. */
static json_t *
stack_of(const struct profile_stack *s)
{
	json_t *frames = json_array(), *frame;
	size_t i;
	json_array_foreach(s->frames, i, frame) {
		enum profile_owner owner;
		char *name = profile_place_frame(json_string_value(frame), &owner);
		json_array_append_new(frames, json_pack("[s, s]", name, owner_word(owner)));
		free(name);
	}
	return json_pack("{s:o, s:f, s:o}", "thread", json_sprintf("%s, %s", s->process,
	    s->thread), "time_s", s->time_s, "frames", frames);
}

/* Its callers are [function, seconds under it].  It is named as it is in stacks: "f
 * (glue/core/data.py:7)". */
static json_t *
function_of(const struct profile_function *f)
{
	json_t *callers = json_array(), *file = place_of(f->file, f->line, NULL);
	for (size_t i = 0; i < f->n_callers; i++)
		json_array_append_new(callers, json_pack("[I, f]",
		    (json_int_t)f->callers[i].function, f->callers[i].cumulative_s));
	bool bare = strcmp(f->file, "~") == 0 || strcmp(f->file, f->function) == 0;
	json_t *o = json_pack("{s:o, s:o, s:s, s:o, s:f, s:f, s:o}", "name", bare
	    ? json_string(f->function)
	    : json_sprintf("%s (%s)", f->function, json_string_value(file)),
	    "place", place_of(f->file, f->line, f->function),
	    "owner", owner_word(profile_place_owner(f->file)), "calls", count_or_null(f->calls),
	    "own_s", f->own_s, "cumulative_s", f->cumulative_s, "callers", callers);
	json_decref(file);
	return o;
}

/* ---- the profilers' own files -------------------------------------------------------- */

static bool
is_of_page(const char *file)
{
	return str_ends_with(file, ".cpuprofile") || strstr(file, "-page.");
}

/* The folder of profiles, without those above it, the run's and the file. */
static char *
address_of(const struct report *r, const char *path)
{
	const char *slash = strrchr(r->profile_files, '/');
	struct buf b = {0};
	html_url(&b, path + (slash ? slash + 1 - r->profile_files : 0));
	return b.p;
}

/* The characters that a pattern of glob(3) gives a meaning lose it. */
static void
add_literal(struct buf *b, const char *text)
{
	for (; *text; text++)
		buf_addf(b, strchr("*?[]\\", *text) ? "\\%c" : "%c", *text);
}

/* They are for snakeviz, memray, speedscope or DevTools.  A folder for each run,
 * NAME@profile-PASS, has cell-005.pstats ... */
static void
append_files(json_t *list, const struct report *r, const char *notebook,
    const struct profile_cell *c)
{
	struct buf pattern = {0};
	glob_t found = {0};
	if (!r->profile_files || !html_is_file_name(notebook))
		return;
	add_literal(&pattern, r->profile_files);
	buf_addf(&pattern, "/");
	char *runs = layout_profile_prefix(notebook);
	add_literal(&pattern, runs);
	free(runs);
	buf_addf(&pattern, "*/cell-%03ld[-.@]*", c->index);
	if (glob(pattern.p, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++) {
			const char *path = found.gl_pathv[i], *name = strrchr(path, '/') + 1;
			if (is_of_page(name) != c->page)
				continue;
			char *href = address_of(r, path);
			json_array_append_new(list, json_pack("{s:s, s:s}", "name", name, "href",
			    href));
			free(href);
		}
	globfree(&found);
	buf_free(&pattern);
}

/* ---- cells ------------------------------------------------------------------------- */

static json_t *
profile_of(const struct report *r, const struct profile_cell *c)
{
	const struct report_notebook *k = NULL;
	for (size_t i = r->n_notebooks; i-- > 0; )
		if (is_profile_of(r, c, &r->notebook[i]) && html_is_file_name(r->notebook[i].name))
			k = &r->notebook[i];
	char *sentence = profile_hot_sentence(c), *packages = profile_hot_packages(c);
	json_t *functions = json_array(), *stacks = json_array();
	for (size_t i = 0; i < c->n_functions; i++)
		json_array_append_new(functions, function_of(&c->functions[i]));
	for (size_t i = 0; i < c->n_stacks; i++)
		json_array_append_new(stacks, stack_of(&c->stacks[i]));
	const struct profile_pass *memory = profile_fold_pass(c, "memory");
	json_t *o = json_pack("{s:I, s:o, s:b, s:s?, s:s?, s:s?, s:o, s:o, s:o, s:o, s:o, s:o, s:o,"
	    "s:o, s:o}", "cell", (json_int_t)c->index,
	    "id", json_sprintf("profile-%ld%s", c->index, c->page ? "-page" : ""),
	    "in_page", c->page, "first_line", c->first_line, "sentence", sentence,
	    "packages", packages, "profile",
	    k ? model_profile_link(r, k, c->index) : json_null(), "functions", functions,
	    "stacks", stacks, "codes", codes_of(c), "allocations", allocations_of(c),
	    "lines_s", json_value_real(profile_fold_wall_s(c, "lines", NAN)),
	    "peak_bytes", json_value_real(memory ? memory->peak_bytes : (double)NAN),
	    "end_bytes", json_value_real(memory ? memory->end_bytes : (double)NAN),
	    "passes", passes_of(c));
	free(packages);
	free(sentence);
	return o;
}

json_t *
model_profiles(const struct report *r)
{
	json_t *list = json_array();
	for (size_t i = 0; r->profiles && i < r->profiles->n; i++)
		if (r->profiles->cells[i].index)
			json_array_append_new(list, profile_of(r, &r->profiles->cells[i]));
	return list;
}

void
model_set_profiles(json_t *model, const struct report *r, const struct report_notebook *only)
{
	json_t *all = json_object_get(model, "profiles"), *list = json_array();
	bool full = only || !r->pages;
	for (size_t i = 0, at = 0; r->profiles && i < r->profiles->n; i++) {
		const struct profile_cell *c = &r->profiles->cells[i];
		if (!c->index)
			continue;
		json_t *o = json_copy(json_array_get(all, at++)), *files = json_array();
		for (size_t k = 0; full && k < r->n_notebooks; k++)
			if (is_profile_of(r, c, &r->notebook[k]) &&
			    (!only || only == &r->notebook[k]))
				append_files(files, r, r->notebook[k].name, c);
		json_object_set_new(o, "files", files);
		if (!only || is_profile_of(r, c, only))
			json_array_append(list, o);
		json_decref(o);
	}
	json_object_set_new(model, "profiles", list);
	json_object_set_new(model, "profiles_full", json_boolean(full));
}
