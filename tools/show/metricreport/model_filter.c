/* model_filter.c: the parts of a report's model that follow from records of other filters, which
 * share/report/model.jq selects, sorts and joins.  Here they get what the libraries know. */
#include "model_filter.h"
#include "base/child.h"
#include "base/die.h"
#include "base/file.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "metric/metric_column.h"
#include "model_cell.h"
#include "model_profile.h"
#include "page.h"
#include "stats/scaling_words.h"

#include <errno.h>
#include <signal.h>

#define NO_ANSWER "cannot make the report: jq failed, or is not installed"

enum { FIGURE_BYTES = 4 << 20 };

static struct child jq;

void
xmodel_filter_start(void)
{
	char *argv[] = {"jq", "-c", "--unbuffered", (char *)(uintptr_t)page_file("model.jq"), NULL};
	xchild_start(&jq, argv, false);
}

/* ---- what libraries know of a record --------------------------------------------------- */

static const char *
text_at(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));
	return s ? s : "";
}

static void
set_text(json_t *o, const char *key, char *text)
{
	json_object_set_new(o, key, json_string(text));
	free(text);
}

/* Sets `full_column`, the column of metricstat's record with its unit ("run_time_s"), its title and
 * its quantity. */
static void
set_column(json_t *o)
{
	static const char *const quantities[] = {[OF_NOTHING] = "", [OF_TIME] = "time",
		[OF_BYTES] = "bytes", [OF_SHARE] = "share", [OF_ENERGY] = "energy",
		[OF_OTHER] = "other"};
	const char *column = text_at(o, "column"), *unit = text_at(o, "unit");
	bool named = !*unit || metric_unit_of(column).quantity != OF_NOTHING;
	char *full = named ? xstrdup(column) : xasprintf("%s_%s", column, strcmp(unit, "B") == 0
	    ? "bytes" : strcmp(unit, "%") == 0 ? "pct" : unit);
	json_object_set_new(o, "quantity", json_string(quantities[metric_unit_of(full).quantity]));
	set_text(o, "title", metric_column_title(full));
	set_text(o, "full_column", full);
}

/* Sets its words, and `holds`: whether the metric depends on the parameter.  A bound that is null
 * is infinite. */
static void
set_scaling(json_t *o)
{
	double low = json_value_real_at(o, "exponent_low");
	double high = json_value_real_at(o, "exponent_high");
	set_text(o, "interval", scaling_interval(low, high));
	if (strcmp(text_at(o, "law"), "none") == 0)
		set_text(o, "word", scaling_bad_text(json_value_real_at(o, "off"),
		    json_value_real_at(o, "noise")));
	json_object_set_new(o, "holds", json_boolean(scaling_holds((size_t)fmax(0,
	    json_value_real_at(o, "levels")), isnan(low) ? -INFINITY : low,
	    isnan(high) ? INFINITY : high)));
}

static void
set_known(json_t *o, const char *type)
{
	if (json_object_get(o, "column"))
		set_column(o);
	else if (json_object_get(o, "metric"))
		set_text(o, "title", metric_column_title(text_at(o, "metric")));
	if (strcmp(type, "scaling") == 0)
		set_scaling(o);
}

/* ---- the filter ------------------------------------------------------------------------ */

/* The files that can be read, each with the beginning of its text, up to its title. */
static json_t *
figures_of(const struct report *r)
{
	json_t *figures = json_array(), *path;
	size_t i, n;
	json_array_foreach(r->figures, i, path) {
		char *svg = file_read(json_string_value(path), FIGURE_BYTES, &n);
		if (!svg) {
			warn("cannot read '%s':", json_string_value(path));
			continue;
		}
		char *end = strstr(svg, "</title>");
		end = end ? end : strchr(svg, '>');
		json_array_append_new(figures, json_pack("{s:O, s:o*}", "file", path, "head",
		    json_stringn(svg, end ? (size_t)(end - svg) : 0)));
		free(svg);
	}
	return figures;
}

/* Phases, of all cells together: sums over those that have a time. */
static json_t *
phases_of(const struct report *r)
{
	json_t *list = json_array();
	for (enum phase k = 0; k < N_PHASES; k++)
		json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:b, s:o}", "name",
		    phase_defs[k].name, "means", phase_defs[k].means, "light",
		    phase_defs[k].light, "dark", phase_defs[k].dark, "shown",
		    phase_is_shown(k, r->phases_separable), "s", json_value_real(r->all.s[k])));
	return list;
}

/* {NAME: [file, ...]} of the notebooks that have any. */
static json_t *
profile_files_of(const struct report *r)
{
	json_t *files = json_object();
	for (size_t i = 0; i < r->n_notebooks && r->profile_files; i++)
		json_object_set_new(files, r->notebook[i].name,
		    model_profile_files(r, &r->notebook[i]));
	return files;
}

void
xmodel_filter_send(const struct report *r, const json_t *notebooks)
{
	const char *type;
	json_t *list, *o;
	size_t i;
	json_object_foreach(r->others, type, list)
		json_array_foreach(list, i, o)
			set_known(o, type);
	json_t *input = json_pack("{s:O, s:O, s:O, s:O?, s:I, s:b, s:s?, s:s?, s:o, s:o, s:o, "
	    "s:f}", "records", r->others,
	    "notebooks", notebooks, "mixed", r->mixed, "first", r->first,
	    "most_runs", (json_int_t)r->most_runs, "tables", r->tables, "pages", r->pages,
	    "usecase", r->sum.usecase, "profile_files", profile_files_of(r),
	    "figures", figures_of(r), "phases", phases_of(r), "cells_s", r->all_s);
	char *text = json_text_of(input);
	bool written = fprintf(jq.to, "%s\n", text) >= 0;
	if (fclose(jq.to) != 0 || !written) {
		int error = errno;
		kill(jq.pid, SIGKILL);	/* it would complain of half a text */
		errno = error;
		die(ST_SYSTEM, error == EPIPE ? NO_ANSWER : "cannot write to jq:");
	}
	jq.to = NULL;	/* it ends also after an error */
	free(text);
	json_decref(input);
}

void
xmodel_filter_end(json_t *model, struct report *r)
{
	json_t *more = json_loadf(jq.from, JSON_DISABLE_EOF_CHECK, NULL);
	if (!more)
		die(ST_SYSTEM, NO_ANSWER);
	json_object_update_new(model, more);
	r->spark = json_object_get(model, "spark");
	r->mistakes = json_object_get(model, "mistakes");
	json_t *time = json_object_get(model, "time");
	if (json_is_object(time))
		model_bar(time, r, &r->all, r->all_s, fmax(r->all_s,
		    phase_sum_s(&r->all, r->phases_separable)));
	child_end(&jq);
}
