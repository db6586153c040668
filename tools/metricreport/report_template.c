/* reportplace.c: a template's marked places, filled. */
#include "base/embed.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

EMBED(report_html, "share/report/report.html");
EMBED(notebook_html, "share/report/notebook.html");
EMBED(index_html, "share/report/index.html");
EMBED(tables_html, "share/report/tables.html");
EMBED(head_html, "share/report/head.html");
EMBED(report_css, "share/report/report.css");
EMBED(report_js, "share/report/report.js");

static const char mark[] = "<!--nbscope:", mark_end[] = "-->";

static void
put_style(struct buf *b, const struct report *r)
{
	(void)r;
	buf_add(b, report_css, strlen(report_css));
}

/* What a page says of itself first (no network, above all), and its style. */
static void
put_head(struct buf *b, const struct report *r)
{
	buf_addf(b, "%s<style>\n", head_html);
	put_style(b, r);
	buf_addf(b, "</style>");
}

static void
put_script(struct buf *b, const struct report *r)
{
	(void)r;
	buf_add(b, report_js, strlen(report_js));
}

static void
put_book_title(struct buf *b, const struct report *r)
{
	/* Of all its runs, so without the number of one. */
	const struct result *v = &r->sum.v[r->book[r->book_now].shown];
	char *told = xstrdup(v->told), *at = strrchr(told, ' ');
	if (v->repetition > 1 && at && at[1] == '@')
		*at = '\0';
	put_text(b, told);
	free(told);
}

static void
put_book_status(struct buf *b, const struct report *r)
{
	const struct book *k = &r->book[r->book_now];
	bool good = !k->failed && !k->skipped;
	buf_addf(b, "<span class=\"badge %s\">", good ? "good" : "bad");
	put_text(b, r->sum.v[k->shown].status);
	if (k->n > 1)
		buf_addf(b, ", %zu of %zu runs", good ? k->n : k->failed + k->skipped, k->n);
	buf_addf(b, "</span>");
}

static void
put_book_params(struct buf *b, const struct report *r)
{
	const char *key;
	json_t *v, *params = r->sum.v[r->book[r->book_now].shown].params;
	static const char *const columns[] = {"parameter", "value", NULL};
	if (!json_object_size(params)) {
		buf_addf(b, "<p>It has no parameters.</p>\n");
		return;
	}
	put_table(b, "plain", "Parameters of this notebook", columns);
	json_object_foreach(params, key, v) {
		char *text = json_text_of(v);
		buf_addf(b, "<tr><th scope=\"row\">");
		put_text(b, key);
		buf_addf(b, "</th><td><code>");
		put_text(b, json_is_string(v) ? json_string_value(v) : text);
		buf_addf(b, "</code></td></tr>\n");
		free(text);
	}
	end_table(b);
}

/* Where a place may stand. */
enum { REPORT = 1 << THE_REPORT, PAGE = 1 << A_PAGE, INDEX = 1 << THE_INDEX, TABLES = 1 << THE_TABLES, ANYWHERE = REPORT | PAGE | INDEX | TABLES };

static const struct place {
	const char *name;
	report_put *put;
	unsigned where;
} places[] = {
	{"title", put_title, ANYWHERE}, {"head", put_head, ANYWHERE}, {"style", put_style, ANYWHERE}, {"script", put_script, ANYWHERE}, {"made", put_made, ANYWHERE},
	{"verdict", put_verdict, REPORT}, {"overview", put_overview, REPORT}, {"diagnosis", put_advice, REPORT}, {"spent", put_spent, REPORT},
	{"slowest", put_slowest, REPORT}, {"failures", put_failures, REPORT | PAGE}, {"comparison", put_comparison, REPORT},
	{"outliers", put_outliers, REPORT | TABLES}, {"scaling", put_scaling, REPORT}, {"figures", put_figures, REPORT | TABLES},
	{"notebooks", put_notebooks, REPORT}, {"cells", put_cells, REPORT}, {"data", put_data_json, REPORT},
	{"environment", put_environment, REPORT | PAGE}, {"calibration", put_calibration, REPORT}, {"method", put_method, REPORT | PAGE},
	{"links", put_links, REPORT | TABLES}, {"notebook", put_book_title, PAGE}, {"status", put_book_status, PAGE},
	{"params", put_book_params, PAGE}, {"reports", put_reports, INDEX}, {"timeline", put_waterfalls, PAGE},
	{"notebook-cells", put_page_cells, PAGE}, {"table-overview", put_table_overview, TABLES}, {"groups", put_groups, TABLES},
	{"check", put_check, TABLES}, {"largest", put_largest, TABLES},
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

void
xfill_template(struct buf *b, const char *template, const char *file, const struct report *r)
{
	static const char *const of[] = {"the report", "a notebook's page", "the index", "the tables"};
	const char *at = template, *next;
	for (; (next = strstr(at, mark)); at = strstr(next, mark_end) + strlen(mark_end)) {
		const char *name = next + strlen(mark), *end = strstr(name, mark_end);
		const struct place *p = places;
		buf_add(b, at, (size_t)(next - at));
		if (!end)
			die_at(template, next, file, "the mark of this place has no end (-->)");
		while (p < places + COUNT(places) && (strlen(p->name) != (size_t)(end - name) || strncmp(p->name, name, strlen(p->name)) != 0))
			p++;
		if (p == places + COUNT(places))
			die_at(template, next, file, xasprintf("no place '%.*s'", (int)(end - name), name));
		if (!(p->where >> r->now & 1u))
			die_at(template, next, file, xasprintf("'%s' is no place of %s", p->name, of[r->now]));
		p->put(b, r);
	}
	if (buf_add(b, at, strlen(at)) != 0)
		die(ST_SYSTEM, "a report of more than a gigabyte");
}
