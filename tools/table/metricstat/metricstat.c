/* metricstat: groups, percentiles, outliers of any table.
 * Reads records, CSV, Parquet or a tree of them; writes stat, largest, outlier or
 * summary_check records, or a table of them.  Missing values are counted and never
 * treated as zero. */
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "json/json_text.h"
#include "json/lines.h"
#include "outlier.h"
#include "request.h"
#include "stat_record.h"
#include "stat_show.h"
#include "summary_check.h"
#include "time_note.h"
#include "table/derive.h"
#include "table/having.h"
#include "table/table_bad.h"
#include "table/table_memory.h"
#include "table/table_note.h"
#include "table/table_options.h"
#include "text/text.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { MAX_EMPTY = 12 };	/* columns without values that are named */

static const char *rule_text, *check_path;
static int method, format = -1;	/* -1: not given */
static struct list by, of, stats, percentiles, shown, map, summaries, sort;
static struct conditions having;
static long largest, top, rank_from = 1, rank_to;
static double tolerance = 1e-6;
static bool binary, total, no_escape, with_source;
static struct stat_table st;

static void call_having(const char *v) { xconditions_add(&having, v); }
static void call_rank(const char *v) { xtable_options_ranks(v, "--rank", &rank_from, &rank_to); }

static const struct opt opts[] = {
	{'b', "by", OPT_LIST, &by, 0, 0, "COLUMNS", "group by these columns: step,task",
	    .add = xlist_split},
	{0, "of", OPT_LIST, &of, 0, 0, "COLUMNS",
	    "the columns to analyse; default: all with numbers", .add = xlist_split},
	{'P', "percentiles", OPT_LIST, &percentiles, 0, 0, "LIST",
	    "0,5,50 or 0:100:10; COLUMN=LIST for one column", .add = xlist_append},
	{0, "method", OPT_CHOICE, &method, 0, 0, "NAME",
	    "percentile method: linear (default), nearest, ...",
	    .words = "linear nearest lower higher midpoint inverted_cdf hazen weibull "
	    "median_unbiased normal_unbiased"},
	{0, "ratio", OPT_CALL, NULL, 0, 0, "[NAME=]A/B",
	    "a new column; also shows the ratio of sums", xderive_ratio},
	{0, "efficiency", OPT_CALL, NULL, 0, 0, "CPU/TIME",
	    "the ratio in percent, as cpu_efficiency_pct", xderive_efficiency},
	{0, "category", OPT_CALL, NULL, 0, 0, "LIMITS",
	    "groups by size: memory:small<=5GB,medium<=20GB,high", xderive_category},
	{'O', "outliers", OPT_STRING, &rule_text, 0, 0, "RULE",
	    "list outliers by iqr, mad or p05-p95"},
	{0, "largest", OPT_INT, &largest, 0, 1000000, "N",
	    "list the N rows with the largest values"},
	{0, "show", OPT_LIST, &shown, 0, 0, "COLUMNS",
	    "more columns of the listed rows", .add = xlist_split},
	{0, "source", OPT_FLAG, &with_source, 0, 0, NULL,
	    "the listed rows' files and numbers are in the columns source_file, source_row"},
	{0, "check", OPT_LIST, &summaries, 0, 0, "SUMMARY",
	    "compare a summary table with the rows", .add = xlist_append},
	{0, "check-path", OPT_STRING, &check_path, 0, 0, "PATTERN",
	    "columns from the summary's folders, as --path"},
	{0, "map", OPT_LIST, &map, 0, 0, "NAME=COLUMN:STAT",
	    "the meaning of a column of the summary", .add = xlist_split},
	{0, "tolerance", OPT_REAL, &tolerance, 0, 1, "REL",
	    "relative difference to ignore (default 1e-6)"},
	{0, "request", OPT_STRING, &request_options.risk, 0, 0, "RISK",
	    "memory, time and cores with which at most this share is killed"},
	{0, "confidence", OPT_REAL, &request_options.confidence_pct, 50, 99.9999, "PERCENT",
	    "how sure the risks of all groups together are (default 99.9)"},
	{0, "attempts", OPT_INT, &request_options.attempts, 1, 9, "N",
	    "up to N attempts, each with twice the memory (default 1)"},
	{0, "killed", OPT_STRING, &request_options.killed, 0, 0, "CONDITIONS",
	    "rows that needed more memory than they have: 'exit=137'"},
	{0, "execution", OPT_STRING, &request_options.execution, 0, 0, "COLUMN",
	    "rows with the same value are attempts of one execution"},
	TABLE_OPTIONS,
	{'B', "binary", OPT_FLAG, &binary, 0, 0, NULL, "show bytes in KiB, MiB, GiB"},
	{'T', "total", OPT_FLAG, &total, 0, 0, NULL, "add a row for all groups together"},
	{'S', "sort", OPT_LIST, &sort, 0, 0, "KEYS",
	    "sort groups by sum, mean, max, count, ..., descending, or columns: step,sum",
	    .add = xlist_split},
	{'n', "top", OPT_INT, &top, 1, 1e9, "N", "only the first N groups of each column"},
	{0, "rank", OPT_CALL, NULL, 0, 0, "A-B",
	    "only the groups, or largest rows, with these ranks: 11-20", call_rank},
	{0, "having", OPT_CALL, NULL, 0, 0, "CONDITIONS",
	    "only groups whose figures match: 'memory:p95>5GB'", call_having},
	{0, "stats", OPT_LIST, &stats, 0, 0, "NAMES",
	    "columns of the table: count,mean,max,percentiles", .add = xlist_split},
	{0, "no-escape", OPT_FLAG, &no_escape, 0, 0, NULL,
	    "write text that looks like a formula unchanged in CSV"},
	{'f', "format", OPT_CHOICE, &format, 0, 0, "FORMAT",
	    "json, csv, markdown, latex, text, parquet",
	    .words = "json csv markdown latex text parquet"},
	{0},
};
#define OF_GROUPS "having total sort top rank stats percentiles "
#define OF_ROWS "largest outliers show source"
#define PEOPLE "format=markdown format=latex format=text"
#define FLAT "format=csv format=parquet"
static const struct opt_rule rules[] = {
	{"attempts confidence execution killed", .with = "request"},
	{"check ratio efficiency method " OF_GROUPS OF_ROWS, .without = "request"},
	{"check-path map tolerance", .with = "check"},
	{"binary " OF_GROUPS OF_ROWS, .without = "check"},
	{"show source", .with = "largest outliers"}, {"no-escape", .with = "format=csv"},
	{"binary", .with = PEOPLE}, {"top", .without = "rank"},
	/* One table has only the rows. */
	{"total sort top stats percentiles", .without = "largest outliers", .when = FLAT},
	{"largest rank", .without = "outliers", .when = FLAT}, {0}};
static const struct opt_usage usage = {"metricstat", "[options] [FILE|FOLDER...]",
	"Reports count, sum, percentiles, shares and outliers for each group of a table.", opts};

/* ---- input ------------------------------------------------------------------ */

static void
need_columns(const struct list *l, enum keep keep)
{
	for (size_t i = 0; i < l->n; i++)
		table_options_need(l->v[i], keep);
}

static void
xread_table(char **paths)
{
	need_columns(&by, KEEP_WORD);
	need_columns(&of, st.unique ? KEEP_GUESS : KEEP_NUMBER);
	need_columns(&shown, KEEP_WORD);
	if (with_source) {
		table_options_need(TABLE_SOURCE_FILE, KEEP_WORD);
		table_options_need(TABLE_SOURCE_ROW, KEEP_NUMBER);
	}
	if (request_options.risk)
		xrequest_need();
	if (of.n)
		table_options_need_cores();
	st.keep = xtable_options_read(&st.t, paths, NULL,
	    rule_text ? KEEP_GUESS : of.n ? KEEP_NOT : KEEP_IF_NUMBER);
}

/* ---- columns ------------------------------------------------------------------------ */

struct name_list {
	struct buf text;
	size_t n;
};

/* The type of records is no value of theirs. */
static void
add_left_out(struct name_list *l, const struct column *c)
{
	if (strcmp(c->name, "type") == 0 && (st.t.type || table_options.type))
		return;
	char *bad = table_example_text(&st.t, &c->remarks[NOT_A_NUMBER]);
	if (l->n++ < MAX_EMPTY || *bad)
		buf_addf(&l->text, "%s'%s'%s%s", l->text.n ? ", " : "", c->name, *bad ? ": " : "",
		    bad);
	free(bad);
}

static void
warn_left_out(const struct name_list *l, const char *what, bool all)
{
	if (l->n)
		warn("left out %zu column%s %s: %s%s", l->n, text_plural(l->n), what, l->text.p,
		    !all && l->n > MAX_EMPTY ? ", ..." : "");
}

/* All columns of numbers except those in --by and --show, in the table's order.  The others
 * are named. */
static void
all_numbers(void)
{
	struct name_list words = {0}, empty = {0};
	for (size_t i = 0; i < st.t.n_columns; i++) {
		struct column *c = st.t.columns[i];
		if (list_has(&by, c->name) || list_has(&shown, c->name) || c->in_order ||
		    stat_record_is_source(c))
			continue;
		if (c->is_word && !table_bad_to_numbers(&st.t, c, false))
			add_left_out(&words, c);
		else if (table_has_numbers(&st.t, c) || derive_makes(c->name))
			list_add(&of, c->name, strlen(c->name));
		else
			add_left_out(&empty, c);
	}
	for (size_t i = 0; i < st.t.n_left_out; i++)
		add_left_out(&words, st.t.left_out[i]);
	warn_left_out(&words, "of words", true);
	if (st.t.n_rows)
		warn_left_out(&empty, "without values", false);
	if (!of.n)
		die(ST_INPUT, "no column with numbers in '%s'", st.t.files[0].path);
	buf_free(&words.text);
	buf_free(&empty.text);
}

/* What was asked for is reported, or the reason why not. */
static void
xcheck_asked(void)
{
	for (size_t i = 0; i < st.n_of; i++) {
		if (!st.t.n_rows || st.of[i]->is_word || table_has_numbers(&st.t, st.of[i]))
			continue;
		char *bad = table_example_text(&st.t, &st.of[i]->remarks[NOT_A_NUMBER]);
		die(ST_USAGE, "column '%s' has no number in %zu row%s%s%s", st.of[i]->name,
		    st.t.n_rows, text_plural(st.t.n_rows), *bad ? ": the first value is " : "",
		    bad);
	}
}

static void
set_percentiles(void)
{
	st.wanted = xmalloc((st.n_of + 1) * sizeof *st.wanted);
	memset(st.wanted, 0, (st.n_of + 1) * sizeof *st.wanted);
	for (size_t i = 0; i < percentiles.n; i++) {
		char *eq = strrchr(percentiles.v[i], '=');
		size_t only = eq ? statistic_column(&st, percentiles.v[i],
		    (size_t)(eq - percentiles.v[i])) : 0;
		if (only == SIZE_MAX)
			die(ST_USAGE, "--percentiles: '%s' names no analysed column (--of)",
			    percentiles.v[i]);
		for (size_t c = 0; c < st.n_of; c++) {
			if (eq && c != only)
				continue;
			st.wanted[c] = (struct wanted){0};
			xstat_percentiles(&st.wanted[c], eq ? eq + 1 : percentiles.v[i]);
		}
	}
}

/* The different words of a group are counted by their codes. */
static void
count_words(struct column *c)
{
	if (!c->is_word || table_bad_to_numbers(&st.t, c, false))
		return;
	c->number = table_memory_resize(NULL, st.t.n_rows * sizeof *c->number);
	for (size_t row = 0; row < st.t.n_rows; row++)
		c->number[row] = c->code[row] == NO_WORD ? (double)NAN : c->code[row];
}

static void
xgroup(void)
{
	derive_names(&by, true);
	if (of.n)
		derive_names(&of, false);
	else
		all_numbers();
	xstat_show_known("--sort", &sort, &by);
	st.n_by = by.n;
	st.n_of = of.n;
	st.by = xtable_options_columns(&st.t, &by, false);
	st.of = xtable_options_columns(&st.t, &of, !st.unique);
	for (size_t i = 0; i < st.n_of; i++)
		count_words(st.of[i]);
	xcheck_asked();
	xtable_options_columns(&st.t, &shown, false);
	set_percentiles();
	table_group_make(&st.g, &st.t, st.by, st.n_by, st.keep);
	if (st.g.n == 0 && st.t.n_rows && st.keep)
		warn("no row meets the conditions");
}

/* ---- output ---------------------------------------------------------------------------- */

static void
array_record(const void *records, size_t i, struct buf *b)
{
	json_text_add(b, json_array_get(records, i));
}

static void
put_list(struct table_format *table, const struct record_list *l)
{
	static bool any;
	if (any && format != FORMAT_RECORDS)
		putchar('\n');
	any = true;
	table->escape = !no_escape;
	table_format_put(table, l, (enum format)format, binary);
}

static void
put_table(struct table_format *table, json_t *records)
{
	put_list(table, &(struct record_list){json_array_size(records), array_record, records});
	json_decref(records);
}

/* A CSV or a Parquet file holds one table: outliers, else the largest rows, else the groups. */
static void
put_all(void)
{
	struct table_format table = {0};
	bool one = table_format_is_flat((enum format)format);
	if (request_options.risk) {
		stat_show_requests(&table, &st, one);
		put_table(&table, xrequest_records(&st));
		return;
	}
	if (!one || (!rule_text && !largest)) {
		if (format != FORMAT_RECORDS)
			stat_show_groups(&table, &st, &stats, one);
		struct record_list l = stat_show_records(&st, &sort,
		    (size_t)(rank_to && !largest ? rank_from : 1),
		    (size_t)(rank_to && !largest ? rank_to : top));
		put_list(&table, &l);
	}
	if (largest && !(one && rule_text)) {
		stat_show_largest(&table, &st, &shown, one);
		put_table(&table, stat_record_largest(&st, (size_t)rank_from,
		    (size_t)(rank_to ? rank_to : largest), &shown));
	}
	if (rule_text) {
		stat_show_outliers(&table, &st, &shown, one);
		put_table(&table, outlier_records(&st, &shown));
	}
}

/* What is to be known of the numbers comes before them on stderr, and after them as records. */
static json_t *
warn_notes(void)
{
	json_t *notes = table_note_values(&st.t, st.keep);
	time_note_add(notes, &st.t);
	table_note_warn(notes);
	return notes;
}

/* A check of few figures proves nothing. */
static enum exit_status
check_summary(void)
{
	struct table_format table;
	struct summary_result result = {0};
	const struct summary_source from = {summaries.v, check_path, table_options.path_pattern,
	    &map, tolerance};
	json_t *records = summary_check_records(&st, &from, &result);
	stat_show_check(&table, &st);
	put_table(&table, records);
	bool few = 2 * result.compared < result.figures || !result.figures;
	if (few)
		warn("cannot tell: only %zu of %zu figures of '%s' %s compared%s%s",
		    result.compared, result.figures, summaries.v[0],
		    result.compared == 1 ? "was" : "were", *result.others
		    ? "; --map gives the meaning of the others: " : "", result.others);
	free(result.others);
	return few ? ST_UNKNOWN : result.differs ? ST_DIFFERS : ST_OK;
}

int
main(int argc, char **argv)
{
	enum exit_status status = ST_OK;
	int first = opt_parse(argc, argv, &usage);
	if (format < 0)
		format = isatty(STDOUT_FILENO) ? FORMAT_TEXT : FORMAT_RECORDS;
	st.method = (enum quantile)method;
	st.binary = binary;
	if (rule_text)
		xstat_rule(&st.rule, rule_text);
	xstat_show_known("--stats", &stats, NULL);
	signal(SIGINT, SIG_IGN);
	st.unique = list_has(&stats, "n_unique") || list_has(&sort, "n_unique");
	xopt_rules(&usage, rules);
	if (format == FORMAT_RECORDS && stats.n && !st.unique)
		opt_die(&usage, "--stats has no effect on records: --format text has columns");
	if (!rule_text && (list_has(&stats, "outliers") || list_has(&sort, "outliers")))
		opt_die(&usage, "the statistic 'outliers' requires --outliers");
	xread_table(argv + first);
	xgroup();
	stat_figures(&st, total);
	st.chosen = xhaving_chosen(&st, &having);
	json_t *notes = warn_notes(), *r;
	size_t i;
	if (summaries.n)
		status = check_summary();
	else
		put_all();
	json_array_foreach(notes, i, r)
		if (format == FORMAT_RECORDS)
			xlines_write(r);
	xoutput_close();
	return status;
}
