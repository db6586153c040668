/* table2metrics: tables as metrics, or as one table.
 * Reads tables (CSV, Parquet, records, YAML, folders of them) with nbscope's columns or, with --by,
 * with any; writes a table_metrics record for each row, which metriccmp and its sisters read; or
 * the rows of all as CSV; or which columns they have. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "base/str.h"
#include "json/csv.h"
#include "json/json_value.h"
#include "json/lines.h"
#include "metric/catalogue.h"
#include "table/table.h"
#include "table/column_words.h"
#include "table/table_bad.h"
#include "table/table_numbers.h"
#include "table/table_options.h"

static const char *by, *metrics;
static bool by_file;
enum { AS_RECORDS, AS_CSV, AS_COLUMNS };
static int format = AS_RECORDS;
static const struct opt opts[] = {
	{'b', "by", OPT_STRING, &by, 0, 0, "COLUMNS",
		"columns that name a cell; default nbscope's columns"},
	{'m', "metrics", OPT_STRING, &metrics, 0, 0, "COLUMNS",
		"columns to write; default all with numbers"},
	{0, "files", OPT_FLAG, &by_file, 0, 0, NULL, "use the file's path as the label"},
	{'f', "format", OPT_CHOICE, &format, 0, 0, "NAME",
		"records (default), csv (all rows), columns (what there is)",
		.words = "records csv columns"},
	TABLE_OPTIONS,
	{0},
};
static const struct opt_usage usage = {"table2metrics", "[options] [FILE|FOLDER...]",
	"Converts tables to records that metriccmp, metricbudget, metricrate and metricscale read.",
	opts};

static struct table table;

struct column_list {
	const struct column **v;
	size_t n;
};
static struct column_list cell_names, values, params;
static const struct column *label, *usecase, *name, *id, *cell_index, *status, *source_line;

/* ---- columns ----------------------------------------------------------------------- */

static void
append_column(struct column_list *to, const struct column *c)
{
	to->v = xrealloc(to->v, (to->n + 1) * sizeof *to->v);
	to->v[to->n++] = c;
}

/* The columns of a list with commas between that the table has; all: dies if one is missing. */
static void
split_columns(struct column_list *to, const char *list, bool all)
{
	char *copy = xstrdup(list), *rest = copy;
	for (char *word; (word = strsep(&rest, ", "));) {
		const struct column *c = *word ? table_column(&table, word) : NULL;
		if (c)
			append_column(to, c);
		else if (*word && all)
			die(ST_INPUT, "%s:1:1: no column '%s'", table.files[0].path, word);
	}
	free(copy);
}

static bool
has_numbers(const struct column *c)
{
	for (size_t row = 0; !c->is_word && row < table.n_rows; row++)
		if (!isnan(c->number[row]))
			return true;
	return false;
}

static const struct column *
column_of(enum metric_id metric)
{
	return table_column(&table, metric_catalogue[metric].column);
}

static void
find_columns(void)
{
	label = column_of(M_label);
	status = column_of(M_execution_status);
	if (by) {
		split_columns(&cell_names, by, true);
	} else {
		usecase = column_of(M_usecase);
		name = column_of(M_name);
		name = name ? name : column_of(M_notebook_filename);
		id = column_of(M_cell_id);
		cell_index = column_of(M_cell_index);
		source_line = column_of(M_source_line);
		if (!name)
			die(ST_INPUT,
			    "%s:1:1: no column 'name': use --by to choose the columns that "
			    "name a cell", table.files[0].path);
	}
	for (size_t i = 0; i < table.n_columns; i++) {
		const struct column *c = table.columns[i];
		if (!by && str_ends_with(c->name, "_param"))
			append_column(&params, c);
		else if (!metrics && c != cell_index && has_numbers(c))
			append_column(&values, c);
	}
	if (metrics)
		split_columns(&values, metrics, false);
}

/* ---- rows -------------------------------------------------------------------------- */

/* A word in a column of numbers is a missing value; it does not make the others words. */
static double
number_at(const struct column *c, size_t row)
{
	const char *word = table_word(c, row);
	if (word)
		return table_number(word, strlen(word));
	return c->is_word ? (double)NAN : c->number[row];
}

static json_t *
text_at(const struct column *c, size_t row)
{
	char *text = c ? table_text(c, row) : NULL;
	json_t *v = json_value_text(text);
	free(text);
	return v;
}

static json_t *
name_at(size_t row)
{
	json_t *v;
	struct buf b = {0};
	if (!by)
		return text_at(name, row);
	for (size_t i = 0; i < cell_names.n; i++) {
		char *text = table_text(cell_names.v[i], row);
		buf_addf(&b, "%s%s", i ? " " : "", text ? text : "-");
		free(text);
	}
	v = json_value_text(b.p);
	buf_free(&b);
	return v;
}

static json_t *
number_value(double x)
{
	bool whole = fabs(x) < 0x1p53 && fabs(x - trunc(x)) <= 0;
	return whole ? json_integer((json_int_t)x) : json_value_real(x);
}

static json_t *
params_at(size_t row)
{
	json_t *all = json_object();
	for (size_t i = 0; i < params.n; i++) {
		double x = number_at(params.v[i], row);
		char *key = xasprintf("%.*s", (int)(strlen(params.v[i]->name) - strlen("_param")),
		    params.v[i]->name);
		json_object_set_new(all, key, isfinite(x) ? number_value(x) :
		    text_at(params.v[i], row));
		free(key);
	}
	return all;
}

static void
put_metrics_row(size_t row)
{
	double index = cell_index ? number_at(cell_index, row) : (double)NAN;
	json_t *r = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
	    "type", "table_metrics", "usecase", text_at(usecase, row), "name", name_at(row),
	    "label", by_file ? json_string(table_file_of(&table, row)->path) : text_at(label, row),
	    "params", params.n ? params_at(row) : json_null(),
	    "cell_index", isfinite(index) ? json_integer((json_int_t)index) : json_null(),
	    "cell_id", text_at(id, row), "execution_status", text_at(status, row),
	    "source_line", text_at(source_line, row));
	for (size_t i = 0; r && i < values.n; i++)
		if (!json_object_get(r, values.v[i]->name))
			json_object_set_new(r, values.v[i]->name,
			    number_value(number_at(values.v[i], row)));
	xlines_write_new(r);
}

/* ---- one table ------------------------------------------------------------------------ */

static void
put_csv_row(struct buf *b)
{
	buf_add(b, "\r\n", 2);
	xoutput_text(b->p, b->n);
	b->n = 0;
}

static void
put_csv(const bool *keep)
{
	struct buf b = {0};
	for (size_t i = 0; i < table.n_columns; i++) {
		buf_add(&b, ",", i ? 1 : 0);
		csv_text(&b, table.columns[i]->name, false);
	}
	put_csv_row(&b);
	for (size_t row = 0; row < table.n_rows; row++) {
		for (size_t i = 0; (!keep || keep[row]) && i < table.n_columns; i++) {
			char *text = table_text(table.columns[i], row);
			buf_add(&b, ",", i ? 1 : 0);
			if (text)
				csv_text(&b, text, false);
			free(text);
		}
		if (!keep || keep[row])
			put_csv_row(&b);
	}
	buf_free(&b);
}

static json_t *
values_of(const struct column *c)
{
	enum { EXAMPLES = 3 };
	json_t *some = json_array();
	for (size_t i = 0; i < c->n_words && i < EXAMPLES; i++)
		json_array_append_new(some, json_string(c->words[i]));
	return some;
}

/* What is in each column, for people who write settings. */
static void
put_columns(void)
{
	static const char *const concepts[] = {[OF_MEMORY] = "memory",
	    [OF_ELAPSED_TIME] = "run_time", [OF_CPU_TIME] = "cpu_time"};
	for (size_t i = 0; i < table.n_columns; i++) {
		struct column *c = table.columns[i];
		size_t known = 0;
		double least = INFINITY, most = -INFINITY;
		bool number = !c->is_word || table_bad_to_numbers(&table, c);
		for (size_t row = 0; row < table.n_rows; row++) {
			double x = number ? c->number[row] : c->code[row] == NO_WORD ?
			    (double)NAN : 0;
			known += isnan(x) ? 0 : 1;
			least = fmin(least, x);
			most = fmax(most, x);
		}
		struct unit u = column_unit(c->name);
		json_t *r = json_pack("{s:s, s:s, s:s?, s:s?, s:b, s:I, s:I, s:I, s:o, s:o, s:o}",
		    "type", "table_column", "column", c->name, "measures",
		    concepts[column_concept(c->name)], "unit", *u.symbol ? u.symbol : NULL,
		    "number", number, "rows",
		    (json_int_t)table.n_rows, "known", (json_int_t)known, "words",
		    (json_int_t)(number ? 0 : c->n_words), "min",
		    json_value_real(number ? least : (double)NAN), "max",
		    json_value_real(number ? most : (double)NAN), "examples", values_of(c));
		xlines_write_new(r);
	}
}

int
main(int argc, char **argv)
{
	table_options_start();
	int first = opt_parse(argc, argv, &usage);
	signal(SIGINT, SIG_IGN);
	bool *keep = xtable_options_read(&table, argv + first, NULL, KEEP_GUESS);
	if (format == AS_CSV) {
		put_csv(keep);
	} else if (format == AS_COLUMNS) {
		put_columns();
	} else {
		if (table.n_rows)
			find_columns();
		for (size_t row = 0; row < table.n_rows; row++)
			if (!keep || keep[row])
				put_metrics_row(row);
	}
	xoutput_close();
	return ST_OK;
}
