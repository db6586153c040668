/* runexport: samples and code of a run, for data frames.
 * Reads the records of runs; writes CSV, one row a sample with the cell that it
 * falls in, or one row a cell; or both as one JSON document.  Samples wait in a
 * temporary file: the cell's record comes after them. */
#include "csv.h"
#include "scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool cells_out, json_out, escape;
static const char *only_role;
static const struct opt opts[] = {
	{'c', "cells", OPT_FLAG, &cells_out, 0, 0, NULL, "one row a cell, with its code"},
	{'j', "json", OPT_FLAG, &json_out, 0, 0, NULL, "one JSON document of runs, cells and samples"},
	{'r', "role", OPT_STRING, &only_role, 0, 0, "ROLE", "samples of this role only: kernel, browser, machine ..."},
	{0, "escape", OPT_FLAG, &escape, 0, 0, NULL, "disarm texts that a spreadsheet would run"},
	{0},
};
static const struct usage usage = {"runexport", "[options] [FILE...]",
	"Writes samples and code of runs as a table, or as JSON.", opts};

/* What the rows of samples always have, in this order; what else samples hold
 * comes behind.  Cells likewise. */
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
#define HEADS "name", "label", "repetition"

struct columns {
	char **names;
	size_t n;
};
static struct columns sample_columns, cell_columns;

struct cell {
	double begin_t, end_t;	/* on the samples' clock */
	json_t *record;
};
struct run {
	json_t *record;	/* NULL: samples of no run */
	bool kernel_here;	/* on the clock that samples have */
	struct cell *cells;
	size_t n;
};
static struct run *runs;
static size_t n_runs;
static FILE *samples;	/* each: its run, its length, its line */

/* ---- reading ---------------------------------------------------------------------- */

static void
add_column(struct columns *c, const char *name, size_t n)
{
	for (size_t i = 0; i < c->n; i++)
		if (strlen(c->names[i]) == n && memcmp(c->names[i], name, n) == 0)
			return;
	c->names = xrealloc(c->names, (c->n + 1) * sizeof *c->names);
	c->names[c->n++] = xasprintf("%.*s", (int)n, name);
}

static struct run *
this_run(void)
{
	if (n_runs == 0)
		runs = memset(xrealloc(runs, ++n_runs * sizeof *runs), 0, sizeof *runs);
	return &runs[n_runs - 1];
}

static void
take_run(json_t *record)
{
	struct run *r = this_run();
	if (r->record || r->n) {
		runs = xrealloc(runs, ++n_runs * sizeof *runs);
		r = memset(&runs[n_runs - 1], 0, sizeof *r);
	}
	r->record = record;
}

static double
number(const json_t *record, const char *key)
{
	const json_t *v = json_object_get(record, key);
	return json_is_number(v) ? json_number_value(v) : NAN;
}

/* The page's end of a cell: what was waited for last, or when it was given up. */
static double
end_of(const json_t *r)
{
	double received = number(r, "received_t"), settled = number(r, "settled_t");
	return isnan(received) ? number(r, "pressed_t") + number(r, "client_ms") / 1000 : fmax(received, settled);
}

static void
take_cell(json_t *record)
{
	struct run *r = this_run();
	double offset_s = number(record, "clock_offset_ms") / 1000, end_t = end_of(record);
	double shift = r->kernel_here && isfinite(offset_s) ? offset_s : 0;
	json_object_set_new(record, "end_t", json_t_of(end_t));
	r->cells = xrealloc(r->cells, (r->n + 1) * sizeof *r->cells);
	r->cells[r->n++] = (struct cell){number(record, "pressed_t") + shift, end_t + shift, record};
}

static void
xspill(const void *data, size_t n)
{
	if (fwrite(data, 1, n, samples) != n)
		die(ST_SYSTEM, "cannot write the temporary file:");
}

/* "gpu0_use_pct" ... */
static json_t *
flat_gpus(struct span text)
{
	json_t *flat = json_object(), *list = span_json(text), *gpu, *v;
	size_t i;
	const char *key;
	json_array_foreach(list, i, gpu)
		json_object_foreach(gpu, key, v) {
			if (json_is_array(v) || strcmp(key, "index") == 0)
				continue;
			char *name = xasprintf("gpu%lld_%s", (long long)json_integer_value(json_object_get(gpu, "index")), key);
			json_object_set(flat, name, v);
			free(name);
		}
	json_decref(list);
	return flat;
}

static void
note_gpus(struct span text)
{
	json_t *flat = flat_gpus(text), *v;
	const char *key;
	json_object_foreach(flat, key, v)
		add_column(&sample_columns, key, strlen(key));
	json_decref(flat);
}

static void
take_sample(struct scan *s, const char *line, size_t len)
{
	struct span role = scan_get(s, "role");
	size_t in = (size_t)(this_run() - runs);
	if (only_role && !(role.n == strlen(only_role) + 2 && memcmp(role.p + 1, only_role, role.n - 2) == 0))
		return;
	for (size_t i = 0; i < s->n; i++) {
		enum { GPUS = 4 };
		static const char *const others[] = {"type", "t", "role", "pid", [GPUS] = "gpus"};
		struct span key = s->m[i].key;
		size_t k = 0;
		while (k < COUNT(others) && !span_is(key, others[k]))
			k++;
		if (k == COUNT(others))
			add_column(&sample_columns, key.p, key.n);
		else if (k == GPUS && !span_null(s->m[i].value))
			note_gpus(s->m[i].value);
	}
	xspill(&in, sizeof in);
	xspill(&len, sizeof len);
	xspill(line, len);
}

static void
take(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	if (scan_type_is(s, "run")) {
		take_run(xparse_record(in, line, len));
	} else if (scan_type_is(s, "cell")) {
		take_cell(xparse_record(in, line, len));
	} else if (scan_type_is(s, "watch")) {
		if (span_is(scan_get(s, "role"), "\"kernel\"") && !span_null(scan_get(s, "pid")))
			this_run()->kernel_here = true;
	} else if (scan_type_is(s, "sample") && !cells_out) {
		if (isnan(span_number(scan_get(s, "t"))))
			die(ST_INPUT, "%s:%lu:1: no \"t\" in the sample", in->name, in->number);
		take_sample(s, line, len);
	}
}

/* ---- samples ------------------------------------------------------------------------- */

/* One sample with what the table adds to it. */
struct row {
	const struct run *run;
	size_t nth;	/* of the run */
	const struct cell *cell;	/* NULL: between cells */
	double cpu_pct;
	json_t *gpus;	/* NULL: none */
};

static const struct cell *
cell_at(const struct run *r, double t)
{
	for (size_t i = r->n; i-- > 0; )
		if (t >= r->cells[i].begin_t)
			return t <= r->cells[i].end_t ? &r->cells[i] : NULL;
	return NULL;
}

/* The rate since this process's last sample; the machine has no pid. */
static double
cpu_since(size_t run, struct scan *s, double t)
{
	static struct seen { size_t run; char *who; double t, cpu_s; } *seen;
	static size_t n;
	struct span role = scan_get(s, "role"), pid = scan_get(s, "pid"), cpu = scan_get(s, "cpu_s");
	double cpu_s = span_number(cpu.p ? cpu : scan_get(s, "cpu_busy_s"));
	char *who = xasprintf("%.*s %.*s", (int)role.n, role.p ? role.p : "", (int)pid.n, pid.p ? pid.p : "");
	size_t i = 0;
	while (i < n && (seen[i].run != run || strcmp(seen[i].who, who) != 0))
		i++;
	if (i == n) {
		seen = xrealloc(seen, ++n * sizeof *seen);
		seen[i] = (struct seen){run, who, NAN, NAN};
	} else {
		free(who);
	}
	double pct = t > seen[i].t && cpu_s >= seen[i].cpu_s ? (cpu_s - seen[i].cpu_s) / (t - seen[i].t) * 100 : (double)NAN;
	seen[i].t = t;
	seen[i].cpu_s = cpu_s;
	return pct;
}

/* Calls `put` for every sample in turn. */
static void
each_sample(void (*put)(const struct row *, struct scan *))
{
	static struct scan s;
	struct buf line = {0};
	size_t run, len;
	if (fflush(samples) != 0)
		die(ST_SYSTEM, "cannot write the temporary file:");
	rewind(samples);
	while (fread(&run, sizeof run, 1, samples) == 1) {
		struct lines in = {.name = "the temporary file"};
		line.n = 0;
		if (fread(&len, sizeof len, 1, samples) != 1)
			die(ST_SYSTEM, "cannot read the temporary file back");
		while (line.n < len) {
			char chunk[4096];
			size_t step = len - line.n < sizeof chunk ? len - line.n : sizeof chunk;
			if (fread(chunk, 1, step, samples) != step)
				die(ST_SYSTEM, "cannot read the temporary file back");
			buf_add(&line, chunk, step);
		}
		xscan_record(&s, &in, line.p, line.n);
		double t = span_number(scan_get(&s, "t"));
		struct row r = {&runs[run], run, cell_at(&runs[run], t), cpu_since(run, &s, t), NULL};
		struct span gpus = scan_get(&s, "gpus");
		r.gpus = span_null(gpus) ? NULL : flat_gpus(gpus);
		put(&r, &s);
		json_decref(r.gpus);
	}
	buf_free(&line);
}

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
	csv_value(b, j, escape);
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
		csv_value(b, json_object_get(r->record, heads[i]), escape);
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
	csv_value(&b, r->cell ? json_object_get(r->cell->record, "cell_index") : NULL, escape);
	buf_add(&b, ",", 1);
	add_real(&b, r->cpu_pct);
	for (size_t i = 0; i < sample_columns.n; i++) {
		const json_t *gpu = json_object_get(r->gpus, sample_columns.names[i]);
		buf_add(&b, ",", 1);
		if (gpu)
			csv_value(&b, gpu, escape);
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
		csv_text(&b, c->names[i], escape);
	}
	buf_add(&b, "\r", 1);
	xput_line(b.p, b.n);
	buf_free(&b);
}

/* ---- cells ------------------------------------------------------------------------------ */

/* What lies in a cell's objects gets a column of its own: usage's by the role
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
		else if (depth > 0 || (strcmp(key, "type") != 0 && strcmp(key, "t") != 0))
			json_object_set(flat, name, v);
		free(name);
	}
}

static void
put_cells(void)
{
	struct buf b = {0};
	const char *key;
	json_t *v;
	for (size_t i = 0; i < n_runs; i++)
		for (size_t k = 0; k < runs[i].n; k++) {
			json_t *flat = json_object();
			flatten(flat, "", runs[i].cells[k].record, 0);
			json_decref(runs[i].cells[k].record);
			runs[i].cells[k].record = flat;
			json_object_foreach(flat, key, v)
				add_column(&cell_columns, key, strlen(key));
		}
	put_header("name,label,repetition", &cell_columns);
	for (size_t i = 0; i < n_runs; i++)
		for (size_t k = 0; k < runs[i].n; k++) {
			b.n = 0;
			add_heads(&b, &runs[i]);
			for (size_t c = 0; c < cell_columns.n; c++) {
				buf_add(&b, ",", c ? 1 : 0);
				csv_value(&b, json_object_get(runs[i].cells[k].record, cell_columns.names[c]), escape);
			}
			buf_add(&b, "\r", 1);
			xput_line(b.p, b.n);
		}
	buf_free(&b);
}

/* ---- one document ------------------------------------------------------------------------- */

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
	fwrite(b.p, 1, b.n, stdout);
}

static void
put_object(json_t *record, size_t run, const char *after)
{
	json_object_del(record, "type");
	if (run < n_runs)
		json_object_set_new(record, "run", json_integer((json_int_t)run));
	char *text = json_text(record);
	fputs(text, stdout);
	fputs(after, stdout);
	free(text);
}

static void
put_document(void)
{
	size_t left = 0;
	fputs("{\"runs\":[\n", stdout);
	for (size_t i = 0; i < n_runs; i++) {
		left += runs[i].n;
		if (runs[i].record)
			put_object(runs[i].record, n_runs, i + 1 < n_runs ? ",\n" : "\n");
		else
			fputs(i + 1 < n_runs ? "null,\n" : "null\n", stdout);
	}
	fputs("],\"cells\":[\n", stdout);
	for (size_t i = 0; i < n_runs; i++)
		for (size_t k = 0; k < runs[i].n; k++)
			put_object(runs[i].cells[k].record, i, --left ? ",\n" : "\n");
	fputs("],\"samples\":[\n", stdout);
	each_sample(put_json_sample);
	fputs("\n]}\n", stdout);
}

int
main(int argc, char **argv)
{
	int first = options(argc, argv, &usage);
	if (cells_out && json_out)
		die_usage(&usage, "--cells and --json both want stdout");
	signal(SIGINT, SIG_IGN);
	if (!(samples = tmpfile()))
		die(ST_SYSTEM, "cannot make a temporary file:");
	for (size_t i = 0; i < COUNT(sample_first); i++)
		add_column(&sample_columns, sample_first[i], strlen(sample_first[i]));
	for (size_t i = 0; i < COUNT(cell_first); i++)
		add_column(&cell_columns, cell_first[i], strlen(cell_first[i]));
	xscan_files(argv + first, take);
	if (cells_out) {
		put_cells();
	} else if (json_out) {
		put_document();
	} else {
		put_header("name,label,repetition,t,role,pid,cell_index,cpu_pct", &sample_columns);
		each_sample(put_sample);
	}
	xclose_stdout();
	return ST_OK;
}
