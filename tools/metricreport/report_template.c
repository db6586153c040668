/* report_template.c: templates, and their placeholders replaced by parts of a report. */
#include "base/nbscope.h"
#include "base/die.h"
#include "base/embed.h"
#include "json/json_text.h"
#include "html.h"
#include "metric/phase.h"
#include "report_about.h"
#include "report_attachments.h"
#include "report_cells.h"
#include "report_findings.h"
#include "report_tables.h"
#include "report_template.h"
#include "report_time.h"

#include <stdlib.h>
#include <string.h>

EMBED(report_html, "share/report/report.html");
EMBED(report_notebook_html, "share/report/notebook.html");
EMBED(report_index_html, "share/report/index.html");
EMBED(report_tables_html, "share/report/tables.html");
EMBED(report_head_html, "share/report/head.html");
EMBED(report_foot_html, "share/report/foot.html");
EMBED(report_css, "share/report/report.css");
EMBED(report_js, "share/report/report.js");

static const char mark[] = "<!--nbscope:", mark_end[] = "-->";
static const char *current_template;

static void
put_phase_colours(struct buf *b, bool dark)
{
	buf_addf(b, ":root{");
	for (size_t k = 0; k < N_PHASES; k++)
		buf_addf(b, "--%s:%s;", phase_defs[k].name,
		    dark ? phase_defs[k].dark : phase_defs[k].light);
	buf_addf(b, "}");
}

static void
put_style(struct buf *b, const struct report *r)
{
	(void)r;
	put_phase_colours(b, false);
	buf_addf(b, "@media (prefers-color-scheme:dark){");
	put_phase_colours(b, true);
	buf_addf(b, "}\n");
	for (size_t k = 0; k < N_PHASES; k++)
		buf_addf(b, ".%s{fill:var(--%s);background:var(--%s)}\n", phase_defs[k].name,
		    phase_defs[k].name, phase_defs[k].name);
	buf_add(b, report_css, strlen(report_css));
}

static void
put_script(struct buf *b, const struct report *r)
{
	(void)r;
	buf_add(b, report_js, strlen(report_js));
}

/* The parts that all pages share are templates themselves. */
static void
put_head(struct buf *b, const struct report *r)
{
	xreport_template_fill(b, report_head_html, "head.html", r);
}

static void
put_foot(struct buf *b, const struct report *r)
{
	xreport_template_fill(b, report_foot_html, "foot.html", r);
}

/* Links to the sections of the template: <section id="ID"><h2>TITLE</h2>. */
static void
put_nav(struct buf *b, const struct report *r)
{
	static const char section[] = "<section id=\"", title[] = "\"><h2>";
	buf_addf(b, "<nav aria-label=\"Sections\">\n");
	if (r->now == REPORT_PAGE)
		buf_addf(b, "<a href=\"../index.html\">Report</a>\n");
	for (const char *at = current_template; (at = strstr(at, section));) {
		const char *id = at += strlen(section), *end = strchr(id, '"');
		if (!end || strncmp(end, title, strlen(title)) != 0)
			continue;
		const char *words = end + strlen(title);
		buf_addf(b, "<a href=\"#%.*s\">%.*s</a>\n", (int)(end - id), id,
		    (int)strcspn(words, "<"), words);
	}
	buf_addf(b, "</nav>\n");
}

static void
put_notebook(struct buf *b, const struct report *r)
{
	/* The page has all its runs, so the number of one is removed. */
	const struct run_summary *v = &r->sum.v[r->book[r->book_now].shown];
	char *name = xstrdup(v->full_name), *at = strrchr(name, ' ');
	if (v->repetition > 1 && at && at[1] == '@')
		*at = '\0';
	html_text(b, name);
	free(name);
}

static void
put_status(struct buf *b, const struct report *r)
{
	const struct book *k = &r->book[r->book_now];
	bool good = !k->failed && !k->skipped;
	buf_addf(b, "<span class=\"badge %s\">", good ? "good" : "bad");
	html_text(b, r->sum.v[k->shown].status);
	if (k->n > 1)
		buf_addf(b, ", %zu of %zu runs", good ? k->n : k->failed + k->skipped, k->n);
	buf_addf(b, "</span>");
}

static void
put_params(struct buf *b, const struct report *r)
{
	const char *key;
	json_t *v, *params = r->sum.v[r->book[r->book_now].shown].params;
	static const char *const columns[] = {"parameter", "value", NULL};
	if (!json_object_size(params)) {
		buf_addf(b, "<p>This notebook has no parameters.</p>\n");
		return;
	}
	html_table(b, "plain", "Parameters of this notebook", columns);
	json_object_foreach(params, key, v) {
		char *text = json_text_of(v);
		buf_addf(b, "<tr><th scope=\"row\">");
		html_text(b, key);
		buf_addf(b, "</th><td><code>");
		html_text(b, json_is_string(v) ? json_string_value(v) : text);
		buf_addf(b, "</code></td></tr>\n");
		free(text);
	}
	html_table_end(b);
}

enum {
	MAIN = 1 << REPORT_MAIN,
	PAGE = 1 << REPORT_PAGE,
	INDEX = 1 << REPORT_INDEX,
	TABLES = 1 << REPORT_TABLES,
	ANY = MAIN | PAGE | INDEX | TABLES,
};

static const struct template_part {
	const char *name;
	report_part *put;
	unsigned pages;	/* that may contain it */
} parts[] = {
	{"title", report_title, ANY}, {"head", put_head, ANY}, {"style", put_style, ANY},
	{"nav", put_nav, ANY}, {"foot", put_foot, ANY}, {"script", put_script, ANY},
	{"made", report_made, ANY},
	{"verdict", report_verdict, MAIN}, {"overview", report_overview, MAIN},
	{"diagnosis", report_diagnosis, MAIN}, {"spent", report_phases_table, MAIN},
	{"slowest", report_slowest, MAIN}, {"failures", report_failures, MAIN | PAGE},
	{"comparison", report_comparison, MAIN}, {"outliers", report_outliers, MAIN | TABLES},
	{"scaling", report_scaling, MAIN}, {"figures", report_figures, MAIN | TABLES},
	{"notebooks", report_notebooks, MAIN}, {"cells", report_cells, MAIN},
	{"data", report_data, MAIN}, {"environment", report_environment, MAIN | PAGE},
	{"calibration", report_calibration, MAIN}, {"method", report_method, MAIN | PAGE},
	{"links", report_links, MAIN | TABLES},
	{"notebook", put_notebook, PAGE}, {"status", put_status, PAGE},
	{"params", put_params, PAGE}, {"timeline", report_timeline, PAGE},
	{"notebook-cells", report_notebook_cells, PAGE},
	{"reports", report_list, INDEX},
	{"table-overview", report_table_overview, TABLES}, {"groups", report_groups, TABLES},
	{"check", report_check, TABLES}, {"largest", report_largest, TABLES},
};

_Noreturn static void
die_at(const char *template, const char *at, const char *file, const char *reason)
{
	unsigned long line = 1, column = 1;
	for (const char *c = template; c < at; c++) {
		column = *c == '\n' ? 1 : column + 1;
		line += *c == '\n';
	}
	die(ST_INPUT, "%s:%lu:%lu: %s", file, line, column, reason);
}

static const struct template_part *
find_part(const char *name, size_t n)
{
	for (size_t i = 0; i < COUNT(parts); i++)
		if (strlen(parts[i].name) == n && strncmp(parts[i].name, name, n) == 0)
			return &parts[i];
	return NULL;
}

void
xreport_template_fill(struct buf *b, const char *template, const char *file, const struct report *r)
{
	static const char *const pages[] =
	    {"the report", "a notebook's page", "the index", "the tables"};
	const char *at = template, *next;
	while ((next = strstr(at, mark))) {
		const char *name = next + strlen(mark), *end = strstr(name, mark_end);
		buf_add(b, at, (size_t)(next - at));
		if (!end)
			die_at(template, next, file, "this placeholder has no end '-->'");
		const struct template_part *p = find_part(name, (size_t)(end - name));
		if (!p)
			die_at(template, next, file,
			    xasprintf("unknown placeholder '%.*s'", (int)(end - name), name));
		if (!(p->pages >> r->now & 1u))
			die_at(template, next, file,
			    xasprintf("'%s' is not a placeholder of %s", p->name, pages[r->now]));
		current_template = template;
		p->put(b, r);
		at = end + strlen(mark_end);
	}
	if (buf_add(b, at, strlen(at)) != 0)
		die(ST_SYSTEM, "the report would be larger than 1 GiB");
}
