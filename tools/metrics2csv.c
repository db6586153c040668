/* metrics2csv: metrics as tables, one row a cell or one a notebook.
 * Reads cell_metrics and notebook_metrics; writes CSV (RFC 4180).  Which columns
 * the parameters take is known at the end only, so rows wait in a temporary file
 * without a name: memory holds the columns, never the rows. */
#include "json/csv.h"
#include "base/atomic_file.h"
#include "json/scan.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static bool cells_out, notebooks_out, no_escape;
static const char *cells_to, *notebooks_to;
static const struct opt opts[] = {
	{'c', "cells", OPT_FLAG, &cells_out, 0, 0, NULL, "one row a cell to stdout (the default)"},
	{'n', "notebooks", OPT_FLAG, &notebooks_out, 0, 0, NULL, "one row a notebook to stdout"},
	{0, "cells-to", OPT_STRING, &cells_to, 0, 0, "FILE", "one row a cell into FILE"},
	{0, "notebooks-to", OPT_STRING, &notebooks_to, 0, 0, "FILE", "one row a notebook into FILE"},
	{0, "no-escape", OPT_FLAG, &no_escape, 0, 0, NULL, "leave texts that a spreadsheet would run as they are"},
	{0},
};
static const struct opt_usage usage = {"metrics2csv", "[options] [FILE...]",
	"Writes cell_metrics or notebook_metrics as CSV.", opts};

/* People's scripts know the first ones, in this order; PARAMS is one column for
 * each parameter. */
#define PARAMS "*"
#define SHARED \
	"label", "repetition", "attempt"
#define MEASURED \
	"transport_s", "kernel_comm_s", "ws_messages_sent", "ws_messages_received", "ws_bytes_sent", \
	"comm_messages_sent", "comm_messages_received", "http_bytes_received", "outputs", "outputs_bytes", \
	"changes_dom", "changes_canvas2d", "changes_webgl", "changes_image", "changes_size", "script_s"
#define ROLE(r, known) \
	known "_min_cpu_metric", known "_mean_cpu_metric", known "_max_cpu_metric", known "_min_memory_metric", known "_mean_memory_metric", \
	known "_max_memory_metric", r "_cpu_s", r "_run_queue_wait_s", r "_peak_rss_bytes", r "_min_rss_bytes", r "_mean_rss_bytes", \
	r "_max_rss_bytes", r "_rss_bytes", r "_pss_bytes", r "_read_bytes", r "_write_bytes", r "_syscall_read_bytes", \
	r "_syscall_write_bytes", r "_minor_faults", r "_major_faults", r "_voluntary_switches", r "_involuntary_switches", \
	r "_processes", r "_threads", r "_energy_j", r "_co2e_g", r "_samples"
#define USED \
	ROLE("browser", "client"), ROLE("kernel", "kernel"), "server_cpu_s", "server_rss_bytes", "machine_cpu_s", "machine_energy_j", "load_1min", \
	"cpu_pressure_s", "io_pressure_s", "memory_pressure_s", "gpu_mean_utilization_pct", "gpu_max_utilization_pct", "gpu_max_memory_bytes"
#define PAGE \
	"console_errors", "total_blocking_time_s", "long_animation_frames", "long_animation_frame_s", "frames_shown", "frames_dropped", "longest_gap_s", \
	"heap_bytes", "nodes", "widget_views", "speed_index_s"
#define CELL_ONLY \
	"visually_complete_85_s", "visually_complete_95_s", "visually_complete_99_s", "heap_before_bytes", "comm_messages_per_view", "browser_peak_method", "browser_usage_reason", "kernel_peak_method", \
	"kernel_usage_reason", "energy_method", "energy_reason", "gpu_reason", "items", "items_done", "items_per_s", "items_done_per_s", "diagnosis"
#define KNOWN \
	"client_total_data_received_metric", "client_execution_time_metric", "kernel_execution_time_metric"
#define PHASES \
	"dispatch_s", "queue_s", "kernel_s", "delivery_s", "render_s", "unattributed_s"
static const char *const cell_columns[] = {
	"notebook_filename", "cell_index", "execution_status", PARAMS, KNOWN, SHARED, "cell_id", PHASES, "last_visual_change_s",
	"ws_messages", "ws_bytes_received", "error_name", "error_value", "marks", MEASURED, USED, PAGE, CELL_ONLY, "clock_offset_s",
	"clock_bound_s", "changed", "waited", "last_visual_change_kind", "profiled", "tags", "reason", "source_line", "screenshot", "t",
	"usecase", "name", "nbscope_version", NULL,
};
static const char *const notebook_columns[] = {
	"notebook_filename", "total_cells", "executed_cells", "profiled_cells", PARAMS, KNOWN, "execution_status", SHARED,
	PHASES, "ws_messages", "ws_bytes_received", "error_name", "error_value", "marks", MEASURED, USED, PAGE, "failed_cell", "reason",
	"wall_s", "open_s", "loading_s", "t", "browser", "window", "jupyterlab", "kernel", "language", "usecase", "name",
	"nbscope_version", NULL,
};

struct table {
	const char *type;
	const char *const *columns;
	FILE *rows;		/* each: its head, its parameters by column, its tail */
	char **params;		/* as they stand in JSON, with their quotes */
	size_t n_params;
};
static struct table cells_table = {.type = "cell_metrics", .columns = cell_columns};
static struct table notebooks_table = {.type = "notebook_metrics", .columns = notebook_columns};

/* ---- fields ---------------------------------------------------------------------- */

static void
add_text(struct buf *b, const char *text)
{
	csv_text(b, text, !no_escape);
}

/* The texts of an array with commas between, or compact JSON where it holds
 * anything else. */
static char *
joined(const json_t *v)
{
	struct buf b = {0};
	size_t i;
	json_t *item;
	json_array_foreach(v, i, item) {
		if (!json_is_string(item)) {
			buf_free(&b);
			return json_text_of(v);
		}
		buf_addf(&b, "%s%s", i ? "," : "", json_string_value(item));
	}
	return json_is_array(v) ? b.p ? b.p : xstrdup("") : json_text_of(v);
}

/* Nothing for null, numbers and truths as they stand.  Lists of words (tags,
 * marks) are joined; a parameter's list stays JSON. */
static void
add_field(struct buf *b, struct span v, bool join)
{
	if (span_null(v) || (join && span_is(v, "[]")))
		return;
	if (*v.p != '"' && *v.p != '[' && *v.p != '{') {
		buf_add(b, v.p, v.n);
		return;
	}
	char *text = span_string(v);
	if (!text) {
		json_t *j = span_json(v);
		text = join ? joined(j) : json_text_of(j);
		json_decref(j);
	}
	add_text(b, text);
	free(text);
}

/* ---- rows ------------------------------------------------------------------------- */

static void
xspill(struct table *t, const void *data, size_t n)
{
	if (fwrite(data, 1, n, t->rows) != n)
		die(ST_SYSTEM, "cannot write the temporary file:");
}

static void
spill_text(struct table *t, const struct buf *b)
{
	xspill(t, &b->n, sizeof b->n);
	xspill(t, b->p, b->n);
}

static size_t
param_column(struct table *t, struct span key, size_t likely)
{
	for (size_t tried = 0; tried < t->n_params; tried++) {
		size_t i = (likely + tried) % t->n_params;
		if (strlen(t->params[i]) == key.n + 2 && memcmp(t->params[i] + 1, key.p, key.n) == 0)
			return i;
	}
	t->params = xrealloc(t->params, (t->n_params + 1) * sizeof *t->params);
	t->params[t->n_params] = xasprintf("\"%.*s\"", (int)key.n, key.p);
	return t->n_params++;
}

static void
spill_params(struct table *t, struct span params)
{
	static struct scan s;
	static struct buf field;
	scan_members(&s, params);
	xspill(t, &s.n, sizeof s.n);
	for (size_t i = 0; i < s.n; i++) {
		size_t column = param_column(t, s.m[i].key, i);
		field.n = 0;
		buf_add(&field, "", 0);
		add_field(&field, s.m[i].value, false);
		xspill(t, &column, sizeof column);
		spill_text(t, &field);
	}
}

static void
add_row(struct table *t, struct scan *s)
{
	static struct buf part;
	if (!t->rows && !(t->rows = tmpfile()))
		die(ST_SYSTEM, "cannot make a temporary file:");
	part.n = 0;
	for (size_t i = 0; t->columns[i]; i++) {
		if (strcmp(t->columns[i], PARAMS) == 0) {
			spill_text(t, &part);
			spill_params(t, scan_get(s, "params"));
			part.n = 0;
			continue;
		}
		if (i)
			buf_add(&part, ",", 1);
		add_field(&part, scan_get(s, t->columns[i]), true);
	}
	buf_add(&part, "\r\n", 2);
	spill_text(t, &part);
}

/* ---- tables ------------------------------------------------------------------------ */

static void
put_header(const struct table *t, FILE *f)
{
	struct buf b = {0};
	for (size_t i = 0; t->columns[i]; i++) {
		bool params = strcmp(t->columns[i], PARAMS) == 0;
		if (!params)
			buf_addf(&b, "%s%s", i ? "," : "", t->columns[i]);
		for (size_t k = 0; params && k < t->n_params; k++) {
			char *key = span_string((struct span){t->params[k], strlen(t->params[k])});
			char *name = xasprintf("%s_param", key);
			buf_add(&b, ",", 1);
			add_text(&b, name);
			free(name);
			free(key);
		}
	}
	fprintf(f, "%s\r\n", b.p);
	buf_free(&b);
}

static void
xunspill(struct table *t, void *to, size_t n)
{
	if (fread(to, 1, n, t->rows) != n)
		die(ST_SYSTEM, "cannot read the temporary file back");
}

static void
unspill_text(struct table *t, struct buf *b)
{
	static char chunk[4096];
	size_t n;
	xunspill(t, &n, sizeof n);
	for (b->n = 0; n; ) {
		size_t step = n < sizeof chunk ? n : sizeof chunk;
		xunspill(t, chunk, step);
		buf_add(b, chunk, step);
		n -= step;
	}
}

static void
put_row(struct table *t, struct buf *fields, FILE *f)
{
	static struct buf text;
	unspill_text(t, &text);
	fwrite(text.p, 1, text.n, f);
	size_t n, column;
	xunspill(t, &n, sizeof n);
	for (size_t i = 0; i < t->n_params; i++)
		fields[i].n = 0;
	while (n--) {
		xunspill(t, &column, sizeof column);
		unspill_text(t, &fields[column]);
	}
	for (size_t i = 0; i < t->n_params; i++) {
		putc(',', f);
		if (fields[i].n)
			fwrite(fields[i].p, 1, fields[i].n, f);
	}
	unspill_text(t, &text);
	fwrite(text.p, 1, text.n, f);
}

static void
put_table(FILE *f, void *table)
{
	struct table *t = table;
	put_header(t, f);
	if (!t->rows)
		return;
	struct buf *fields = xmalloc(t->n_params * sizeof *fields);
	memset(fields, 0, t->n_params * sizeof *fields);
	if (fflush(t->rows) != 0)
		die(ST_SYSTEM, "cannot write the temporary file:");
	rewind(t->rows);
	for (int c; (c = getc(t->rows)) != EOF; ) {
		ungetc(c, t->rows);
		put_row(t, fields, f);
	}
	for (size_t i = 0; i < t->n_params; i++)
		buf_free(&fields[i]);
	free(fields);
}

static void
take(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)in, (void)line, (void)len;
	if (scan_type_is(s, cells_table.type) && (cells_out || cells_to))
		add_row(&cells_table, s);
	if (scan_type_is(s, notebooks_table.type) && (notebooks_out || notebooks_to))
		add_row(&notebooks_table, s);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	if (cells_out && notebooks_out)
		opt_die(&usage, "--cells and --notebooks both want stdout");
	if (!cells_to && !notebooks_to && !notebooks_out)
		cells_out = true;
	signal(SIGINT, SIG_IGN);
	xscan_files(argv + first, take);
	if (cells_out)
		put_table(stdout, &cells_table);
	if (notebooks_out)
		put_table(stdout, &notebooks_table);
	if (cells_to)
		xatomic_file_write(cells_to, put_table, &cells_table);
	if (notebooks_to)
		xatomic_file_write(notebooks_to, put_table, &notebooks_table);
	xoutput_close();
	return ST_OK;
}
