/* model.c: what a report says, as one record; the first screen: how long a person waits, and
 * whether the numbers can be trusted. */
#include "model.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/installation.h"
#include "base/num.h"
#include "json/json_value.h"
#include "model_cells.h"
#include "model_filter.h"
#include "model_page.h"
#include "model_profile.h"

/* Bytes and times are those of the runs that are shown: a sum over repetitions would depend on how
 * often a notebook ran. */
static void
set_totals(json_t *model, const struct report *r)
{
	double client_s = 0, mb = 0;
	size_t runs = r->sum.n, failed = 0;
	for (size_t i = 0; i < r->n_notebooks; i++) {
		const struct report_notebook *k = &r->notebook[i];
		const struct run_summary *v = &r->sum.v[k->all.shown];
		client_s += isfinite(v->client_s) ? v->client_s : 0;
		mb += isfinite(v->received_mb) ? v->received_mb : 0;
		failed += k->all.failed;
		runs -= k->film != NO_FILM && k->film != k->all.shown;
	}
	json_t *totals = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:o, s:o, s:b}",
	    "n_notebooks", (json_int_t)r->n_notebooks, "n_runs", (json_int_t)runs,
	    "n_cells", (json_int_t)r->n_rows, "n_failed", (json_int_t)failed,
	    "n_skipped", (json_int_t)r->sum.skipped, "most_runs", (json_int_t)r->most_runs,
	    "client_s", num_round(client_s, 6), "wall_s", r->wall_s, "received_bytes", mb * 1e6,
	    "from_t", json_value_real(r->from_t), "to_t", json_value_real(r->to_t),
	    "lasted", r->to_t - r->from_t >= 60);
	json_object_update_new(model, totals);
}

static void
set_title(json_t *model, const struct report *r)
{
	const char *usecase = r->sum.usecase ? r->sum.usecase
	    : r->n_notebooks == 1 ? r->notebook[0].title : "notebooks";
	const char *label = r->sum.n ? r->sum.v[0].label : NULL;
	json_object_set_new(model, "usecase", r->sum.usecase ? json_string(usecase) : json_null());
	json_object_set_new(model, "label", label ? json_string(label) : json_null());
	json_object_set_new(model, "title", r->title ? json_string(r->title) :
	    label && !r->sum.labels && *label ? json_sprintf("%s, %s", usecase, label) :
	    json_string(usecase));
}

/* One badge for all warnings: a machine is called quiet only without any. */
static const char *
contention_badge(const struct report *r)
{
	const struct contention *c = &r->sum.contention;
	return !c->cells ? NULL : contention_matters(c, WAIT_OTHERS) ? "others"
	    : contention_matters(c, WAIT_UNKNOWN) ? "unknown"
	    : contention_matters(c, WAIT_OWN) ? "own" : r->load_known ? "quiet" : NULL;
}

static json_t *
contention_of(const struct report *r)
{
	const struct contention *c = &r->sum.contention;
	json_t *warnings = json_array();
	for (int cause = WAIT_OTHERS; cause < WAIT_CAUSES; cause++) {
		char *text = contention_text(c, (enum wait_cause)cause);
		if (text)
			json_array_append_new(warnings, json_string(text));
		free(text);
	}
	return json_pack("{s:I, s:I, s:I, s:I, s:b, s:s?, s:o}", "cells", (json_int_t)c->cells,
	    "others", (json_int_t)c->waited[WAIT_OTHERS].cells,
	    "own", (json_int_t)c->waited[WAIT_OWN].cells,
	    "unknown", (json_int_t)c->waited[WAIT_UNKNOWN].cells,
	    "load_known", r->load_known, "badge", contention_badge(r), "warnings", warnings);
}

/* What the columns of the tables are called. */
static json_t *
titles_of(const struct report *r)
{
	const struct { const char *name; enum metric_id id; } metrics[] = {
		{"time", summary_time(&r->sum)}, {"client", M_client_execution_time_metric},
		{"peak", M_kernel_peak_rss_bytes},
		{"received", M_client_total_data_received_metric}, {"script", M_script_s},
		{"speed_index", M_speed_index_s}};
	json_t *titles = json_object();
	for (size_t i = 0; i < COUNT(metrics); i++)
		json_object_set_new(titles, metrics[i].name,
		    json_string(metric_catalogue[metrics[i].id].title));
	return titles;
}

static void
set_method(json_t *model, const struct report *r)
{
	json_object_set_new(model, "method", json_pack("{s:o, s:o, s:O, s:I}",
	    "clock_bound_ms", json_value_real(1e3 * r->clock_bound_s),
	    "script_ms", json_value_real(1e3 * r->script_s), "marks", r->sum.marks,
	    "n_runs", (json_int_t)r->sum.n));
	json_object_set(model, "links", r->links);
	json_object_set(model, "notes", r->notes);
}

json_t *
xmodel_of(struct report *r)
{
	json_t *model = json_pack("{s:s, s:f, s:s, s:s, s:o, s:b, s:b, s:b, s:s?, s:s?, s:n}",
	    "type", "report_model", "t", num_round(clock_unix_s(), 6),
	    "nbscope_version", NBSCOPE_VERSION, "command", installation_command(),
	    "titles", titles_of(r),
	    "kernel_only", r->sum.kernel_only, "by_heading", r->by_heading, "tables", r->tables,
	    "legend", r->sum.legend, "pages", r->pages, "page");
	json_t *notebooks = model_notebooks(model, r);
	xmodel_filter_send(r, notebooks);
	json_decref(notebooks);
	set_totals(model, r);
	set_title(model, r);
	json_object_set_new(model, "contention", contention_of(r));
	json_object_set(model, "excluded", r->excluded);
	size_t missing = json_array_size(r->missing);
	json_object_set_new(model, "missing", !missing ? json_null() : json_pack("{s:I, s:O}",
	    "n", (json_int_t)missing, "name", json_array_get(r->missing, 0)));
	model_cells(model, r);
	model_headings(model, r, NULL);
	set_method(model, r);
	xmodel_filter_end(model, r);
	model_slowest(model, r);
	model_failures(model, r, NULL);
	return model;
}

json_t *
model_of_page(json_t *model, const struct report *r, const struct report_notebook *k)
{
	json_t *page = json_copy(model);
	model_failures(page, r, k);
	model_headings(page, r, k);
	model_set_profiles(page, k);
	model_page(page, r, k);
	return page;
}
