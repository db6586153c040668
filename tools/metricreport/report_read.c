/* report_read.c: records, read into a report. */
#include "base/common.h"
#include "base/die.h"
#include "json/scan.h"
#include "report_read.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_INDEX = 1000000000 };

static void
read_cell(struct report *r, struct scan *s)
{
	if (r->n_cells == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 256;
		r->cells = xrealloc(r->cells, r->cap * sizeof *r->cells);
	}
	struct report_cell *c = &r->cells[r->n_cells++];
	double index = span_number(scan_get(s, "cell_index"));
	*c = (struct report_cell){.result = summary_cell(&r->sum, s), .index = index > 0 &&
	    index < MOST_INDEX ? (long)index : 0};
	c->id = span_string(scan_get(s, "cell_id"));
	c->status = span_string(scan_get(s, "execution_status"));
	c->client_s = span_number(scan_get(s, "client_execution_time_metric"));
	c->received_mb = span_number(scan_get(s, "client_total_data_received_metric"));
	double queue = span_number(scan_get(s, "queue_s")), both =
	    span_number(scan_get(s, "transport_s"));
	c->spent.delivery = span_number(scan_get(s, "delivery_s"));
	c->spent.render = span_number(scan_get(s, "render_s"));
	c->peak_bytes = span_number(scan_get(s, "kernel_peak_rss_bytes"));
	double dispatch = span_number(scan_get(s, "dispatch_s"));
	c->spent.kernel = span_number(scan_get(s, "kernel_s"));
	c->spent.wait = dispatch + queue;
	c->spent.wait_delivery = dispatch + both;
	c->bound_s = span_number(scan_get(s, "clock_bound_s"));
	c->script_s = span_number(scan_get(s, "script_s"));
	c->screenshot = span_string(scan_get(s, "screenshot"));
	c->error_name = span_string(scan_get(s, "error_name"));
	c->error_value = span_string(scan_get(s, "error_value"));
	c->reason = span_string(scan_get(s, "reason"));
	c->diagnosis = span_string(scan_get(s, "diagnosis"));
	c->line = span_string(scan_get(s, "source_line"));
	c->t = span_number(scan_get(s, "t"));
}

void
report_read_start(struct report *r)
{
	*r = (struct report){.notebooks = json_array(), .truth = json_array(),
	    .comparison = json_array(), .compared = json_array(),
		.outliers = json_array(), .scaling = json_array(), .environment = json_array(),
		    .reports = json_array(),
		.stats = json_array(), .check = json_array(), .largest = json_array(), .figures =
		    json_array(), .links = json_array(),
		.excluded = json_object()};
	summary_start(&r->sum, 10, 0);
}

static json_t *
json_of_record(struct scan *s)
{
	json_t *o = json_object();
	for (size_t i = 0; i < s->n; i++) {
		char *key = xasprintf("%.*s", (int)s->m[i].key.n, s->m[i].key.p);
		json_object_set_new(o, key, span_json(s->m[i].value));
		free(key);
	}
	return o;
}

/* A run on disk whose results are not in the metrics. */
static void
read_run_state(struct report *r, struct scan *s)
{
	char *state = scan_string(s, "state"), *reason = scan_string(s, "reason");
	if (state && (strcmp(state, "stale") == 0 || strcmp(state, "damaged") == 0)) {
		char *key = xasprintf("%s%s%s", state, reason ? ": " : "", reason ? reason : "");
		json_int_t n = json_integer_value(json_object_get(r->excluded, key));
		json_object_set_new(r->excluded, key, json_integer(n + 1));
		free(key);
	}
	free(reason);
	free(state);
}

void
report_read_record(struct report *r, struct scan *s)
{
	const struct { const char *type; json_t *to; } others[] =
	    {{"truth", r->truth}, {"comparison", r->comparison},
		{"comparison_verdict", r->compared}, {"outlier", r->outliers},
		    {"scaling", r->scaling}, {"environment", r->environment},
		    {"report", r->reports},
		{"stat", r->stats}, {"summary_check", r->check}, {"largest", r->largest}};
	if (scan_type_is(s, "cell_metrics")) {
		read_cell(r, s);
	} else if (scan_type_is(s, "run_state")) {
		read_run_state(r, s);
	} else if (scan_type_is(s, "notebook_metrics")) {
		json_t *o = json_of_record(s);
		json_object_set_new(o, "result",
		    json_integer((json_int_t)summary_notebook(&r->sum, s)));
		json_array_append_new(r->notebooks, o);
	} else {
		for (size_t i = 0; i < COUNT(others); i++)
			if (scan_type_is(s, others[i].type))
				json_array_append_new(others[i].to, json_of_record(s));
	}
}
