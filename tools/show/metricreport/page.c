/* page.c: pages from templates: the files of share/report, which are inside of the program, and
 * the sections of a page. */
#include "page.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/str.h"
#include "html.h"

#include <stdio.h>

/* All files, each after a line of a form feed and its name: mk/compile.mk. */
EMBED_STATIC(report_files, OBJ_DIR "report.txt");
extern const char report_files[];

static const struct page {
	const char *as, *file, *word, *name;
} pages[] = {
	[PAGE_REPORT] = {"html", "report.html", "report", "the report"},
	[PAGE_NOTEBOOK] = {"", "notebook.html", "notebook", "a notebook's page"},
	[PAGE_INDEX] = {"index", "index.html", "index", "the index"},
	[PAGE_HISTORY] = {"history", "history.html", "history", "the history"},
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
	char *text = xstrdup(report_files), *file, *end;
	while ((file = strsep(&text, "\f"))) {
		if (!(end = strchr(file, '\n')))
			continue;
		*end = '\0';
		bool raw = !str_ends_with(file, ".html") && !str_ends_with(file, ".txt");
		*XAPPEND(list, *n) = (struct html_template){file, end + 1, raw, NULL};
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

const char *
page_file(const char *name)
{
	return file_named(name)->text;
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

/* Moves text of a page towards its begin, where empty sections left space; returns its end. */
static char *
move_text(char *to, const char *from, size_t n)
{
	memmove(to, from, n);
	return to + n;
}

/* Moves one <section id="ID"><h2>TITLE</h2>CONTENTS</section> and adds its link; or, if it contains
 * only an empty paragraph, writes one line, which is shorter.  Returns its end; NULL: it is another
 * section. */
static const char *
move_section(char **to, struct buf *nav, const char *s)
{
	static const char close[] = "</section>", close_empty[] = "</p>";
	int id = 0, id_end = 0, title = 0, title_end = 0, empty = 0;
	sscanf(s, "<section id=\"%n%*[^\"]%n\"><h2>%n%*[^<]%n</h2> <p class=\"empty\">%n", &id,
	    &id_end, &title, &title_end, &empty);
	const char *end = strstr(s, close), *last = empty ? strstr(s + empty, close_empty) : NULL;
	if (!title_end || strncmp(s + title_end, "</h2>", 5) != 0 || !end)
		return NULL;
	const char *after = last ? last + strlen(close_empty) : s;
	end += strlen(close);
	if (after + strspn(after, " \t\r\n") + strlen(close) == end) {
		char *line = xasprintf("<p class=\"folded\" id=\"%.*s\"><b>%.*s</b> %.*s</p>",
		    id_end - id, s + id, title_end - title, s + title,
		    (int)(last - s) - empty, s + empty);
		*to = move_text(*to, line, strlen(line));
		free(line);
	} else {
		buf_addf(nav, "<a href=\"#%.*s\">%.*s</a>\n", id_end - id, s + id,
		    title_end - title, s + title);
		*to = move_text(*to, s, (size_t)(end - s));
	}
	return end;
}

void
xpage_write(struct buf *b, enum page_kind kind, struct html_template *t, json_t *model)
{
	struct buf nav = {0};
	kind_now = kind;
	html_set_plain(kind == PAGE_METHODS);
	xtemplate_write(b, t, model, part_named);
	html_set_plain(false);
	char *to = b->p, *links;
	const char *at = to, *from, *end;
	for (; (from = strstr(at, "<section id=")); at = end) {
		to = move_text(to, at, (size_t)(from - at));
		end = move_section(&to, &nav, from);
		if (!end)
			to = move_text(to, from, (size_t)((end = from + 1) - from));
	}
	b->n = (size_t)(move_text(to, at, strlen(at) + 1) - 1 - b->p);
	if ((links = strstr(b->p, "</nav>")) && nav.n) {
		size_t before = (size_t)(links - b->p), n = b->n;
		buf_add(b, nav.p, nav.n);
		memmove(b->p + before + nav.n, b->p + before, n - before);
		memcpy(b->p + before, nav.p, nav.n);
	}
	buf_free(&nav);
}
