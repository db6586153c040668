/* page.c: pages from templates: the files of share/report, which are inside of the program, and
 * the sections of a page. */
#include "page.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/nbscope.h"
#include "base/str.h"
#include "html.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All files, each after a line of a form feed and its name: mk/compile.mk. */
EMBED_STATIC(report_files, REPORT_FILES);
extern const char report_files[];

static const struct page {
	const char *as, *file, *word, *name;
} pages[] = {
	[PAGE_REPORT] = {"html", "report.html", "report", "the report"},
	[PAGE_NOTEBOOK] = {"", "notebook.html", "notebook", "a notebook's page"},
	[PAGE_INDEX] = {"index", "index.html", "index", "the index"},
	[PAGE_TABLES] = {"tables", "tables.html", "tables", "the tables"},
	[PAGE_METHODS] = {"methods", "methods.txt", "all", "the methods"},
};

enum page_kind
page_kind_of(const char *as)
{
	enum page_kind kind = PAGE_REPORT;
	while (kind < N_PAGES && (kind == PAGE_NOTEBOOK || strcmp(pages[kind].as, as) != 0))
		kind++;
	return kind;
}

/* What is written now. */
static enum page_kind kind_now;

static struct html_template *
read_files(size_t *n)
{
	struct html_template *list = NULL;
	size_t cap = 0;
	char *text = xstrdup(report_files), *file, *end;
	while ((file = strsep(&text, "\f"))) {
		if (!(end = strchr(file, '\n')))
			continue;
		*end = '\0';
		list = xgrow(list, *n, &cap, sizeof *list);
		bool raw = str_ends_with(file, ".css") || str_ends_with(file, ".js");
		list[(*n)++] = (struct html_template){file, end + 1, raw, NULL};
		/* A part has no line end, so that text can follow it. */
		if (strchr(file, '/') && *(end = strchr(end + 1, '\0') - 1) == '\n')
			*end = '\0';
	}
	return list;
}

/* NULL: there is no such file. */
static struct html_template *
file_named(const char *name)
{
	static struct html_template *files;
	static size_t n;
	files = files ? files : read_files(&n);
	for (size_t i = 0; i < n; i++)
		if (strcmp(files[i].file, name) == 0)
			return &files[i];
	return NULL;
}

struct html_template *
page_template(enum page_kind kind)
{
	return file_named(pages[kind].file);
}

/* A part begins with a comment on the pages on which it can be: {{! report index: WHAT }}, all. */
static bool
is_part_of(const struct html_template *t, enum page_kind kind)
{
	if (t->raw || strncmp(t->text, "{{! all", 7) == 0)
		return true;
	const char *word = strstr(t->text, pages[kind].word), *end = strpbrk(t->text, ":\n");
	return word && word < end;
}

static struct html_template *
part_named(const char *name, const char **reason)
{
	char file[300];
	snprintf(file, sizeof file, strchr(name, '.') ? "%s" : "section/%s.html", name);
	struct html_template *t = file_named(file);
	if (!t)
		*reason = xasprintf("unknown placeholder '%s'", name);
	else if (is_part_of(t, kind_now))
		return t;
	else
		*reason = xasprintf("'%s' is not a placeholder of %s", name, pages[kind_now].name);
	return NULL;
}

/* ---- sections ----------------------------------------------------------------------- */

/* <section id="ID"><h2>TITLE</h2>CONTENTS</section>: where its parts are. */
struct section {
	const char *begin, *id, *title, *contents, *end;
	int id_n, title_n;
};

static bool
find_section(const char *at, struct section *s)
{
	static const char begin[] = "<section id=\"", title[] = "\"><h2>", title_end[] = "</h2>",
	    close[] = "</section>";
	for (; (s->begin = strstr(at, begin)); at = s->id) {
		s->id = s->begin + strlen(begin);
		s->id_n = (int)strcspn(s->id, "\"");
		s->title = s->id + s->id_n + strlen(title);
		if (strncmp(s->id + s->id_n, title, strlen(title)) != 0)
			continue;
		s->contents = strstr(s->title, title_end);
		s->end = s->contents ? strstr(s->contents, close) : NULL;
		if (!s->end)
			return false;
		s->title_n = (int)(s->contents - s->title);
		s->contents += strlen(title_end);
		s->end += strlen(close);
		return true;
	}
	return false;
}

/* What a section says that contains only an empty paragraph; NULL: it contains more. */
static const char *
empty_text(const struct section *s, int *n)
{
	static const char begin[] = "<p class=\"empty\">", end[] = "</p>", blank[] = " \t\r\n";
	const char *from = s->contents + strspn(s->contents, blank), *to;
	if (strncmp(from, begin, strlen(begin)) != 0)
		return NULL;
	from += strlen(begin);
	to = strstr(from, end);
	*n = (int)(to - from);
	to += strlen(end);
	to += strspn(to, blank);
	return strncmp(to, "</section>", strlen("</section>")) == 0 ? from : NULL;
}

void
xpage_write(struct buf *b, enum page_kind kind, struct html_template *t, json_t *model)
{
	static const char nav_end[] = "</nav>";
	struct section s;
	struct buf page = {0}, nav = {0}, rest = {0};
	const char *at, *empty;
	int n;
	kind_now = kind;
	html_set_plain(kind == PAGE_METHODS);
	xtemplate_write(&page, t, model, part_named);
	for (at = page.p; find_section(at, &s); at = s.end) {
		buf_add(&rest, at, (size_t)(s.begin - at));
		if ((empty = empty_text(&s, &n))) {
			buf_addf(&rest, "<p class=\"folded\" id=\"%.*s\"><b>%.*s</b> %.*s</p>",
			    s.id_n, s.id, s.title_n, s.title, n, empty);
		} else {
			buf_addf(&nav, "<a href=\"#%.*s\">%.*s</a>\n", s.id_n, s.id, s.title_n,
			    s.title);
			buf_add(&rest, s.begin, (size_t)(s.end - s.begin));
		}
	}
	buf_add(&rest, at, strlen(at));
	html_set_plain(false);
	const char *links = strstr(rest.p, nav_end);
	size_t before = links ? (size_t)(links - rest.p) : 0;
	buf_add(b, rest.p, before);
	if (links)
		buf_add(b, nav.p, nav.n);
	buf_add(b, rest.p + before, rest.n - before);
	buf_free(&nav);
	buf_free(&rest);
	buf_free(&page);
}
