/* metrics2csv: metrics as tables, with one row for each cell or for each notebook.
 * Reads cell_metrics and notebook_metrics; writes CSV (RFC 4180) or Parquet.  The columns of the
 * parameters are known at the end only, so rows are stored in an unnamed temporary file:
 * memory holds the columns, never the rows. */
#include "base/atomic_file.h"
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "json/csv.h"
#include "json/json_text.h"
#include "json/member.h"
#include "json/scan.h"
#include "metric/catalogue.h"
#include "metric/metrics_kind.h"
#include "table/parquet_output.h"

#include <errno.h>
#include <signal.h>

static bool cells_out, notebooks_out, no_escape, parquet;
static const char *cells_to, *notebooks_to;
static const struct opt opts[] = {
	{0, "cells", OPT_FLAG, &cells_out, 0, 0, NULL,
		"write one row for each cell to stdout (the default)"},
	{0, "notebooks", OPT_FLAG, &notebooks_out, 0, 0, NULL,
		"write one row for each notebook to stdout"},
	{0, "cells-to", OPT_STRING, &cells_to, 0, 0, "FILE", "write one row for each cell to FILE"},
	{0, "notebooks-to", OPT_STRING, &notebooks_to, 0, 0, "FILE",
		"write one row for each notebook to FILE"},
	{0, "parquet", OPT_FLAG, &parquet, 0, 0, NULL, "write Parquet instead of CSV"},
	{0, "no-escape", OPT_FLAG, &no_escape, 0, 0, NULL,
		"do not escape texts that a spreadsheet would evaluate"},
	{0},
};
static const struct opt_usage usage = {"metrics2csv", "[options] [FILE...]",
	"Writes cell_metrics or notebook_metrics as CSV.", opts};

struct csv_table {
	bool (*has)(const struct metric *);	/* this column of the catalogue */
	FILE *rows;		/* each after its struct row_head */
	char **params;		/* names as JSON, with their quotes */
	struct span *values;	/* of the present row's parameters */
	size_t n_params;
	struct child *parquet;
};
static struct csv_table cells_table = {.has = metric_in_cells};
static struct csv_table notebooks_table = {.has = metric_in_notebooks};

/* ---- fields ---------------------------------------------------------------------- */

/* A parameter: lists stay JSON. */
static void
add_param(struct buf *b, struct span v)
{
	if (!v.p || *v.p != '[') {
		csv_span(b, v, !no_escape);
		return;
	}
	json_t *list = span_json(v);
	char *text = json_text_of(list);
	csv_text(b, text, !no_escape);
	json_decref(list);
	free(text);
}

/* ---- rows ------------------------------------------------------------------------- */

/* What precedes a row in the temporary file. */
struct row_head {
	size_t n;	/* its bytes */
	size_t at, params;	/* where its parameters end, and how many columns they have */
};

static void
xspill(struct csv_table *t, const void *data, size_t n)
{
	if (fwrite(data, 1, n, t->rows) != n)
		die(ST_SYSTEM, "cannot write the temporary file:");
}

static size_t
param_column(struct csv_table *t, struct span key, size_t likely)
{
	for (size_t tried = 0; tried < t->n_params; tried++) {
		size_t i = (likely + tried) % t->n_params;
		if (strlen(t->params[i]) == key.n + 2 &&
		    memcmp(t->params[i] + 1, key.p, key.n) == 0)
			return i;
	}
	t->params = xgrow(t->params, t->n_params, sizeof *t->params);
	t->values = xgrow(t->values, t->n_params, sizeof *t->values);
	t->params[t->n_params] = xasprintf("\"%.*s\"", (int)key.n, key.p);
	return t->n_params++;
}

/* The columns of all parameters so far. */
static void
add_params(struct csv_table *t, struct buf *row, struct span params)
{
	static struct scan s;
	scan_members(&s, params);
	for (size_t i = 0; i < t->n_params; i++)
		t->values[i] = (struct span){0};
	for (size_t i = 0; i < s.n; i++) {
		size_t column = param_column(t, s.m[i].key, i);
		t->values[column] = s.m[i].value;
	}
	for (size_t i = 0; i < t->n_params; i++) {
		buf_add(row, ",", 1);
		add_param(row, t->values[i]);
	}
}

static void
add_csv_row(struct csv_table *t, struct scan *s)
{
	static struct buf row;
	struct row_head head;
	if (!t->rows && !(t->rows = tmpfile()))
		die(ST_SYSTEM, "cannot create a temporary file:");
	row.n = 0;
	for (size_t i = 0; i < METRICS; i++) {
		const struct metric *m = &metric_catalogue[i];
		if (i == M_params) {
			add_params(t, &row, scan_get(s, m->column));
			head.at = row.n;
			head.params = t->n_params;
		} else if (t->has(m)) {
			buf_add(&row, ",", i ? 1 : 0);
			csv_span(&row, scan_get(s, m->column), !no_escape);
		}
	}
	buf_add(&row, "\r\n", 2);
	head.n = row.n;
	xspill(t, &head, sizeof head);
	xspill(t, row.p, row.n);
}

/* ---- Parquet ----------------------------------------------------------------------- */

static void
start_parquet(struct csv_table *t)
{
	static const char *const types[] = {[METRIC_SECONDS] = "double", [METRIC_REAL] = "double",
	    [METRIC_COUNT] = "int64", [METRIC_TEXT] = "string", [METRIC_BOOLEAN] = "bool"};
	json_t *columns = json_array();
	size_t rest_at = 0;
	for (size_t i = 0; i < METRICS; i++) {
		const struct metric *m = &metric_catalogue[i];
		if (i == M_params)
			rest_at = json_array_size(columns);
		else if (t->has(m))
			json_array_append_new(columns, json_pack("[s, s?]", m->column,
			    types[m->type]));
	}
	t->parquet = xparquet_output_start(columns, (long)rest_at);
	json_decref(columns);
}

static void
add_parquet_row(struct csv_table *t, struct scan *s)
{
	static struct buf row;
	static struct scan params;
	if (!t->parquet)
		start_parquet(t);
	row.n = 0;
	member_raw(&row, "{");
	for (size_t i = 0; i < METRICS; i++) {
		const struct metric *m = &metric_catalogue[i];
		if (i != M_params && t->has(m))
			member_span(&row, m->column, scan_get(s, m->column));
	}
	scan_members(&params, scan_get(s, metric_catalogue[M_params].column));
	for (size_t i = 0; i < params.n; i++)
		buf_addf(&row, "\"%.*s_param\":%.*s,", (int)params.m[i].key.n, params.m[i].key.p,
		    (int)params.m[i].value.n, params.m[i].value.p);
	member_end(&row);
	parquet_output_row(t->parquet, row.p, row.n);
}

static void
put_parquet(struct csv_table *t, const char *path)
{
	if (!t->parquet)
		start_parquet(t);
	xparquet_output_end(t->parquet, path);
}

/* ---- tables ------------------------------------------------------------------------ */

static void
put_header(const struct csv_table *t, FILE *f)
{
	struct buf b = {0};
	for (size_t i = 0; i < METRICS; i++) {
		const struct metric *m = &metric_catalogue[i];
		if (i != M_params && t->has(m))
			buf_addf(&b, "%s%s", i ? "," : "", m->column);
		for (size_t k = 0; i == M_params && k < t->n_params; k++) {
			char *key = span_string((struct span){t->params[k], strlen(t->params[k])});
			char *name = xasprintf("%s_param", key);
			buf_add(&b, ",", 1);
			csv_text(&b, name, !no_escape);
			free(name);
			free(key);
		}
	}
	fprintf(f, "%s\r\n", b.p);
	buf_free(&b);
}

static void
put_table(FILE *f, void *table)
{
	struct csv_table *t = table;
	struct row_head head;
	char *row = NULL;
	put_header(t, f);
	if (!t->rows)
		return;
	if (fflush(t->rows) != 0)
		die(ST_SYSTEM, "cannot write the temporary file:");
	rewind(t->rows);
	while (fread(&head, sizeof head, 1, t->rows) == 1) {
		row = xrealloc(row, head.n);
		if (fread(row, 1, head.n, t->rows) != head.n)
			die(ST_SYSTEM, "cannot read the temporary file back");
		fwrite(row, 1, head.at, f);
		for (size_t i = head.params; i < t->n_params; i++)
			putc(',', f);
		fwrite(row + head.at, 1, head.n - head.at, f);
	}
	free(row);
}

static void
read_metrics(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)in, (void)line, (void)len;
	enum metrics_kind kind = metrics_kind_of(s);
	void (*add)(struct csv_table *, struct scan *) = parquet ? add_parquet_row : add_csv_row;
	if (kind == METRICS_CELL && (cells_out || cells_to))
		add(&cells_table, s);
	if (kind == METRICS_NOTEBOOK && (notebooks_out || notebooks_to))
		add(&notebooks_table, s);
}

static void
put_parquet_tables(void)
{
	if (cells_out || cells_to)
		put_parquet(&cells_table, cells_to);
	if (notebooks_out || notebooks_to)
		put_parquet(&notebooks_table, notebooks_to);
}

static void
put_csv_tables(void)
{
	if (cells_out)
		put_table(stdout, &cells_table);
	if (notebooks_out)
		put_table(stdout, &notebooks_table);
	if (cells_to)
		xatomic_file_write(cells_to, put_table, &cells_table);
	if (notebooks_to)
		xatomic_file_write(notebooks_to, put_table, &notebooks_table);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	if (cells_out && notebooks_out)
		opt_die(&usage, "--cells and --notebooks cannot both write to stdout");
	if (!cells_to && !notebooks_to && !notebooks_out)
		cells_out = true;
	if (parquet && ((cells_out && cells_to) || (notebooks_out && notebooks_to)))
		opt_die(&usage, "--parquet writes each table once");
	signal(SIGINT, SIG_IGN);
	xscan_files(argv + first, read_metrics);
	if (parquet)
		put_parquet_tables();
	else
		put_csv_tables();
	xoutput_close();
	return ST_OK;
}
