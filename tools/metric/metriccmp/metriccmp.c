/* metriccmp: is it worse?  Compares labels' metrics with a base's, cell by cell.
 * Reads cell_metrics, interaction_metrics, notebook_metrics, environment and interleaving records,
 * or tables; writes a table for people, records, CSV or Markdown.  Status 0: no worse; 1: worse; 6: unknown. */
#include "base/atomic_file.h"
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "base/str.h"
#include "compare_record.h"
#include "compare_table.h"
#include "json/json_write.h"
#include "label_env.h"
#include "run/run_state.h"
#include "table/table_metrics.h"

#include <signal.h>
#include <unistd.h>

#define GATE "client,kernel,memory,bytes,latency"
/* With the default gate, what can be worse where other processes disturb the times. */
#define GATE_IF_BUSY "kernel_cpu_s,script_s"

static const char *base_name;
static struct list more, by;
static const char *verdict_to, *json_to, *csv_to, *markdown_to;
enum result_form { TABLE, RECORDS, CSV, MARKDOWN };
static int format = -1, fail_on = 1;
static bool all, by_file, no_escape;
static struct compare_settings settings = {
	.test = {.alpha = 0.05, .relative = 0.05, .detect = 0.10}};
static const struct opt opts[] = {
	{0, "base", OPT_STRING, &base_name, 0, 0, "LABEL",
		"compare with this label (default the first)"},
	{'g', "gate", OPT_LIST, &settings.gate, 0, 0, "METRICS",
		"metrics that decide the result, default " GATE, .add = xlist_split},
	{0, "more", OPT_LIST, &more, 0, 0, "METRICS", "other metrics to show",
		.add = xlist_split},
	{'f', "format", OPT_CHOICE, &format, 0, 0, "NAME",
		"table (default on a terminal), json (default otherwise), csv, markdown",
		.words = "table json csv markdown"},
	{'a', "all", OPT_FLAG, &all, 0, 0, NULL, "show every test, however many there are"},
	{0, "fail-on", OPT_CHOICE, &fail_on, 0, 0, "WHAT",
		"worse: fail only if worse; unknown (default): also if it cannot tell",
		.words = "worse unknown"},
	{0, "allow", OPT_LIST, &settings.allow, 0, 0, "LIST",
		"what may differ: machine, host, browser, jupyterlab, kernel, python, nbscope, "
		"packages, notebook, files, settings, all, or a package; env ALLOW",
		.add = xlist_split},
	{0, "requirements", OPT_STRING, &settings.requirements, 0, 0, "TEXT",
		"requirements whose packages may differ: 'jdaviz==4.5.2'"},
	{0, "alpha", OPT_REAL, &settings.test.alpha, 1e-9, 0.5, "P",
		"false discovery rate of flagged tests, default 0.05"},
	{0, "relative", OPT_REAL, &settings.test.relative, 0, 10, "X",
		"ignore shifts below this share of the median, default 0.05"},
	{0, "floor", OPT_LIST, &settings.floors, 0, 0, "LIST",
		"ignore shifts below these values: client=0.002,memory=1e6", .add = xlist_split},
	{0, "detect", OPT_REAL, &settings.test.detect, 1e-6, 10, "X",
		"report no worse only if a shift of this share is ruled out, default 0.1"},
	{0, "by", OPT_LIST, &by, 0, 0, "COLUMNS",
		"columns of tables that name a cell; default nbscope's columns",
		.add = xlist_split},
	{0, "files", OPT_FLAG, &by_file, 0, 0, NULL, "make each file a label"},
	{0, "verdict", OPT_STRING, &verdict_to, 0, 0, "FILE", "write the verdict to FILE as JSON"},
	{0, "json-to", OPT_STRING, &json_to, 0, 0, "FILE", "write records to FILE"},
	{0, "csv-to", OPT_STRING, &csv_to, 0, 0, "FILE", "write CSV to FILE"},
	{0, "no-escape", OPT_FLAG, &no_escape, 0, 0, NULL,
		"write text that looks like a formula unchanged in CSV"},
	{0, "markdown-to", OPT_STRING, &markdown_to, 0, 0, "FILE", "write Markdown to FILE"},
	{0},
};
static const struct opt_usage usage = {"metriccmp", "[options] [FILE...]",
	"Compares labels' metrics with a base's: no worse (0), worse (1), unknown (6).", opts};

static struct results measured;
static struct comparison cmp;

/* Writes the buffer to the file (NULL: nowhere) and empties it. */
static void
write_result(const char *path, struct buf *b)
{
	if (path)
		xatomic_file_write_buf(path, b);
	b->n = 0;
}

static void
put_form(struct buf *b, enum result_form form)
{
	switch (form) {
	case TABLE: compare_table(b, &cmp, &settings, all); break;
	case RECORDS: compare_records(b, &cmp, &settings); break;
	case CSV: compare_csv(b, &cmp, !no_escape); break;
	case MARKDOWN: compare_markdown(b, &cmp, &settings, all); break;
	}
}

static void
put_files(void)
{
	static const char **const paths[] = {[RECORDS] = &json_to, [CSV] = &csv_to,
		[MARKDOWN] = &markdown_to};
	struct buf b = {0};
	if (verdict_to)
		xjson_write_new(verdict_to, compare_verdict(&cmp, &settings));
	for (enum result_form form = RECORDS; form <= MARKDOWN; form++) {
		if (*paths[form])
			put_form(&b, form);
		write_result(*paths[form], &b);
	}
	buf_free(&b);
}

static void
on_cell(const struct metrics_record *r)
{
	contention_cell(&cmp.contention, r);
}

static void
append_all(struct list *to, const struct list *from)
{
	for (size_t i = 0; i < from->n; i++)
		xlist_append(to, from->v[i], NULL);
}

static void
check_options(void)
{
	if (format < 0)
		format = isatty(STDOUT_FILENO) ? TABLE : RECORDS;
	/* A shift that is never flagged need not be ruled out. */
	if (settings.test.detect < settings.test.relative)
		settings.test.detect = settings.test.relative;
	settings.worse_only = fail_on == 0;
	static struct list metrics, if_busy;
	const char *allowed = str_nonempty(getenv("ALLOW"));
	if (!settings.allow.n && allowed)
		xlist_split(&settings.allow, allowed, "ALLOW");
	if (!settings.gate.n) {
		xlist_split(&settings.gate, GATE, "--gate");
		xlist_split(&if_busy, GATE_IF_BUSY, "--gate");
	}
	append_all(&metrics, &settings.gate);
	for (size_t i = 0; i < if_busy.n; i++)
		if (!list_has(&more, if_busy.v[i]))
			xlist_append(&metrics, if_busy.v[i], NULL);
	settings.if_busy = metrics.n - settings.gate.n;
	append_all(&metrics, &more);
	xresults_start(&measured, &metrics, GATE);
	measured.by_file = by_file;
	measured.on_cell = on_cell;
	measured.on_run = label_env_run;
	measured.on_other = label_env_other;
	measured.whole = true;
}

/* "; LABEL: 2 stale runs are left out: ...", of all labels. */
static char *
left_out_text(void)
{
	struct buf b = {0};
	const char *label;
	json_t *reasons;
	json_object_foreach(measured.left_out, label, reasons) {
		char *line = run_state_left_out_line(reasons);
		if (line)
			buf_addf(&b, "; %s: %s", label, line);
		free(line);
	}
	return b.p ? b.p : xstrdup("");
}

static bool
has_results(size_t label)
{
	for (size_t i = 0; i < measured.cells; i++)
		if (results_of(&measured.cell[i], label))
			return true;
	return false;
}

static size_t
find_base(void)
{
	long at = base_name ? results_label(&measured, base_name) : 0;
	char *stale = left_out_text();
	if (!measured.labels)
		die(ST_UNKNOWN, "cannot tell: no metrics in the input%s", stale);
	if (base_name && (at < 0 || (*stale && !has_results((size_t)at))))
		die(ST_UNKNOWN, "cannot tell: no metrics of the base '%s'%s", base_name, stale);
	if (measured.labels < 2)
		die(ST_UNKNOWN, "cannot tell: all metrics have the label '%s'%s",
		    measured.label[0].name, *stale ? stale : " (--files makes each file a label)");
	free(stale);
	return (size_t)at;
}

int
main(int argc, char **argv)
{
	struct buf result = {0};
	int first = opt_parse(argc, argv, &usage);
	check_options();
	signal(SIGINT, SIG_IGN);
	xtable_metrics_read(&measured, argv + first, &by);
	compare_labels(&cmp, &measured, find_base(), &settings);
	put_files();
	put_form(&result, (enum result_form)format);
	xatomic_file_put_buf(NULL, &result);
	xoutput_close();
	if (cmp.result == UNKNOWN)
		return settings.worse_only && !cmp.refused ? ST_OK : ST_UNKNOWN;
	return cmp.result == WORSE ? ST_DIFFERS : ST_OK;
}
