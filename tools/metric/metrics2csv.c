/* metrics2csv: metrics as tables, with one row for each cell, notebook or interaction.
 * Reads cell_metrics, notebook_metrics and interaction_metrics; writes CSV (RFC 4180) or Parquet.  The columns of the
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

static bool no_escape, parquet;
struct csv_table {
	enum metrics_kind kind;	/* of its records */
	bool (*has)(const struct metric *);	/* this column of the catalogue */
	bool out;		/* it is written to stdout */
	const char *path;	/* and to this file; NULL: to none */
	FILE *rows;		/* each after its struct row_head */
	char **params;		/* names as JSON, with their quotes */
	struct span *values;	/* of the present row's parameters */
	size_t n_params;
	struct child *parquet;
};
static struct csv_table tables[] = {{METRICS_CELL, metric_in_cells},
	{METRICS_NOTEBOOK, metric_in_notebooks}, {METRICS_INTERACTION, metric_in_interactions}};
static const struct opt opts[] = {
	{0, "cells", OPT_FLAG, &tables[0].out, 0, 0, NULL,
		"write one row for each cell to stdout (the default)"},
	{0, "notebooks", OPT_FLAG, &tables[1].out, 0, 0, NULL,
		"write one row for each notebook to stdout"},
	{0, "interactions", OPT_FLAG, &tables[2].out, 0, 0, NULL,
		"write one row for each interaction to stdout"},
	{0, "cells-to", OPT_STRING, &tables[0].path, 0, 0, "FILE",
		"write one row for each cell to FILE"},
	{0, "notebooks-to", OPT_STRING, &tables[1].path, 0, 0, "FILE",
		"write one row for each notebook to FILE"},
	{0, "interactions-to", OPT_STRING, &tables[2].path, 0, 0, "FILE",
		"write one row for each interaction to FILE"},
	{0, "parquet", OPT_FLAG, &parquet, 0, 0, NULL, "write Parquet instead of CSV"},
	{0, "no-escape", OPT_FLAG, &no_escape, 0, 0, NULL,
		"do not escape texts that a spreadsheet would evaluate"},
	{0},
};
static const struct opt_usage usage = {"metrics2csv", "[options] [FILE...]",
	"Writes metrics of cells, notebooks or interactions as CSV.", opts};

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
	for (struct csv_table *t = tables; t < tables + COUNT(tables); t++)
		if (kind == t->kind && (t->out || t->path))
			(parquet ? add_parquet_row : add_csv_row)(t, s);
}

static void
write_table(struct csv_table *t)
{
	if (parquet && (t->out || t->path))
		put_parquet(t, t->path);
	if (!parquet && t->out)
		put_table(stdout, t);
	if (!parquet && t->path)
		xatomic_file_write(t->path, put_table, t);
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage), out = 0, to = 0;
	for (struct csv_table *t = tables; t < tables + COUNT(tables); t++) {
		out += t->out;
		to += t->path != NULL;
		if (parquet && t->out && t->path)
			opt_die(&usage, "--parquet writes each table once");
	}
	if (out > 1)
		opt_die(&usage, "only one of --cells, --notebooks and --interactions can write to "
		    "stdout");
	if (!out && !to)
		tables[0].out = true;
	signal(SIGINT, SIG_IGN);
	xscan_files(argv + first, read_metrics);
	for (struct csv_table *t = tables; t < tables + COUNT(tables); t++)
		write_table(t);
	xoutput_close();
	return ST_OK;
}
