/* metricreport: a label's metrics as an HTML report, with a page for each notebook.
 * Reads cell_metrics and notebook_metrics, and the records of other filters (truth,
 * comparison, outlier, scaling, environment); makes a model from them, with share/report/model.jq,
 * over which templates loop.  A page loads nothing from elsewhere. */
#include "base/atomic_file.h"
#include "base/die.h"
#include "base/file.h"
#include "base/opt.h"
#include "base/output.h"
#include "html.h"
#include "json/json_write.h"
#include "model.h"
#include "model_filter.h"
#include "page.h"

#include <signal.h>

enum { TEMPLATE_BYTES = 16 << 20 };

static const char *template_path, *page_template_path, *as = "html", *output, *record,
    *model_path, *pages, *profiles;
static struct report report;

static void call_figure(const char *v) { json_array_append_new(report.figures, json_string(v)); }
static void call_link(const char *v) { json_array_append_new(report.links, json_string(v)); }

static const struct opt opts[] = {
	{0, "as", OPT_STRING, &as, 0, 0, "WHAT",
		"html (default), tables (of metricstat), methods (a paragraph), record, index "
		    "of records, or history"},
	{0, "template", OPT_STRING, &template_path, 0, 0, "FILE",
		"template of the report; default share/report/report.html"},
	{0, "page-template", OPT_STRING, &page_template_path, 0, 0, "FILE",
		"template of a notebook's page"},
	{0, "title", OPT_STRING, &report.title, 0, 0, "TEXT",
	    "heading; default the use case and the label"},
	{0, "pages", OPT_STRING, &pages, 0, 0, "FOLDER",
	    "write a page for each notebook to FOLDER"},
	{0, "pages-at", OPT_STRING, &report.pages, 0, 0, "FOLDER",
		"address of the pages in links; default the last part of --pages"},
	{0, "figure", OPT_CALL, NULL, 0, 0, "FILE", "show this SVG; may be repeated",
	    call_figure},
	{'L', "link", OPT_CALL, NULL, 0, 0, "NAME", "link to this file; may be repeated",
	    call_link},
	{0, "screenshots", OPT_STRING, &report.screenshots, 0, 0, "FOLDER",
		"screenshots of cells, in a folder for each notebook"},
	{0, "thumbnails", OPT_STRING, &report.thumbnails, 0, 0, "FOLDER",
		"smaller copies of them, as JPEG, in the same folders"},
	{0, "samples", OPT_STRING, &report.samples, 0, 0, "FOLDER",
	    "SVGs of the samples of each run, for the pages"},
	{0, "profiles", OPT_STRING, &profiles, 0, 0, "FILE",
		"profiles of cells, as runprofile writes them as records"},
	{0, "profile-files", OPT_STRING, &report.profile_files, 0, 0, "FOLDER",
		"the profilers' own files, in a folder for each run, next to the report"},
	{0, "record", OPT_STRING, &record, 0, 0, "FILE",
	    "also write the report's record to FILE"},
	{0, "model", OPT_STRING, &model_path, 0, 0, "FILE",
	    "also write all that the report says, as the JSON that templates read, to FILE"},
	{'o', "output", OPT_STRING, &output, 0, 0, "FILE",
	    "write to FILE, whole or not at all; default stdout"},
	{0},
};
static const struct opt_usage usage = {"metricreport", "[options] [FILE...]",
	"Writes a label's metrics as an HTML report.", opts};

static void
read_report_record(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)in;
	report_read_record(&report, s, (struct span){line, len});
}

static void
read_profile_record(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)s, (void)in;
	json_array_append_new(report_records(&report, "profile"),
	    span_json((struct span){line, len}));
}

/* The file, or the template of share/report. */
static struct html_template *
xtemplate(const char *path, enum page_kind kind)
{
	static struct html_template own;
	size_t n;
	if (!path)
		return page_template(kind);
	own = (struct html_template){.file = path, .text = file_read(path, TEMPLATE_BYTES, &n)};
	if (!own.text)
		die(ST_SYSTEM, "cannot read '%s':", path);
	if (strlen(own.text) != n)
		die(ST_INPUT, "%s:1:1: not a template: it contains a NUL", path);
	return &own;
}

/* A file that would not change keeps its time. */
static void
xwrite_if_changed(const char *path, struct buf *b)
{
	size_t n;
	char *before = file_read(path, b->n + 1, &n);
	if (!before || n != b->n || memcmp(before, b->p, n) != 0)
		xatomic_file_write_buf(path, b);
	free(before);
}

static void
xwrite_pages(json_t *model)
{
	struct html_template *t = xtemplate(page_template_path, PAGE_NOTEBOOK);
	struct buf b = {0};
	for (size_t i = 0; i < report.n_notebooks; i++) {
		const struct report_notebook *k = &report.notebook[i];
		if (!html_is_file_name(k->name)) {
			warn("a notebook gets no page, because its name is not a valid file name");
			continue;
		}
		char *path = xasprintf("%s/%s.html", pages, k->name);
		json_t *page = model_of_page(model, &report, k);
		b.n = 0;
		xpage_write(&b, PAGE_NOTEBOOK, t, page);
		xwrite_if_changed(path, &b);
		json_decref(page);
		free(path);
	}
	buf_free(&b);
}

/* Makes the record that an index of reports reads. */
static json_t *
record_of(json_t *model)
{
	json_t *o = json_object();
	static const char *const members[][2] = {{"t", "t"}, {"usecase", "usecase"},
		{"label", "label"}, {"notebooks", "n_notebooks"}, {"runs", "n_runs"},
		{"cells", "n_cells"}, {"failed", "n_failed"}, {"client_s", "client_s"}};
	json_object_set_new(o, "type", json_string("report"));
	for (size_t i = 0; i < COUNT(members); i++)
		json_object_set(o, members[i][0], json_object_get(model, members[i][1]));
	return o;
}

static void
xwrite_page(json_t *model, enum page_kind kind)
{
	struct buf b = {0};
	const char *path = kind == PAGE_METHODS ? NULL : template_path;
	xpage_write(&b, kind, xtemplate(path, kind), model);
	xatomic_file_put_buf(output, &b);
	buf_free(&b);
}

int
main(int argc, char **argv)
{
	report_start(&report);
	int first = opt_parse(argc, argv, &usage);
	enum page_kind kind = page_kind_of(as);
	bool only_record = strcmp(as, "record") == 0;
	if (kind == N_PAGES && !only_record)
		opt_die(&usage, "--as must be html, tables, methods, record, index or history, "
		    "not '%s'", as);
	signal(SIGINT, SIG_IGN);
	report.tables = kind == PAGE_TABLES;
	const char *slash = pages ? strrchr(pages, '/') : NULL;
	if (!report.pages)
		report.pages = slash ? slash + 1 : pages;
	xmodel_filter_start();
	xscan_files(argv + first, read_report_record);
	if (profiles)
		xscan_files((char *[]){(char *)(uintptr_t)profiles, NULL}, read_profile_record);
	report_finish(&report);
	json_t *model = xmodel_of(&report);
	if (pages)
		xwrite_pages(model);
	if (only_record)
		xjson_write_new(output, record_of(model));
	else
		xwrite_page(model, kind);
	if (record)
		xjson_write_new(record, record_of(model));
	if (model_path) {
		template_make_items(model);
		xjson_write(model_path, model);
	}
	xoutput_close();
	return ST_OK;
}
