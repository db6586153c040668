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
#include "report_headings.h"
#include "report_notebook.h"
#include "report_overview.h"
#include "report_profile.h"
#include "report_slowest.h"
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
EMBED_STATIC(profile_css, "share/report/profile.css");
EMBED_STATIC(profile_js, "share/report/profile.js");
EMBED_STATIC(figure_groups_js, "share/figure/groups.js");
extern const char profile_css[], profile_js[], figure_groups_js[];

static const char mark[] = "<!--nbscope:", mark_end[] = "-->";

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
	buf_add(b, profile_css, strlen(profile_css));
}

static void
put_script(struct buf *b, const struct report *r)
{
	(void)r;
	buf_add(b, figure_groups_js, strlen(figure_groups_js));
	buf_add(b, report_js, strlen(report_js));
	buf_add(b, profile_js, strlen(profile_js));
}

static void xfill(struct buf *, const char *template, const char *file, const struct report *);

/* The parts that all pages share are templates themselves. */
static void
put_head(struct buf *b, const struct report *r)
{
	xfill(b, report_head_html, "head.html", r);
}

static void
put_foot(struct buf *b, const struct report *r)
{
	xfill(b, report_foot_html, "foot.html", r);
}

/* Its links follow when it is known which sections are not empty: put_nav_links(). */
static const char nav_end[] = "</nav>\n";

static void
put_nav(struct buf *b, const struct report *r)
{
	buf_addf(b, "<nav aria-label=\"Sections\">\n");
	if (r->now == REPORT_PAGE)
		buf_addf(b, "<a href=\"../index.html\">Report</a>\n");
	buf_addf(b, "%s", nav_end);
}

/* <section id="ID"><h2>TITLE</h2>CONTENTS</section>: where its parts are. */
struct section {
	const char *begin, *id, *title, *contents, *end;
	size_t id_n, title_n, contents_n;
};

static bool
find_section(const char *at, struct section *s)
{
	static const char section[] = "<section id=\"", title[] = "\"><h2>", close[] = "</section>";
	while ((at = strstr(at, section))) {
		s->begin = at;
		s->id = at += strlen(section);
		s->id_n = strcspn(at, "\"");
		if (strncmp(at + s->id_n, title, strlen(title)) != 0)
			continue;
		s->title = at + s->id_n + strlen(title);
		s->title_n = strcspn(s->title, "<");
		s->contents = s->title + s->title_n + strcspn(s->title + s->title_n, ">");
		s->contents += *s->contents == '>';
		s->end = strstr(s->contents, close);
		if (!s->end)
			return false;
		s->contents_n = (size_t)(s->end - s->contents);
		s->end += strlen(close);
		return true;
	}
	return false;
}

/* What html_empty() wrote, if the section contains nothing else. */
static const char *
empty_text(const struct section *s, size_t *n)
{
	static const char begin[] = "<p class=\"empty\">", end[] = "</p>", blank[] = " \t\r\n";
	const char *from = s->contents + strspn(s->contents, blank), *to;
	const char *last = s->contents + s->contents_n;
	if (strncmp(from, begin, strlen(begin)) != 0)
		return NULL;
	from += strlen(begin);
	to = strstr(from, end);
	*n = (size_t)(to - from);
	to += strlen(end);
	return to + strspn(to, blank) >= last ? from : NULL;
}

/* A section without contents becomes one line; navigation links to the others. */
static void
fold_sections(struct buf *b, const char *page)
{
	struct section s;
	struct buf nav = {0}, rest = {0};
	const char *at = page, *empty, *links = strstr(page, nav_end);
	size_t n;
	while (find_section(at, &s)) {
		buf_add(&rest, at, (size_t)(s.begin - at));
		if ((empty = empty_text(&s, &n))) {
			buf_addf(&rest, "<p class=\"folded\" id=\"%.*s\"><b>%.*s</b> ", (int)s.id_n,
			    s.id, (int)s.title_n, s.title);
			buf_add(&rest, empty, n);
			buf_addf(&rest, "</p>");
		} else {
			buf_addf(&nav, "<a href=\"#%.*s\">%.*s</a>\n", (int)s.id_n, s.id,
			    (int)s.title_n, s.title);
			buf_add(&rest, s.begin, (size_t)(s.end - s.begin));
		}
		at = s.end;
	}
	buf_add(&rest, at, strlen(at));
	links = rest.p && links ? strstr(rest.p, nav_end) : NULL;
	size_t before = links ? (size_t)(links - rest.p) : 0;
	buf_add(b, rest.p, before);
	buf_add(b, nav.p, nav.n);
	if (buf_add(b, rest.p + before, rest.n - before) != 0)
		die(ST_SYSTEM, "the report would be larger than 1 GiB");
	buf_free(&nav);
	buf_free(&rest);
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
	{"diagnosis", report_diagnosis, MAIN}, {"profiles", report_profiles, MAIN | PAGE},
	{"spent", report_phases_table, MAIN}, {"headings", report_headings, MAIN | PAGE},
	{"slowest", report_slowest, MAIN}, {"failures", report_failures, MAIN | PAGE},
	{"comparison", report_comparison, MAIN}, {"outliers", report_outliers, MAIN | TABLES},
	{"scaling", report_scaling, MAIN}, {"figures", report_figures, MAIN | TABLES},
	{"notebooks", report_notebooks, MAIN}, {"cells", report_cells, MAIN},
	{"data", report_data, MAIN}, {"environment", report_environment, MAIN | PAGE},
	{"calibration", report_calibration, MAIN}, {"method", report_method, MAIN | PAGE},
	{"links", report_links, MAIN | TABLES},
	{"notebook", put_notebook, PAGE}, {"status", put_status, PAGE},
	{"params", put_params, PAGE}, {"timeline", report_timeline, PAGE},
	{"notebook-overview", report_notebook_overview, PAGE}, {"strip", report_strip, PAGE},
	{"sources", report_sources, PAGE},
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

static void
xfill(struct buf *b, const char *template, const char *file, const struct report *r)
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
		p->put(b, r);
		at = end + strlen(mark_end);
	}
	if (buf_add(b, at, strlen(at)) != 0)
		die(ST_SYSTEM, "the report would be larger than 1 GiB");
}

void
xreport_template_fill(struct buf *b, const char *template, const char *file, const struct report *r)
{
	struct buf page = {0};
	xfill(&page, template, file, r);
	if (page.n)
		fold_sections(b, page.p);
	buf_free(&page);
}
