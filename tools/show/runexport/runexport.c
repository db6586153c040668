/* runexport: samples and code of a run, for data frames.
 * Reads the records of runs; writes CSV, one row a sample with the cell that it belongs to, or
 * one row a cell or an interaction; or everything as one JSON document. */
#include "base/die.h"
#include "base/num.h"
#include "base/opt.h"
#include "base/output.h"
#include "export_run.h"
#include "json/csv.h"
#include "json/json_text.h"
#include "metric/catalogue.h"
#include "metric/metric_series.h"

#include <signal.h>

static struct export_columns sample_columns, record_columns;
static struct exports all = {.role = ROLES, .columns = &sample_columns};
static const char *role_name;
static bool cells_out, interactions_out, json_out, no_escape;
static const struct opt opts[] = {
	{0, "cells", OPT_FLAG, &cells_out, 0, 0, NULL,
		"write one row for each cell, with its code"},
	{0, "interactions", OPT_FLAG, &interactions_out, 0, 0, NULL,
		"write one row for each interaction of a person with an output"},
	{'j', "json", OPT_FLAG, &json_out, 0, 0, NULL,
		"write one JSON document of runs, cells, interactions and samples"},
	{'r', "role", OPT_STRING, &role_name, 0, 0, "ROLE",
		"samples of this role only: kernel, browser, server, process, machine"},
	{0, "no-escape", OPT_FLAG, &no_escape, 0, 0, NULL,
		"do not escape texts that a spreadsheet would evaluate"},
	{0},
};
static const struct opt_usage usage = {"runexport", "[options] [FILE...]",
	"Writes samples and code of runs as a table, or as JSON.", opts};

/* The first columns of every table, in this order; other members of the records follow. */
static const char *const cell_first[] = {
	"cell_index", "cell_id", "status", "source", "tags", "pressed_t", "end_t", "sent_t",
	"busy_t", "idle_t", "received_t", "last_visual_change_t",
};
static const char *const interaction_first[] = {
	"t", "cell_index", "interaction", "input", "inputs", "status", "element_tag",
	"element_role", "element_class", "element_viewer", "element_mime", "gesture_ms",
	"first_visual_change_ms", "last_visual_change_ms", "last_visual_change_kind", "reason",
	"marks",
};
static const char *const run_first[] = {"name", "label", "repetition"};
#define RUN_FIRST "name,label,repetition"

/* ---- samples ------------------------------------------------------------------------- */

static void
add_real(struct buf *b, double x)
{
	json_t *v = isfinite(x) ? json_real(num_round(x, 3)) : NULL;
	csv_value(b, v, false);
	json_decref(v);
}

static void
add_run(struct buf *b, const struct export_run *r)
{
	for (size_t i = 0; i < COUNT(run_first); i++) {
		csv_value(b, json_object_get(r->held.record, run_first[i]), !no_escape);
		buf_add(b, ",", 1);
	}
}

static const json_t *
cell_index(const struct export_sample *sample)
{
	return sample->cell ? json_object_get(sample->cell->record, "cell_index") : NULL;
}

static void
put_sample(const struct export_sample *sample)
{
	static const char *const keys[] = {"t", "role", "pid"};
	static struct buf b;
	b.n = 0;
	add_run(&b, sample->run);
	for (size_t i = 0; i < COUNT(keys); i++) {
		csv_span(&b, scan_get(sample->record, keys[i]), !no_escape);
		buf_add(&b, ",", 1);
	}
	csv_value(&b, cell_index(sample), !no_escape);
	buf_add(&b, ",", 1);
	add_real(&b, sample->cpu_pct);
	for (size_t i = 0; i < sample_columns.n; i++) {
		const char *name = sample_columns.names[i];
		const json_t *gpu = json_object_get(sample->gpus, name);
		buf_add(&b, ",", 1);
		if (gpu)
			csv_value(&b, gpu, !no_escape);
		else
			csv_span(&b, scan_get(sample->record, name), !no_escape);
	}
	buf_add(&b, "\r", 1);
	xoutput_line(b.p, b.n);
}

static void
put_header(const char *more, const struct export_columns *c)
{
	struct buf b = {0};
	buf_addf(&b, RUN_FIRST "%s", more);
	for (size_t i = 0; i < c->n; i++) {
		buf_add(&b, ",", 1);
		csv_text(&b, c->names[i], !no_escape);
	}
	buf_add(&b, "\r", 1);
	xoutput_line(b.p, b.n);
	buf_free(&b);
}

/* ---- cells, interactions ------------------------------------------------------------------ */

/* A member of a record's object gets a column of its own: usage's is named by the role alone
 * ("kernel_cpu_s"), others by the path ("page_heap_bytes"). */
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

/* A whole number in a column of reals is written as a real: a reader that guesses a column's type
 * by its first rows, as polars does, would fail at the first fraction. */
static void
put_value(struct buf *b, const json_t *v, bool real)
{
	json_t *as_real = real && json_is_integer(v) ? json_real(json_number_value(v)) : NULL;
	csv_value(b, as_real ? as_real : v, !no_escape);
	json_decref(as_real);
}

/* Makes the records flat, and gathers their columns; those of `reals` have fractions. */
static void
flatten_records(json_t **lists, json_t *reals)
{
	const char *key;
	json_t *record, *v, *objects = json_object();
	size_t k;
	for (size_t i = 0; i < all.n; i++)
		json_array_foreach(lists[i], k, record) {
			json_t *flat = json_object();
			json_object_foreach(record, key, v)
				if (json_is_object(v))
					json_object_set_new(objects, key, json_true());
			flatten(flat, "", record, 0);
			json_array_set_new(lists[i], k, flat);
		}
	for (size_t i = 0; i < all.n; i++)
		json_array_foreach(lists[i], k, record)
			json_object_foreach(record, key, v) {
				/* Null where other records have an object is no column. */
				if (!json_object_get(objects, key) || !json_is_null(v))
					export_add_column(&record_columns, key, strlen(key));
				if (json_is_real(v))
					json_object_set_new(reals, key, json_true());
			}
	json_decref(objects);
}

/* lists: the records of each run; NULL: none. */
static void
put_records(json_t **lists)
{
	struct buf b = {0};
	json_t *record, *reals = json_object();
	size_t k;
	flatten_records(lists, reals);
	put_header("", &record_columns);
	for (size_t i = 0; i < all.n; i++)
		json_array_foreach(lists[i], k, record) {
			b.n = 0;
			add_run(&b, &all.runs[i]);
			for (size_t c = 0; c < record_columns.n; c++) {
				const char *name = record_columns.names[c];
				buf_add(&b, ",", c ? 1 : 0);
				bool real = json_object_get(reals, name);
				put_value(&b, json_object_get(record, name), real);
			}
			buf_add(&b, "\r", 1);
			xoutput_line(b.p, b.n);
		}
	json_decref(reals);
	buf_free(&b);
}

static void
add_columns(struct export_columns *c, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		export_add_column(c, names[i], strlen(names[i]));
}

/* The series of processes, then those of the machine. */
static void
add_sample_columns(void)
{
	for (int machine = 0; machine < 2; machine++)
		for (size_t i = 0; i < METRIC_SERIES; i++) {
			const struct series_def *d = &metric_series[i];
			const char *member = machine ? d->machine : d->process;
			if (member && !(d->flags & SERIES_GPU))
				add_columns(&sample_columns, &member, 1);
		}
	const char *method = metric_catalogue[M_energy_method].member;
	add_columns(&sample_columns, &method, 1);
}

static void
put_cells(void)
{
	add_columns(&record_columns, cell_first, COUNT(cell_first));
	for (size_t i = 0; i < METRICS; i++)
		if (metric_catalogue[i].place == METRIC_IN_CELL && metric_catalogue[i].member &&
		    metric_in_cells(&metric_catalogue[i]))
			add_columns(&record_columns, &metric_catalogue[i].member, 1);
	json_t **lists = xmalloc((all.n + 1) * sizeof(*lists));
	for (size_t i = 0; i < all.n; i++) {
		const struct loaded_run *r = &all.runs[i].held;
		lists[i] = json_array();
		for (size_t k = 0; k < r->n; k++) {
			json_object_del(r->cells[k].record, "t");	/* it is pressed_t */
			json_array_append(lists[i], r->cells[k].record);
		}
	}
	put_records(lists);
	for (size_t i = 0; i < all.n; i++)
		json_decref(lists[i]);
	free(lists);
}

static void
put_interactions(void)
{
	add_columns(&record_columns, interaction_first, COUNT(interaction_first));
	json_t **lists = xmalloc((all.n + 1) * sizeof(*lists));
	for (size_t i = 0; i < all.n; i++) {
		json_t *record;
		size_t k;
		lists[i] = all.runs[i].interactions;
		json_array_foreach(lists[i], k, record) {	/* `name` is the run's */
			json_object_set(record, "interaction", json_object_get(record, "name"));
			json_object_del(record, "name");
		}
	}
	put_records(lists);
	free(lists);
}

/* ---- one document ------------------------------------------------------------------------- */

static void
xputs(const char *text)
{
	xoutput_text(text, strlen(text));
}

static void
put_json_sample(const struct export_sample *sample)
{
	static struct buf b;
	static bool later;
	const json_t *index = cell_index(sample);
	b.n = 0;
	buf_addf(&b, "%s{\"run\":%zu,\"cell_index\":", later ? ",\n" : "", sample->nth);
	later = true;
	if (index)
		json_text_add(&b, index);
	else
		buf_addf(&b, "null");
	buf_addf(&b, ",\"cpu_pct\":");
	buf_addf(&b, isfinite(sample->cpu_pct) ? "%.3f" : "null", sample->cpu_pct);
	for (size_t i = 0; i < sample->record->n; i++) {
		const struct member *m = &sample->record->m[i];
		if (span_is(m->key, "type"))
			continue;
		buf_addf(&b, ",\"%.*s\":", (int)m->key.n, m->key.p);
		buf_add(&b, m->value.p, m->value.n);
	}
	buf_add(&b, "}", 1);
	xoutput_text(b.p, b.n);
}

/* `run`: of a record that belongs to one; -1: it is a run itself. */
static void
put_object(json_t *record, json_int_t run, const char *after)
{
	json_object_del(record, "type");
	if (run >= 0)
		json_object_set_new(record, "run", json_integer(run));
	char *text = json_text_of(record);
	xputs(text);
	xputs(after);
	free(text);
}

static void
put_document(void)
{
	size_t left = 0, done = 0;
	xputs("{\"runs\":[\n");
	for (size_t i = 0; i < all.n; i++) {
		const char *after = i + 1 < all.n ? ",\n" : "\n";
		left += all.runs[i].held.n;
		if (all.runs[i].held.record)
			put_object(all.runs[i].held.record, -1, after);
		else
			xputs(i + 1 < all.n ? "null,\n" : "null\n");
	}
	xputs("],\"cells\":[\n");
	for (size_t i = 0; i < all.n; i++) {
		const struct loaded_run *r = &all.runs[i].held;
		for (size_t k = 0; k < r->n; k++)
			put_object(r->cells[k].record, (json_int_t)i, --left ? ",\n" : "\n");
	}
	xputs("],\"interactions\":[\n");
	for (size_t i = 0; i < all.n; i++) {
		json_t *record;
		size_t k;
		json_array_foreach(all.runs[i].interactions, k, record) {
			xputs(done++ ? ",\n" : "");
			put_object(record, (json_int_t)i, "");
		}
	}
	xputs("],\"samples\":[\n");
	export_each_sample(&all, put_json_sample);
	xputs("\n]}\n");
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	if (cells_out + interactions_out + json_out > 1)
		opt_die(&usage, "only one of --cells, --interactions and --json is possible");
	if (role_name && (all.role = role_of(role_name)) == ROLES)
		opt_die(&usage, "--role must be kernel, browser, server, process or machine, "
		    "not '%s'", role_name);
	signal(SIGINT, SIG_IGN);
	add_sample_columns();
	all.no_samples = cells_out || interactions_out;
	xexport_read(&all, argv + first);
	if (cells_out) {
		put_cells();
	} else if (interactions_out) {
		put_interactions();
	} else if (json_out) {
		put_document();
	} else {
		put_header(",t,role,pid,cell_index,cpu_pct", &sample_columns);
		export_each_sample(&all, put_sample);
	}
	xoutput_close();
	return ST_OK;
}
