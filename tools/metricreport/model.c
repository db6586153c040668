/* model.c: what a report says, as one record. */
#include "model.h"
#include "base/clock.h"
#include "base/nbscope.h"
#include "base/num.h"
#include "model_about.h"
#include "model_cells.h"
#include "model_findings.h"
#include "model_overview.h"
#include "model_page.h"
#include "model_profile.h"
#include "model_slowest.h"
#include "model_tables.h"

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

json_t *
model_of(const struct report *r)
{
	json_t *model = json_pack("{s:s, s:f, s:s, s:o, s:b, s:b, s:b, s:s?, s:s?, s:n}",
	    "type", "report_model", "t", num_round(clock_unix_s(), 6),
	    "nbscope_version", NBSCOPE_VERSION,
	    "titles", titles_of(r),
	    "kernel_only", r->sum.kernel_only, "by_heading", r->by_heading, "tables", r->tables,
	    "legend", r->sum.legend, "pages", r->pages, "page");
	model_overview(model, r);
	model_cells(model, r);
	model_failures(model, r, NULL);
	model_headings(model, r, NULL);
	model_slowest(model, r);
	model_findings(model, r);
	model_profiles(model, r, NULL);
	model_about(model, r);
	model_tables(model, r);
	return model;
}

json_t *
model_of_page(json_t *model, const struct report *r, const struct report_notebook *k)
{
	json_t *page = json_copy(model);
	model_failures(page, r, k);
	model_headings(page, r, k);
	model_profiles(page, r, k);
	model_page(page, r, k);
	return page;
}
