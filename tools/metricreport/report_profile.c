/* report_profile.c: what profilers found in the cells of notebooks: where the time and the memory
 * went, by function and by line. */
#include "report_profile.h"
#include "base/die.h"
#include "html.h"
#include "profile/profile_hot.h"
#include "profile/profile_order.h"
#include "profile/profile_place.h"
#include "profile/profile_text.h"
#include "report_flame.h"
#include "report_profile_files.h"
#include "text/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOP_FUNCTIONS = 15, MAX_CODES = 12, MAX_CODE_LINES = 1000, TOP_ALLOCATIONS = 10 };

static struct profile_fold profiles;

static void
read_profile_record(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	profile_fold_read(&profiles, s, in);
}

void
xreport_profile_read(struct report *r, const char *path)
{
	char *list[] = {(char *)(uintptr_t)path, NULL};
	xscan_files(list, read_profile_record);
	profile_fold_finish(&profiles);
	r->profiles = &profiles;
}

/* ---- which cell has which profile ------------------------------------------------------ */

static bool
is_profile_of(const struct report *r, const struct profile_cell *c, const struct book *k)
{
	bool known = false;
	if (c->usecase && r->sum.usecase && strcmp(c->usecase, r->sum.usecase) != 0)
		return false;
	for (size_t i = 0; i < c->n_passes; i++) {
		known |= c->passes[i].names != NULL;
		if (json_object_get(c->passes[i].names, k->name))
			return true;
	}
	return !known;
}

static const struct profile_cell *
profile_of(const struct report *r, const struct book *k, long index)
{
	for (size_t i = 0; r->profiles && index && i < r->profiles->n; i++)
		if (r->profiles->cells[i].index == index &&
		    is_profile_of(r, &r->profiles->cells[i], k))
			return &r->profiles->cells[i];
	return NULL;
}

/* The notebook itself, or else the first one with a profile of this cell; NULL: there is none. */
static const struct book *
book_with_profile(const struct report *r, const struct book *k, long index)
{
	if (profile_of(r, k, index))
		return k;
	for (size_t i = 0; i < r->n_books; i++)
		if (profile_of(r, &r->book[i], index))
			return &r->book[i];
	return NULL;
}

void
report_profile_link(struct buf *b, const struct report *r, const struct book *k, long index)
{
	const struct book *at = book_with_profile(r, k, index);
	bool paged = r->pages && at && html_is_file_name(at->name);
	if (!at || (!paged && r->now == REPORT_PAGE))
		return;
	buf_addf(b, "; <a href=\"");
	if (r->now == REPORT_PAGE ? at != &r->book[r->book_now] : paged) {
		if (r->now != REPORT_PAGE)
			buf_addf(b, "%s/", r->pages);
		html_url(b, at->name);
		buf_addf(b, ".html");
	}
	buf_addf(b, "#profile-%ld\">", index);
	if (at == k) {
		buf_addf(b, "its profile");
	} else {
		char *name = report_book_name(r, at);
		buf_addf(b, "its profile in ");
		html_text(b, name);
		free(name);
	}
	buf_addf(b, "</a>");
}

/* ---- functions --------------------------------------------------------------------- */

static int
by_own_time(const void *pa, const void *pb)
{
	const struct profile_function *a = *(const struct profile_function *const *)pa;
	const struct profile_function *b = *(const struct profile_function *const *)pb;
	return a->own_s < b->own_s ? 1 : a->own_s > b->own_s ? -1 : (a > b) - (a < b);
}

static void
put_count(struct buf *b, double count)
{
	if (!(count > 0)) {
		html_td_number(b, NAN, 0);
		return;
	}
	buf_addf(b, "<td class=\"n\">");
	profile_text_count(b, count);
	buf_addf(b, "</td>");
}

static void
put_place(struct buf *b, const char *file, long line, const char *function)
{
	struct buf place = {0};
	profile_text_place(&place, file, line, function);
	buf_addf(b, "<th scope=\"row\"><code>");
	html_text(b, place.p);
	buf_addf(b, "</code></th>");
	buf_free(&place);
}

static void
put_functions(struct buf *b, const struct profile_cell *c)
{
	static const char *const columns[] =
	    {"function", "#calls", "#own, s", "#cumulative, s", NULL};
	const struct profile_function **list = xmalloc((c->n_functions + 1) * sizeof(*list));
	for (size_t i = 0; i < c->n_functions; i++)
		list[i] = &c->functions[i];
	qsort(list, c->n_functions, sizeof(*list), by_own_time);
	char *caption = xasprintf("Functions of cell %ld by own time", c->index);
	if (c->n_functions)
		html_table(b, "plain", caption, columns);
	for (size_t i = 0; i < c->n_functions && i < TOP_FUNCTIONS; i++) {
		buf_addf(b, "<tr>");
		put_place(b, list[i]->file, list[i]->line, list[i]->function);
		put_count(b, list[i]->calls);
		html_td_number(b, list[i]->own_s, 3);
		html_td_number(b, list[i]->cumulative_s, 3);
		buf_addf(b, "</tr>\n");
	}
	if (c->n_functions) {
		html_table_end(b);
		html_more(b, c->n_functions, TOP_FUNCTIONS, "<code>runprofile</code> lists them");
	}
	free(caption);
	free(list);
}

/* ---- lines ------------------------------------------------------------------------- */

static void
put_code_line(struct buf *b, const struct profile_line *l, double all_s)
{
	double pct = all_s > 0 ? 100 * fmin(l->time_s / all_s, 1) : 0;
	if (pct >= 0.5)
		buf_addf(b, "<tr style=\"--heat:%.0f%%\">", pct);
	else
		buf_addf(b, "<tr>");
	buf_addf(b, "<td class=\"n\">%ld</td>", l->line);
	if (l->hits > 0) {
		put_count(b, l->hits);
		html_td_number(b, 1e3 * l->time_s, 3);
		html_td_number(b, pct, 1);
	} else {
		buf_addf(b, "<td></td><td></td><td></td>");
	}
	buf_addf(b, "<td><code>");
	html_text(b, l->source);
	buf_addf(b, "</code></td></tr>\n");
}

static void
put_code(struct buf *b, const struct profile_code *code, double all_s, bool open)
{
	static const char *const columns[] =
	    {"#line", "#hits", "#time, ms", "#% of the cell", "source", NULL};
	struct buf place = {0};
	size_t n = code->n_lines < MAX_CODE_LINES ? code->n_lines : MAX_CODE_LINES;
	profile_text_place(&place, code->file, code->first_line, code->function);
	buf_addf(b, "<details%s><summary><code>", open ? " open" : "");
	html_text(b, place.p);
	buf_addf(b, "</code> <span class=\"meta\">%.3f s</span></summary>\n", code->time_s);
	html_table(b, "lines", "Hits are exact, times under line profiling are not. The time of a "
	    "line includes what it calls.", columns);
	for (size_t i = 0; i < n; i++)
		put_code_line(b, &code->lines[i], all_s);
	html_table_end(b);
	html_more(b, code->n_lines, n, "<code>runprofile</code> lists them");
	buf_addf(b, "</details>\n");
	buf_free(&place);
}

/* The cell itself and the function with the line that takes most of its time are open. */
static void
put_codes(struct buf *b, const struct profile_cell *c)
{
	size_t n;
	const struct profile_code **list = profile_order_codes(c, &n), *hot = NULL;
	double longest_s = 0;
	for (size_t i = 0; i < n; i++)
		longest_s = fmax(longest_s, list[i]->time_s);
	double all_s = profile_fold_wall_s(c, "lines", longest_s);
	profile_hot_line(c, &hot);
	for (size_t i = 0; i < n && i < MAX_CODES; i++)
		put_code(b, list[i], all_s, list[i] == hot ||
		    strcmp(list[i]->file, list[i]->function) == 0);
	html_more(b, n, MAX_CODES, "<code>runprofile</code> lists them");
	free(list);
}

/* ---- memory ------------------------------------------------------------------------ */

static void
put_allocations(struct buf *b, const struct profile_cell *c, bool at_end, double total_bytes)
{
	static const char *const columns[] = {"line", "#MB", "#allocations", NULL};
	size_t n;
	const struct profile_allocation **list = profile_order_allocations(c, at_end, &n);
	struct buf caption = {0};
	buf_addf(&caption, at_end ? "Still allocated after the cell" : "Allocated at the peak");
	if (isfinite(total_bytes)) {
		buf_addf(&caption, ": ");
		unit_bytes(&caption, total_bytes, 1);
	}
	if (!n && isfinite(total_bytes))
		buf_addf(b, "<p>%s</p>\n", caption.p);
	if (n)
		html_table(b, "plain", caption.p, columns);
	for (size_t i = 0; i < n && i < TOP_ALLOCATIONS; i++) {
		buf_addf(b, "<tr>");
		put_place(b, list[i]->file, list[i]->line, list[i]->function);
		html_td_number(b, list[i]->bytes / 1e6, 3);
		put_count(b, list[i]->allocations);
		buf_addf(b, "</tr>\n");
	}
	if (n) {
		html_table_end(b);
		html_more(b, n, TOP_ALLOCATIONS, "<code>runprofile</code> lists them");
	}
	buf_free(&caption);
	free(list);
}

/* ---- cells ------------------------------------------------------------------------- */

static void
put_sentence(struct buf *b, const struct profile_cell *c)
{
	char *sentence = profile_hot_sentence(c);
	html_text(b, sentence);
	free(sentence);
}

static void
put_passes(struct buf *b, const struct profile_cell *c)
{
	buf_addf(b, "<ul class=\"meta\">");
	for (size_t i = 0; i < c->n_passes; i++) {
		struct buf text = {0};
		profile_text_pass(&text, &c->passes[i]);
		buf_addf(b, "<li>");
		html_text(b, text.p);
		buf_addf(b, "</li>");
		buf_free(&text);
	}
	buf_addf(b, "</ul>\n");
}

static void
put_files(struct buf *b, const struct report *r, const struct profile_cell *c)
{
	for (size_t i = 0; i < r->n_books; i++)
		if (is_profile_of(r, c, &r->book[i]) &&
		    (r->now != REPORT_PAGE || i == r->book_now))
			report_profile_files(b, r, r->book[i].name, c);
}

static void
put_profile(struct buf *b, const struct report *r, const struct profile_cell *c)
{
	const struct profile_pass *memory = profile_fold_pass(c, "memory");
	char *packages = profile_hot_packages(c);
	buf_addf(b, "<article class=\"cell profile\" id=\"profile-%ld%s\"><h3>Cell %ld%s <code>",
	    c->index, c->page ? "-page" : "", c->index, c->page ? " in the page" : "");
	html_text(b, c->first_line);
	buf_addf(b, "</code></h3><p class=\"lead\">");
	put_sentence(b, c);
	buf_addf(b, "</p>\n<p class=\"meta\">");
	html_text(b, packages);
	buf_addf(b, "</p>\n");
	free(packages);
	report_flame(b, c);
	put_codes(b, c);
	put_functions(b, c);
	put_allocations(b, c, false, memory ? memory->peak_bytes : (double)NAN);
	put_allocations(b, c, true, memory ? memory->end_bytes : (double)NAN);
	put_passes(b, c);
	put_files(b, r, c);
	buf_addf(b, "</article>\n");
}

/* In the report, a sentence for each cell; its profile is on a page. */
static void
put_sentences(struct buf *b, const struct report *r, const struct profile_cell *c)
{
	const struct book *k = NULL;
	for (size_t i = 0; !k && i < r->n_books; i++)
		if (is_profile_of(r, c, &r->book[i]) && html_is_file_name(r->book[i].name))
			k = &r->book[i];
	buf_addf(b, "<li>");
	put_sentence(b, c);
	if (k)
		report_profile_link(b, r, k, c->index);
	buf_addf(b, "</li>\n");
}

void
report_profiles(struct buf *b, const struct report *r)
{
	size_t n = 0;
	bool list = r->now == REPORT_MAIN && r->pages;
	for (size_t i = 0; r->profiles && i < r->profiles->n; i++) {
		const struct profile_cell *c = &r->profiles->cells[i];
		if (!c->index || (r->now == REPORT_PAGE &&
		    !is_profile_of(r, c, &r->book[r->book_now])))
			continue;
		buf_addf(b, list && !n ? "<ul>\n" : "");
		n++;
		if (list)
			put_sentences(b, r, c);
		else
			put_profile(b, r, c);
	}
	buf_addf(b, list && n ? "</ul>\n" : "");
	if (!n)
		html_empty(b, "No cell was profiled: <code>make explain</code> shows which "
		    "functions and lines take the time.");
}
