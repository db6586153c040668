/* runexport: samples and code of a run, for data frames.
 * Reads the records of runs; writes CSV, one row a sample with the cell that it
 * falls in, or one row a cell or an interaction; or all as one JSON document.
 * Samples wait in a temporary file: the cell's record comes after them. */
#include "csv.h"
#include "exportrun.h"
#include "track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct columns sample_columns, record_columns;
static struct runs runs = {.columns = &sample_columns};
static bool cells_out, interactions_out, json_out, no_escape;
static const struct opt opts[] = {
	{'c', "cells", OPT_FLAG, &cells_out, 0, 0, NULL, "one row a cell, with its code"},
	{'i', "interactions", OPT_FLAG, &interactions_out, 0, 0, NULL, "one row an interaction: what a person did with a viewer"},
	{'j', "json", OPT_FLAG, &json_out, 0, 0, NULL, "one JSON document of runs, cells, interactions and samples"},
	{'r', "role", OPT_STRING, &runs.only_role, 0, 0, "ROLE", "samples of this role only: kernel, browser, server, process, machine"},
	{0, "no-escape", OPT_FLAG, &no_escape, 0, 0, NULL, "leave texts that a spreadsheet would run as they are"},
	{0},
};
static const struct usage usage = {"runexport", "[options] [FILE...]",
	"Writes samples and code of runs as a table, or as JSON.", opts};

/* What the rows of samples always have, in this order; what else samples hold
 * comes behind.  Cells and interactions likewise. */
static const char *const sample_first[] = {
	"processes", "threads", "cpu_s", "run_delay_s", "rss_bytes", "pss_bytes", "read_bytes", "write_bytes", "syscall_read_bytes",
	"syscall_write_bytes", "minor_faults", "major_faults", "context_switches", "cpu_busy_s", "load_1min", "cpu_pressure_s",
	"io_pressure_s", "memory_pressure_s", "memory_available_bytes", "energy_j", "energy_method",
};
static const char *const cell_first[] = {
	"cell_index", "cell_id", "status", "source", "tags", "pressed_t", "end_t", "sent_t", "busy_t", "idle_t", "received_t",
	"settled_t", "client_ms", "dispatch_ms", "queue_ms", "kernel_ms", "delivery_ms", "queue_delivery_ms", "render_ms",
	"residual_ms", "clock_offset_ms", "clock_bound_ms", "kernel_after_ms", "drawn", "waited", "error_name", "error_value",
	"reason", "marks", "profiled",
};
static const char *const interaction_first[] = {
	"t", "input", "inputs", "status", "element_tag", "element_role", "element_class", "element_viewer", "element_mime",
	"gesture_ms", "first_change_ms", "settled_ms", "last_change", "reason", "marks",
};
#define HEADS "name", "label", "repetition"

/* ---- samples ------------------------------------------------------------------------- */

static void
add_span(struct buf *b, struct span v)
{
	if (span_null(v))
		return;
	if (*v.p != '"' && *v.p != '[' && *v.p != '{') {
		buf_add(b, v.p, v.n);
		return;
	}
	json_t *j = span_json(v);
	csv_value(b, j, !no_escape);
	json_decref(j);
}

static void
add_real(struct buf *b, double x)
{
	json_t *v = isfinite(x) ? json_real(round_to(x, 3)) : NULL;
	csv_value(b, v, false);
	json_decref(v);
}

static void
add_heads(struct buf *b, const struct run *r)
{
	static const char *const heads[] = {HEADS};
	for (size_t i = 0; i < COUNT(heads); i++) {
		csv_value(b, json_object_get(r->record, heads[i]), !no_escape);
		buf_add(b, ",", 1);
	}
}

static void
put_sample(const struct row *r, struct scan *s)
{
	static struct buf b;
	b.n = 0;
	add_heads(&b, r->run);
	static const char *const keys[] = {"t", "role", "pid"};
	for (size_t i = 0; i < COUNT(keys); i++) {
		add_span(&b, scan_get(s, keys[i]));
		buf_add(&b, ",", 1);
	}
	csv_value(&b, r->cell ? json_object_get(r->cell->record, "cell_index") : NULL, !no_escape);
	buf_add(&b, ",", 1);
	add_real(&b, r->cpu_pct);
	for (size_t i = 0; i < sample_columns.n; i++) {
		const json_t *gpu = json_object_get(r->gpus, sample_columns.names[i]);
		buf_add(&b, ",", 1);
		if (gpu)
			csv_value(&b, gpu, !no_escape);
		else
			add_span(&b, scan_get(s, sample_columns.names[i]));
	}
	buf_add(&b, "\r", 1);
	xput_line(b.p, b.n);
}

static void
put_header(const char *first, const struct columns *c)
{
	struct buf b = {0};
	buf_addf(&b, "%s", first);
	for (size_t i = 0; i < c->n; i++) {
		buf_add(&b, ",", 1);
		csv_text(&b, c->names[i], !no_escape);
	}
	buf_add(&b, "\r", 1);
	xput_line(b.p, b.n);
	buf_free(&b);
}

/* ---- cells, interactions ------------------------------------------------------------------ */

/* What lies in a record's objects gets a column of its own: usage's by the role
 * alone ("kernel_cpu_s"), others by the path ("page_heap_bytes"). */
static void
flatten(json_t *flat, const char *prefix, const json_t *object, int depth)
{
	const char *key;
	json_t *v;
	json_object_foreach((json_t *)(uintptr_t)object, key, v) {
		char *name = xasprintf("%s%s%s", prefix, *prefix ? "_" : "", key);
		bool usage_of = depth == 0 && strcmp(key, "usage") == 0;
		if (json_is_object(v) && (depth == 0 || (depth == 1 && !*prefix)))
			flatten(flat, usage_of ? "" : name, v, usage_of ? 1 : 2);
		else if (depth > 0 || strcmp(key, "type") != 0)
			json_object_set(flat, name, v);
		free(name);
	}
}

/* A 0 among reals is one too: who guesses a column's type by its first rows, as
 * polars does, would take it for whole numbers and fail at the first that is not. */
static void
put_value(struct buf *b, const json_t *v, bool real)
{
	json_t *as_real = real && json_is_integer(v) ? json_real(json_number_value(v)) : NULL;
	csv_value(b, as_real ? as_real : v, !no_escape);
	json_decref(as_real);
}

/* lists: of each run its records; NULL: none. */
static void
put_records(json_t **lists)
{
	struct buf b = {0};
	const char *key;
	json_t *record, *v, *reals = json_object(), *objects = json_object();
	size_t k;
	for (size_t i = 0; i < runs.n; i++)
		json_array_foreach(lists[i], k, record) {
			json_t *flat = json_object();
			json_object_foreach(record, key, v)
				if (json_is_object(v))
					json_object_set_new(objects, key, json_true());
			flatten(flat, "", record, 0);
			json_array_set_new(lists[i], k, flat);
		}
	for (size_t i = 0; i < runs.n; i++)
		json_array_foreach(lists[i], k, record)
			json_object_foreach(record, key, v) {
				if (!json_object_get(objects, key) || !json_is_null(v))	/* null where others have an object */
					add_column(&record_columns, key, strlen(key));
				if (json_is_real(v))
					json_object_set_new(reals, key, json_true());
			}
	put_header("name,label,repetition", &record_columns);
	for (size_t i = 0; i < runs.n; i++)
		json_array_foreach(lists[i], k, record) {
			b.n = 0;
			add_heads(&b, &runs.run[i]);
			for (size_t c = 0; c < record_columns.n; c++) {
				const char *name = record_columns.names[c];
				buf_add(&b, ",", c ? 1 : 0);
				put_value(&b, json_object_get(record, name), json_object_get(reals, name));
			}
			buf_add(&b, "\r", 1);
			xput_line(b.p, b.n);
		}
	json_decref(reals);
	json_decref(objects);
	buf_free(&b);
}

static void
add_columns(struct columns *c, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_column(c, names[i], strlen(names[i]));
}

static void
put_cells(void)
{
	add_columns(&record_columns, cell_first, COUNT(cell_first));
	json_t **lists = xrealloc(NULL, (runs.n + 1) * sizeof *lists);
	for (size_t i = 0; i < runs.n; i++) {
		lists[i] = json_array();
		for (size_t k = 0; k < runs.run[i].n; k++) {
			json_object_del(runs.run[i].cells[k].record, "t");	/* it is pressed_t */
			json_array_append(lists[i], runs.run[i].cells[k].record);
		}
	}
	put_records(lists);
	for (size_t i = 0; i < runs.n; i++)
		json_decref(lists[i]);
	free(lists);
}

static void
put_interactions(void)
{
	add_columns(&record_columns, interaction_first, COUNT(interaction_first));
	json_t **lists = xrealloc(NULL, (runs.n + 1) * sizeof *lists);
	for (size_t i = 0; i < runs.n; i++)
		lists[i] = runs.run[i].interactions;
	put_records(lists);
	free(lists);
}

/* ---- one document ------------------------------------------------------------------------- */

static void
xputs(const char *text)
{
	xput_text(text, strlen(text));
}

static void
put_json_sample(const struct row *r, struct scan *s)
{
	static struct buf b;
	static bool later;
	const json_t *index = r->cell ? json_object_get(r->cell->record, "cell_index") : NULL;
	b.n = 0;
	buf_addf(&b, "%s{\"run\":%zu,\"cell_index\":", later ? ",\n" : "", r->nth);
	later = true;
	if (index)
		dump_json(&b, index);
	else
		buf_addf(&b, "null");
	buf_addf(&b, isfinite(r->cpu_pct) ? ",\"cpu_pct\":%.3f" : ",\"cpu_pct\":null", r->cpu_pct);
	for (size_t i = 0; i < s->n; i++) {
		if (span_is(s->m[i].key, "type"))
			continue;
		buf_add(&b, ",\"", 2);
		buf_add(&b, s->m[i].key.p, s->m[i].key.n);
		buf_add(&b, "\":", 2);
		buf_add(&b, s->m[i].value.p, s->m[i].value.n);
	}
	buf_add(&b, "}", 1);
	xput_text(b.p, b.n);
}

static void
put_object(json_t *record, size_t run, const char *after)
{
	json_object_del(record, "type");
	if (run < runs.n)
		json_object_set_new(record, "run", json_integer((json_int_t)run));
	char *text = json_text(record);
	xputs(text);
	xputs(after);
	free(text);
}

static void
put_document(void)
{
	size_t left = 0, done = 0;
	xputs("{\"runs\":[\n");
	for (size_t i = 0; i < runs.n; i++) {
		left += runs.run[i].n;
		if (runs.run[i].record)
			put_object(runs.run[i].record, runs.n, i + 1 < runs.n ? ",\n" : "\n");
		else
			xputs(i + 1 < runs.n ? "null,\n" : "null\n");
	}
	xputs("],\"cells\":[\n");
	for (size_t i = 0; i < runs.n; i++)
		for (size_t k = 0; k < runs.run[i].n; k++)
			put_object(runs.run[i].cells[k].record, i, --left ? ",\n" : "\n");
	xputs("],\"interactions\":[\n");
	for (size_t i = 0; i < runs.n; i++) {
		json_t *record;
		size_t k;
		json_array_foreach(runs.run[i].interactions, k, record) {
			xputs(done++ ? ",\n" : "");
			put_object(record, i, "");
		}
	}
	xputs("],\"samples\":[\n");
	each_sample(&runs, put_json_sample);
	xputs("\n]}\n");
}

static bool
is_role(const char *name)
{
	size_t r = 0;
	while (r < R_GPU && strcmp(role_names[r], name) != 0)
		r++;
	return r < R_GPU;
}

int
main(int argc, char **argv)
{
	int first = options(argc, argv, &usage);
	if (cells_out + interactions_out + json_out > 1)
		die_usage(&usage, "--cells, --interactions and --json all want stdout");
	if (runs.only_role && !is_role(runs.only_role))
		die_usage(&usage, "no role '%s': kernel, browser, server, process or machine", runs.only_role);
	signal(SIGINT, SIG_IGN);
	add_columns(&sample_columns, sample_first, COUNT(sample_first));
	runs.no_samples = cells_out || interactions_out;
	xread_runs(&runs, argv + first);
	if (cells_out) {
		put_cells();
	} else if (interactions_out) {
		put_interactions();
	} else if (json_out) {
		put_document();
	} else {
		put_header("name,label,repetition,t,role,pid,cell_index,cpu_pct", &sample_columns);
		each_sample(&runs, put_sample);
	}
	xclose_stdout();
	return ST_OK;
}
