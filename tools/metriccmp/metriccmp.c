/* metriccmp: is it worse?  Labels' metrics against a base's, cell by cell.
 * Reads cell_metrics, notebook_metrics and environment; writes a table for
 * people, records, CSV or Markdown, and answers by its status: 0 no worse,
 * 1 worse, 6 cannot tell. */
#include "compare_table.h"
#include "base/atomic_file.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GATE "client,kernel,memory,bytes"

static const char *base_name, *gate = GATE, *more, *format, *fail_on = "unknown", *by, *verdict_to, *json_to, *csv_to, *markdown_to;
static bool all, by_file, notebooks;
static struct ab_settings settings = {.how = {.alpha = 0.05, .relative = 0.05, .detect = 0.10}};
static const struct opt opts[] = {
	{'b', "base", OPT_STRING, &base_name, 0, 0, "LABEL", "what the others are held against; default the first"},
	{'g', "gate", OPT_STRING, &gate, 0, 0, "METRICS", "what may fail, default " GATE},
	{'m', "more", OPT_STRING, &more, 0, 0, "METRICS", "shown too, and never a reason to fail"},
	{'f', "format", OPT_STRING, &format, 0, 0, "NAME", "table (default on a terminal), json (else), csv, markdown"},
	{'a', "all", OPT_FLAG, &all, 0, 0, NULL, "a line for each test, however many"},
	{0, "fail-on", OPT_STRING, &fail_on, 0, 0, "WHAT", "worse, or unknown (default: worse and what cannot be told)"},
	{0, "allow", OPT_STRING, &settings.allow, 0, 0, "LIST", "what may differ: machine, browser, jupyterlab, kernel, python, nbscope, packages, all"},
	{'w', "with", OPT_STRING, &settings.with, 0, 0, "TEXT", "requirements whose packages may differ: 'jdaviz==4.5.2'"},
	{0, "alpha", OPT_REAL, &settings.how.alpha, 1e-9, 0.5, "P", "share of false ones among what is flagged, default 0.05"},
	{0, "relative", OPT_REAL, &settings.how.relative, 0, 10, "X", "a smaller shift is none, share of the median, default 0.05"},
	{0, "floor", OPT_STRING, &settings.floors, 0, 0, "LIST", "likewise in the metric's unit: client=0.002,memory=1e6"},
	{0, "detect", OPT_REAL, &settings.how.detect, 1e-6, 10, "X", "no worse: such a shift is ruled out, default 0.1"},
	{0, "notebooks", OPT_FLAG, &notebooks, 0, 0, NULL, "whole notebooks as well as cells"},
	{0, "by", OPT_STRING, &by, 0, 0, "COLUMNS", "of tables: what names a cell; default nbscope's columns"},
	{0, "files", OPT_FLAG, &by_file, 0, 0, NULL, "each file is a label, whatever its records say"},
	{0, "verdict", OPT_STRING, &verdict_to, 0, 0, "FILE", "the verdict as JSON into FILE"},
	{0, "json-to", OPT_STRING, &json_to, 0, 0, "FILE", "records into FILE"},
	{0, "csv-to", OPT_STRING, &csv_to, 0, 0, "FILE", "CSV into FILE"},
	{0, "markdown-to", OPT_STRING, &markdown_to, 0, 0, "FILE", "Markdown into FILE"},
	{0},
};
static const struct opt_usage usage = {"metriccmp", "[options] [FILE...]",
	"Compares labels' metrics with a base's: no worse (0), worse (1), cannot tell (6).", opts};

static struct measured measured;
static struct ab ab;

/* Into the file (NULL: nowhere), and empties what was in b. */
static void
keep(const char *path, struct buf *b)
{
	if (path)
		xatomic_file_write_buf(path, b);
	b->n = 0;
}

static void
put_files(void)
{
	struct buf b = {0};
	json_t *v = ab_verdict(&ab, &settings);
	json_text_add(&b, v);
	buf_add(&b, "\n", 1);
	json_decref(v);
	keep(verdict_to, &b);
	if (json_to)
		ab_records(&b, &ab, &settings);
	keep(json_to, &b);
	if (csv_to)
		ab_csv(&b, &ab);
	keep(csv_to, &b);
	if (markdown_to)
		ab_markdown(&b, &ab, &settings, all);
	keep(markdown_to, &b);
	buf_free(&b);
}

static void
put_result(const char *as)
{
	struct buf b = {0};
	if (strcmp(as, "json") == 0)
		ab_records(&b, &ab, &settings);
	else if (strcmp(as, "csv") == 0)
		ab_csv(&b, &ab);
	else if (strcmp(as, "markdown") == 0)
		ab_markdown(&b, &ab, &settings, all);
	else
		ab_table(&b, &ab, &settings, all);
	xatomic_file_put_buf(NULL, &b);
	buf_free(&b);
}

static void
look_at_options(void)
{
	if (!format)
		format = isatty(STDOUT_FILENO) ? "table" : "json";
	if (strcmp(format, "table") && strcmp(format, "json") && strcmp(format, "csv") && strcmp(format, "markdown"))
		opt_die(&usage, "--format must be table, json, csv or markdown, not '%s'", format);
	if (strcmp(fail_on, "worse") && strcmp(fail_on, "unknown"))
		opt_die(&usage, "--fail-on must be worse or unknown, not '%s'", fail_on);
	/* What is never flagged need not be ruled out. */
	if (settings.how.detect < settings.how.relative)
		settings.how.detect = settings.how.relative;
	settings.worse_only = strcmp(fail_on, "worse") == 0;
	settings.gate = gate;
	char *metrics = xasprintf("%s,%s", gate, more ? more : "");
	measured_start(&measured, metrics);
	free(metrics);
	measured.by_file = by_file;
	measured.whole = notebooks;
}

static size_t
find_base(void)
{
	long at = base_name ? measured_label(&measured, base_name) : 0;
	if (!measured.labels)
		die(ST_UNKNOWN, "cannot tell: no metrics in the input");
	if (at < 0)
		die(ST_UNKNOWN, "cannot tell: no metrics of the base '%s'", base_name);
	if (measured.labels < 2)
		die(ST_UNKNOWN, "cannot tell: the metrics are all of the label '%s' (--files makes each file one)", measured.label[0].name);
	return (size_t)at;
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	look_at_options();
	signal(SIGINT, SIG_IGN);
	measured_files(&measured, argv + first, by);
	ab_compare(&ab, &measured, find_base(), &settings);
	put_files();
	put_result(format);
	xoutput_close();
	if (ab.answer == UNKNOWN)
		return settings.worse_only && !ab.refused ? ST_OK : ST_UNKNOWN;
	return ab.answer == WORSE ? ST_DIFFERS : ST_OK;
}
