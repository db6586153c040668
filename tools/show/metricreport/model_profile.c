/* model_profile.c: what profilers found in the cells of notebooks, in the model of a report: where
 * the time and the memory went, by function and by line. */
#include "model_profile.h"
#include "base/die.h"
#include "base/str.h"
#include "html.h"
#include "layout/layout.h"
#include "json/json_value.h"
#include "model_cell.h"
#include "model_flame.h"
#include "model_record.h"
#include "profile/profile_hot.h"
#include "profile/profile_text.h"

#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
model_profile_link(const struct report *r, const struct report_notebook *k, long index,
    const struct report_notebook *page)
{
	const struct report_notebook *at = k, *end = r->notebook + r->n_notebooks;
	if (!has_profile(r, k, index))
		for (at = r->notebook; at < end && !has_profile(r, at, index); at++)
			;
	if (at == end)
		return json_null();
	char *id = xasprintf("profile-%ld", index), *here = xasprintf("#%s", id);
	json_t *href = at == page ? json_null() : model_href(r, at, page != NULL, id);
	if (json_is_null(href) && (at == page || !page))
		href = json_string(here);
	json_t *o = json_is_null(href) ? href : json_pack("{s:o, s:s?}", "href", href, "notebook",
	    at == k ? NULL : at->title);
	free(here);
	free(id);
	return o;
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

static json_t *
functions_of(const struct profile_cell *c)
{
	static const char *const order[] = {"-own_s", "place", NULL};
	json_t *rows = json_array();
	for (size_t i = 0; i < c->n_functions; i++) {
		const struct profile_function *f = &c->functions[i];
		json_array_append_new(rows, json_pack("{s:o, s:o, s:f, s:f}",
		    "place", place_of(f->file, f->line, f->function),
		    "calls", count_or_null(f->calls), "own_s", f->own_s,
		    "cumulative_s", f->cumulative_s));
	}
	json_t *sorted = model_sorted(rows, order);
	json_decref(rows);
	return sorted;
}

static json_t *
line_of(const struct profile_line *l, double all_s)
{
	double pct = all_s > 0 ? 100 * fmin(l->time_s / all_s, 1) : 0;
	return json_pack("{s:I, s:o, s:f, s:f, s:b, s:s?}", "line", (json_int_t)l->line,
	    "hits", count_or_null(l->hits), "ms", 1e3 * l->time_s, "pct", pct, "hot", pct >= 0.5,
	    "source", l->source);
}

/* The cell itself and the function with the line that takes most of its time are open. */
static json_t *
codes_of(const struct profile_cell *c)
{
	size_t n;
	const struct profile_code **list = profile_text_codes(c, &n), *hot = NULL;
	json_t *rows = json_array();
	double longest_s = 0;
	for (size_t i = 0; i < n; i++)
		longest_s = fmax(longest_s, list[i]->time_s);
	double all_s = profile_fold_wall_s(c, "lines", longest_s);
	profile_hot_line(c, &hot);
	for (size_t i = 0; i < n; i++) {
		const struct profile_code *code = list[i];
		json_t *lines = json_array();
		for (size_t k = 0; k < code->n_lines; k++)
			json_array_append_new(lines, line_of(&code->lines[k], all_s));
		json_array_append_new(rows, json_pack("{s:o, s:f, s:b, s:o}", "place",
		    place_of(code->file, code->first_line, code->function), "time_s",
		    code->time_s, "open", code == hot || strcmp(code->file, code->function) == 0,
		    "lines", lines));
	}
	free(list);
	return rows;
}

static json_t *
allocations_of(const struct profile_cell *c, bool at_end)
{
	size_t n;
	const struct profile_allocation **list = profile_text_allocations(c, at_end, &n);
	const struct profile_pass *memory = profile_fold_pass(c, "memory");
	json_t *rows = json_array();
	for (size_t i = 0; i < n; i++)
		json_array_append_new(rows, json_pack("{s:o, s:f, s:o}",
		    "place", place_of(list[i]->file, list[i]->line, list[i]->function),
		    "mb", list[i]->bytes / 1e6, "allocations",
		    count_or_null(list[i]->allocations)));
	free(list);
	double bytes = !memory ? (double)NAN : at_end ? memory->end_bytes : memory->peak_bytes;
	return json_pack("{s:b, s:o, s:o}", "at_end", at_end, "bytes", json_value_real(bytes),
	    "rows", rows);
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

/* ---- the profilers' own files -------------------------------------------------------- */

static bool
is_of_page(const char *file)
{
	return str_ends_with(file, ".cpuprofile") || strstr(file, "-page.");
}

/* The folder of profiles, without those above it, the run's and the file. */
static char *
address_of(const struct report *r, const char *path, bool page)
{
	const char *slash = strrchr(r->profile_files, '/');
	struct buf b = {0};
	buf_addf(&b, page ? "../" : "");
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
 * NAME@profile-PASS, has cell-005.pstats ...  `page` links to them; NULL: the report. */
static void
append_files(json_t *list, const struct report *r, const char *notebook,
    const struct profile_cell *c, const struct report_notebook *page)
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
			char *href = address_of(r, path, page);
			json_array_append_new(list, json_pack("{s:s, s:s}", "name", name, "href",
			    href));
			free(href);
		}
	globfree(&found);
	buf_free(&pattern);
}

/* ---- cells ------------------------------------------------------------------------- */

/* A report that has pages has only sentences. */
static bool
is_full(const struct report *r, const struct report_notebook *only)
{
	return only || !r->pages;
}

static json_t *
profile_of(const struct report *r, const struct profile_cell *c, const struct report_notebook *only)
{
	const struct report_notebook *k = NULL;
	json_t *files = json_array();
	for (size_t i = r->n_notebooks; i-- > 0; )
		if (is_profile_of(r, c, &r->notebook[i]) && html_is_file_name(r->notebook[i].name))
			k = &r->notebook[i];
	char *sentence = profile_hot_sentence(c), *packages = profile_hot_packages(c);
	json_t *o = json_pack("{s:I, s:o, s:b, s:s?, s:s?, s:s?, s:o}", "cell",
	    (json_int_t)c->index, "id", json_sprintf("profile-%ld%s", c->index, c->page ? "-page"
	    : ""), "in_page", c->page, "first_line", c->first_line, "sentence", sentence,
	    "packages", packages, "profile",
	    k ? model_profile_link(r, k, c->index, only) : json_null());
	free(packages);
	free(sentence);
	if (!is_full(r, only))
		return o;
	for (size_t i = 0; i < r->n_notebooks; i++)
		if (is_profile_of(r, c, &r->notebook[i]) && (!only || only == &r->notebook[i]))
			append_files(files, r, r->notebook[i].name, c, only);
	json_object_update_new(o, json_pack("{s:o, s:o, s:o, s:[o, o], s:o, s:o}",
	    "flame", model_flame(c), "codes", codes_of(c), "functions", functions_of(c),
	    "allocations", allocations_of(c, false), allocations_of(c, true),
	    "passes", passes_of(c), "files", files));
	return o;
}

void
model_profiles(json_t *model, const struct report *r, const struct report_notebook *only)
{
	json_t *list = json_array();
	for (size_t i = 0; r->profiles && i < r->profiles->n; i++) {
		const struct profile_cell *c = &r->profiles->cells[i];
		if (c->index && (!only || is_profile_of(r, c, only)))
			json_array_append_new(list, profile_of(r, c, only));
	}
	json_object_set_new(model, "profiles", list);
	json_object_set_new(model, "profiles_full", json_boolean(is_full(r, only)));
}
