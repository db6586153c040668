/* metricreport: a label's metrics as one HTML file, and a page for each notebook.
 * Reads cell_metrics and notebook_metrics, and what other filters made of them
 * (truth, comparison, outlier, growth, environment); fills the marked places of a
 * template.  Nothing in the file is fetched from anywhere. */
#include "base/atomic_file.h"
#include "report.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { TEMPLATE_BYTES = 16 << 20 };

static const char *template_path, *page_template_path, *as = "html", *output, *pages, *pages_href, *screenshots, *samples, *title;
static struct report report;

static void call_figure(const char *v) { json_array_append_new(report.figures, json_string(v)); }
static void call_link(const char *v) { json_array_append_new(report.links, json_string(v)); }

static const struct opt opts[] = {
	{'a', "as", OPT_STRING, &as, 0, 0, "WHAT", "html (default), tables (of metricstat), methods (a paragraph), record, or index of records"},
	{'t', "template", OPT_STRING, &template_path, 0, 0, "FILE", "with marked places; default the one of share/report"},
	{'T', "page-template", OPT_STRING, &page_template_path, 0, 0, "FILE", "likewise of a notebook's page"},
	{0, "title", OPT_STRING, &title, 0, 0, "TEXT", "instead of the use case and the label"},
	{'p', "pages", OPT_STRING, &pages, 0, 0, "FOLDER", "write a page for each notebook there"},
	{'l', "pages-at", OPT_STRING, &pages_href, 0, 0, "FOLDER", "where the report finds them, from its own; default the last part of --pages"},
	{'f', "figure", OPT_CALL, NULL, 0, 0, "FILE", "an SVG to show; again: another", call_figure},
	{'L', "link", OPT_CALL, NULL, 0, 0, "NAME", "what stands beside the report; again: another", call_link},
	{'S', "screenshots", OPT_STRING, &screenshots, 0, 0, "FOLDER", "pictures of cells that failed, by notebook"},
	{'s', "samples", OPT_STRING, &samples, 0, 0, "FOLDER", "SVGs of each run's samples, for the pages"},
	{'o', "output", OPT_STRING, &output, 0, 0, "FILE", "whole or not at all; default stdout"},
	{0},
};
static const struct opt_usage usage = {"metricreport", "[options] [FILE...]",
	"Tells a label's metrics in one HTML file.", opts};

static void
take(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)in, (void)line, (void)len;
	report_take(&report, s);
}

static const char *
xtemplate(const char *path, const char *own)
{
	size_t n;
	char *text = path ? file_read(path, TEMPLATE_BYTES, &n) : NULL;
	if (path && !text)
		die(ST_SYSTEM, "cannot read '%s':", path);
	if (text && strlen(text) != n)
		die(ST_INPUT, "%s:1:1: not a template: it holds a NUL", path);
	return text ? text : own;
}

/* Only those that changed are written: a file's time tells when it did. */
static void
xkeep_changed(const char *path, struct buf *b)
{
	size_t n;
	struct stat st;
	char *before = stat(path, &st) == 0 && (size_t)st.st_size == b->n ? file_read(path, b->n + 1, &n) : NULL;
	if (!before || n != b->n || memcmp(before, b->p, n) != 0)
		xatomic_file_write_buf(path, b);
	free(before);
}

static void
xput_pages(void)
{
	const char *template = xtemplate(page_template_path, notebook_html);
	report.now = A_PAGE;
	for (report.book_now = 0; report.book_now < report.n_books; report.book_now++) {
		const struct book *k = &report.book[report.book_now];
		struct buf b = {0};
		if (!is_file_name(k->name)) {
			warn("no page for a notebook whose name cannot be a file's");
			continue;
		}
		char *path = xasprintf("%s/%s.html", pages, k->name);
		xfill_template(&b, template, page_template_path ? page_template_path : "notebook.html", &report);
		xkeep_changed(path, &b);
		buf_free(&b);
		free(path);
	}
	report.now = THE_REPORT;
}

/* For an index of reports. */
static void
add_record(struct buf *b)
{
	double client_s = 0;
	for (size_t i = 0; i < report.sum.n; i++)
		client_s += report.sum.v[i].client_s > 0 ? report.sum.v[i].client_s : 0;
	json_t *o = json_pack("{s:s, s:f, s:s?, s:s?, s:I, s:I, s:I, s:I, s:f}", "type", "report", "t", num_round(clock_unix_s(), 6), "usecase", report.sum.usecase,
	    "label", report.sum.n ? report.sum.v[0].label : NULL, "notebooks", (json_int_t)report.n_books, "runs", (json_int_t)report.sum.n,
	    "cells", (json_int_t)report.n_rows, "failed", (json_int_t)report.sum.failed, "client_s", num_round(client_s, 6));
	json_text_add(b, o);
	buf_addf(b, "\n");
	json_decref(o);
}

/* The text of HTML that is ours: tags away, its five names of characters undone. */
static void
add_plain(struct buf *b, const char *html)
{
	static const char *const names[][2] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&#39;", "'"}};
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
	put_method_text(&html, &report);
	add_plain(b, html.p);
	buf_addf(b, "\n");
	buf_free(&html);
}

static void
add_html(struct buf *b)
{
	const char *const own[] = {[THE_REPORT] = report_html, [THE_INDEX] = index_html, [THE_TABLES] = tables_html};
	xfill_template(b, xtemplate(template_path, own[report.now]), template_path ? template_path : "the template", &report);
}

static const struct form {
	const char *name;
	void (*put)(struct buf *);
	int now;
} forms[] = {
	{"html", add_html, THE_REPORT}, {"tables", add_html, THE_TABLES}, {"index", add_html, THE_INDEX},
	{"methods", add_methods, THE_REPORT}, {"record", add_record, THE_REPORT},
};

static const struct form *
xform(void)
{
	for (size_t i = 0; i < COUNT(forms); i++)
		if (strcmp(as, forms[i].name) == 0)
			return &forms[i];
	opt_die(&usage, "no form '%s'", as);
}

int
main(int argc, char **argv)
{
	report_start(&report);
	int first = opt_parse(argc, argv, &usage);
	const struct form *form = xform();
	signal(SIGINT, SIG_IGN);
	report.title = title;
	report.screenshots = screenshots;
	report.samples = samples;
	const char *slash = pages ? strrchr(pages, '/') : NULL;
	report.pages = pages_href ? pages_href : slash ? slash + 1 : pages;
	xscan_files(argv + first, take);
	report_finish(&report);
	if (pages)
		xput_pages();
	report.now = form->now;
	struct buf b = {0};
	form->put(&b);
	xatomic_file_put_buf(output, &b);
	xoutput_close();
	return ST_OK;
}
