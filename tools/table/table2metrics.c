/* table2metrics: tables as metrics, or as one table.
 * Reads tables (CSV, Parquet, records, YAML, folders of them) with nbscope's columns or, with --by,
 * with any; writes a table_metrics record for each row, which metriccmp and its sisters read; or
 * the rows of all as CSV; or which columns they have. */
#include "base/opt.h"
#include "base/output.h"
#include "json/csv.h"
#include "json/json_value.h"
#include "json/lines.h"
#include "table/column_words.h"
#include "table/table.h"
#include "table/table_bad.h"
#include "table/table_metrics.h"
#include "table/table_note.h"
#include "table/table_options.h"

#include <signal.h>

static struct list by, metrics;
static bool by_file, with_source;
enum { AS_RECORDS, AS_CSV, AS_COLUMNS };
static int format = AS_RECORDS;
static const struct opt opts[] = {
	{'b', "by", OPT_LIST, &by, 0, 0, "COLUMNS",
		"columns that name a cell; default nbscope's columns", .add = xlist_split},
	{'m', "metrics", OPT_LIST, &metrics, 0, 0, "COLUMNS",
		"columns to write; default all with numbers", .add = xlist_split},
	{0, "files", OPT_FLAG, &by_file, 0, 0, NULL, "use the file's path as the label"},
	{'f', "format", OPT_CHOICE, &format, 0, 0, "NAME",
		"records (default), csv (all rows), columns (what there is)",
		.words = "records csv columns"},
	{0, "source", OPT_FLAG, &with_source, 0, 0, NULL,
		"in csv: also write each row's file and number, as source_file, source_row"},
	TABLE_OPTIONS,
	{0},
};
static const struct opt_rule rules[] = {{"source", .with = "format=csv"},
	{"metrics files", .with = "format=records"}, {"by where", .without = "format=columns"},
	{0}};
static const struct opt_usage usage = {"table2metrics", "[options] [FILE|FOLDER...]",
	"Converts tables to records that metriccmp, metricbudget, metricrate and metricscale read.",
	opts};

static struct table table;

static void
put_csv_row(struct buf *b)
{
	buf_add(b, "\r\n", 2);
	xoutput_text(b->p, b->n);
	b->n = 0;
}

/* Where a row was read, for metricstat --source. */
static void
put_source(struct buf *b, size_t row)
{
	const struct table_file *f = table_file_of(&table, row);
	buf_add(b, ",", 1);
	csv_text(b, f->path, false);
	buf_addf(b, ",%zu", row - f->first_row + 1);
}

static void
put_csv(const bool *keep)
{
	struct buf b = {0};
	for (size_t i = 0; i < table.n_columns; i++) {
		buf_add(&b, ",", i ? 1 : 0);
		csv_text(&b, table.columns[i]->name, false);
	}
	if (with_source)
		buf_addf(&b, ",%s,%s", TABLE_SOURCE_FILE, TABLE_SOURCE_ROW);
	put_csv_row(&b);
	for (size_t row = 0; row < table.n_rows; row++) {
		if (keep && !keep[row])
			continue;
		for (size_t i = 0; i < table.n_columns; i++) {
			char *text = table_text(table.columns[i], row);
			buf_add(&b, ",", i ? 1 : 0);
			if (text)
				csv_text(&b, text, false);
			free(text);
		}
		if (with_source)
			put_source(&b, row);
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
		bool number = !c->is_word || table_bad_to_numbers(&table, c, false);
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
	int first = opt_parse(argc, argv, &usage);
	xopt_rules(&usage, rules);
	signal(SIGINT, SIG_IGN);
	for (size_t i = 0; format == AS_CSV && i < by.n; i++)
		table_options_need(by.v[i], KEEP_WORD);
	bool *keep = xtable_options_read(&table, argv + first, NULL, KEEP_GUESS);
	if (format == AS_CSV) {
		put_csv(keep);
		table_note_warn(table_note_values(&table, keep));
	} else if (format == AS_COLUMNS) {
		put_columns();
	} else {
		struct table_metrics *m = xtable_metrics_of(&table, &by, &metrics, by_file);
		for (size_t row = 0; row < table.n_rows; row++)
			if (!keep || keep[row])
				xlines_write_new(table_metrics_record(m, row));
		table_metrics_free(m);
		json_t *notes = table_note_values(&table, keep), *r;
		size_t i;
		table_note_warn(notes);
		json_array_foreach(notes, i, r)
			xlines_write(r);
	}
	xoutput_close();
	return ST_OK;
}
