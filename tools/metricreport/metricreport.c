/* metricreport: a label's metrics as an HTML report, with a page for each notebook.
 * Reads cell_metrics and notebook_metrics, and the records of other filters (truth,
 * comparison, outlier, scaling, environment); replaces the placeholders of a template.
 * A page loads nothing from elsewhere. */
#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/nbscope.h"
#include "base/die.h"
#include "base/file.h"
#include "base/num.h"
#include "base/opt.h"
#include "base/output.h"
#include "html.h"
#include "json/json_text.h"
#include "report_about.h"
#include "report_overview.h"
#include "report_profile.h"
#include "report_read.h"
#include "report_template.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { TEMPLATE_BYTES = 16 << 20 };

static const char *template_path, *page_template_path, *as = "html", *output, *record, *pages,
    *pages_href, *screenshots, *thumbnails, *samples, *title, *profiles,
    *profile_files;
static struct report report;

static void call_figure(const char *v) { json_array_append_new(report.figures, json_string(v)); }
static void call_link(const char *v) { json_array_append_new(report.links, json_string(v)); }

static const struct opt opts[] = {
	{0, "as", OPT_STRING, &as, 0, 0, "WHAT",
		"html (default), tables (of metricstat), methods (a paragraph), record, or index "
		    "of records"},
	{0, "template", OPT_STRING, &template_path, 0, 0, "FILE",
		"template of the report; default share/report/report.html"},
	{0, "page-template", OPT_STRING, &page_template_path, 0, 0, "FILE",
		"template of a notebook's page"},
	{0, "title", OPT_STRING, &title, 0, 0, "TEXT",
	    "heading; default the use case and the label"},
	{0, "pages", OPT_STRING, &pages, 0, 0, "FOLDER",
	    "write a page for each notebook to FOLDER"},
	{0, "pages-at", OPT_STRING, &pages_href, 0, 0, "FOLDER",
		"address of the pages in links; default the last part of --pages"},
	{0, "figure", OPT_CALL, NULL, 0, 0, "FILE", "show this SVG; may be repeated",
	    call_figure},
	{'L', "link", OPT_CALL, NULL, 0, 0, "NAME", "link to this file; may be repeated",
	    call_link},
	{0, "screenshots", OPT_STRING, &screenshots, 0, 0, "FOLDER",
		"screenshots of cells, in a folder for each notebook"},
	{0, "thumbnails", OPT_STRING, &thumbnails, 0, 0, "FOLDER",
		"smaller copies of them, as JPEG, in the same folders"},
	{0, "samples", OPT_STRING, &samples, 0, 0, "FOLDER",
	    "SVGs of the samples of each run, for the pages"},
	{0, "profiles", OPT_STRING, &profiles, 0, 0, "FILE",
		"profiles of cells, as runprofile writes them as records"},
	{0, "profile-files", OPT_STRING, &profile_files, 0, 0, "FOLDER",
		"the profilers' own files, in a folder for each run, next to the report"},
	{0, "record", OPT_STRING, &record, 0, 0, "FILE",
	    "also write the report's record to FILE"},
	{'o', "output", OPT_STRING, &output, 0, 0, "FILE",
	    "write to FILE, whole or not at all; default stdout"},
	{0},
};
static const struct opt_usage usage = {"metricreport", "[options] [FILE...]",
	"Writes a label's metrics as an HTML report.", opts};

static void
read_report_record(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)in, (void)line, (void)len;
	report_read_record(&report, s);
}

static const char *
xtemplate(const char *path, const char *built_in)
{
	size_t n;
	char *text = path ? file_read(path, TEMPLATE_BYTES, &n) : NULL;
	if (path && !text)
		die(ST_SYSTEM, "cannot read '%s':", path);
	if (text && strlen(text) != n)
		die(ST_INPUT, "%s:1:1: not a template: it contains a NUL", path);
	return text ? text : built_in;
}

/* A file that would not change keeps its time. */
static void
xwrite_if_changed(const char *path, struct buf *b)
{
	size_t n;
	struct stat st;
	bool same_size = stat(path, &st) == 0 && (size_t)st.st_size == b->n;
	char *before = same_size ? file_read(path, b->n + 1, &n) : NULL;
	if (!before || n != b->n || memcmp(before, b->p, n) != 0)
		xatomic_file_write_buf(path, b);
	free(before);
}

static void
xwrite_pages(void)
{
	const char *template = xtemplate(page_template_path, report_notebook_html);
	const char *file = page_template_path ? page_template_path : "notebook.html";
	struct buf b = {0};
	report.now = REPORT_PAGE;
	for (report.book_now = 0; report.book_now < report.n_books; report.book_now++) {
		const struct book *k = &report.book[report.book_now];
		if (!html_is_file_name(k->name)) {
			warn("a notebook gets no page, because its name is not a valid file name");
			continue;
		}
		char *path = xasprintf("%s/%s.html", pages, k->name);
		b.n = 0;
		xreport_template_fill(&b, template, file, &report);
		xwrite_if_changed(path, &b);
		free(path);
	}
	buf_free(&b);
}

/* For an index of reports. */
static void
add_record(struct buf *b)
{
	struct report_totals t = report_totals_of(&report);
	json_t *o = json_pack("{s:s, s:f, s:s?, s:s?, s:I, s:I, s:I, s:I, s:f}", "type", "report",
	    "t", num_round(clock_unix_s(), 6), "usecase", report.sum.usecase,
	    "label", report.sum.n ? report.sum.v[0].label : NULL,
	    "notebooks", (json_int_t)report.n_books, "runs", (json_int_t)t.runs,
	    "cells", (json_int_t)report.n_rows, "failed", (json_int_t)t.failed,
	    "client_s", num_round(t.client_s, 6));
	json_text_add(b, o);
	buf_addf(b, "\n");
	json_decref(o);
}

/* The text of our own HTML: without tags, and with the five character references replaced. */
static void
add_plain_text(struct buf *b, const char *html)
{
	static const char *const names[][2] = {
		{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&#39;", "'"}};
	while (*html) {
		size_t k = 0;
		while (k < COUNT(names) && strncmp(html, names[k][0], strlen(names[k][0])) != 0)
			k++;
		if (*html == '<') {
			html += strcspn(html, ">") + 1;
		} else if (k < COUNT(names)) {
			buf_addf(b, "%s", names[k][1]);
			html += strlen(names[k][0]);
		} else {
			buf_add(b, html++, 1);
		}
	}
}

static void
add_methods(struct buf *b)
{
	struct buf html = {0};
	report_method_text(&html, &report);
	add_plain_text(b, html.p);
	buf_addf(b, "\n");
	buf_free(&html);
}

static void
add_html(struct buf *b)
{
	const char *const built_in[] =
	    {[REPORT_MAIN] = report_html, [REPORT_INDEX] = report_index_html,
		[REPORT_TABLES] = report_tables_html};
	xreport_template_fill(b, xtemplate(template_path, built_in[report.now]),
	    template_path ? template_path : "the template", &report);
}

static const struct form {
	const char *name;
	void (*add)(struct buf *);
	int now;
} forms[] = {
	{"html", add_html, REPORT_MAIN}, {"tables", add_html, REPORT_TABLES},
	{"index", add_html, REPORT_INDEX}, {"methods", add_methods, REPORT_MAIN},
	{"record", add_record, REPORT_MAIN},
};

static const struct form *
xform(void)
{
	for (size_t i = 0; i < COUNT(forms); i++)
		if (strcmp(as, forms[i].name) == 0)
			return &forms[i];
	opt_die(&usage, "--as must be html, tables, methods, record or index, not '%s'", as);
}

int
main(int argc, char **argv)
{
	report_read_start(&report);
	int first = opt_parse(argc, argv, &usage);
	const struct form *form = xform();
	struct buf b = {0};
	signal(SIGINT, SIG_IGN);
	report.title = title;
	report.screenshots = screenshots;
	report.thumbnails = thumbnails;
	report.samples = samples;
	report.profile_files = profile_files;
	const char *slash = pages ? strrchr(pages, '/') : NULL;
	report.pages = pages_href ? pages_href : slash ? slash + 1 : pages;
	xscan_files(argv + first, read_report_record);
	if (profiles)
		xreport_profile_read(&report, profiles);
	report_finish(&report);
	if (pages)
		xwrite_pages();
	report.now = form->now;
	form->add(&b);
	xatomic_file_put_buf(output, &b);
	if (record) {
		b.n = 0;
		add_record(&b);
		xatomic_file_put_buf(record, &b);
	}
	buf_free(&b);
	xoutput_close();
	return ST_OK;
}
