/* report_read.c: records, read into a report. */
#include "base/nbscope.h"
#include "base/die.h"
#include "json/scan.h"
#include "report_read.h"
#include "run/run_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_INDEX = 1000000000 };

static void
read_cell(struct report *r, struct scan *s)
{
	struct metrics_record m = metrics_record_of(s, NULL);
	size_t result = summary_cell(&r->sum, s);
	r->cells = xgrow(r->cells, r->n_cells, &r->cap, sizeof *r->cells);
	struct report_cell *c = &r->cells[r->n_cells++];
	*c = (struct report_cell){.result = result, .status = m.status,
		.index = m.index > 0 && m.index < MAX_INDEX ? (long)m.index : 0,
		.spent = phase_spent(&m)};
	c->id = metrics_record_text(&m, M_cell_id);
	c->client_s = metrics_record_time(&m, &c->kernel_only);
	c->received_mb = metrics_record_number(&m, M_client_total_data_received_metric);
	c->peak_bytes = metrics_record_number(&m, M_kernel_peak_rss_bytes);
	c->bound_s = metrics_record_number(&m, M_clock_bound_s);
	c->script_s = metrics_record_number(&m, M_script_s);
	c->screenshot = metrics_record_text(&m, M_screenshot);
	c->error_name = metrics_record_text(&m, M_error_name);
	c->error_value = metrics_record_text(&m, M_error_value);
	c->reason = metrics_record_text(&m, M_reason);
	c->diagnosis = metrics_record_text(&m, M_diagnosis);
	c->line = metrics_record_text(&m, M_source_line);
	c->heading = metrics_record_text(&m, M_heading);
	c->t = metrics_record_number(&m, M_t);
	c->outputs = metrics_record_number(&m, M_outputs);
	c->outputs_bytes = metrics_record_number(&m, M_outputs_bytes);
	c->speed_index_s = metrics_record_number(&m, M_speed_index_s);
	c->source = scan_string(s, "source");
	c->frames = span_null(scan_get(s, "frames")) ? NULL : span_json(scan_get(s, "frames"));
	r->load_known |= isfinite(metrics_record_number(&m, M_machine_cpu_s));
}

void
report_read_start(struct report *r)
{
	*r = (struct report){.notebooks = json_array(), .truth = json_array(),
	    .comparison = json_array(), .compared = json_array(),
		.outliers = json_array(), .scaling = json_array(), .environment = json_array(),
		    .reports = json_array(),
		.stats = json_array(), .check = json_array(), .largest = json_array(),
		.notes = json_array(), .figures =
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
	enum run_state state = run_state_of(s);
	char *reason = scan_string(s, "reason");
	if (run_state_is_left_out(state)) {
		const char *word = run_state_word(state);
		char *key = xasprintf("%s%s%s", word, reason ? ": " : "", reason ? reason : "");
		json_int_t n = json_integer_value(json_object_get(r->excluded, key));
		json_object_set_new(r->excluded, key, json_integer(n + 1));
		free(key);
	}
	free(reason);
}

void
report_read_record(struct report *r, struct scan *s)
{
	const struct { const char *type; json_t *to; } others[] =
	    {{"truth", r->truth}, {"comparison", r->comparison},
		{"comparison_verdict", r->compared}, {"outlier", r->outliers},
		    {"scaling", r->scaling}, {"environment", r->environment},
		    {"report", r->reports},
		{"stat", r->stats}, {"summary_check", r->check}, {"largest", r->largest},
		{"table_note", r->notes}};
	enum metrics_kind kind = metrics_kind_of(s);
	if (kind == METRICS_CELL) {
		read_cell(r, s);
	} else if (scan_type_is(s, "run_state")) {
		read_run_state(r, s);
	} else if (kind == METRICS_NOTEBOOK) {
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
