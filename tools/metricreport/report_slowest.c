/* report_slowest.c: the slowest cells, each once with what was on screen and its diagnosis; the
 * diagnoses of the other cells. */
#include "report_slowest.h"
#include "base/die.h"
#include "base/nbscope.h"
#include "html.h"
#include "report_picture.h"
#include "report_profile.h"
#include "report_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLOWEST = 8, MAX_DIAGNOSES = 12, MAX_EXAMINED = 2000, THUMBNAILS_BYTES = 1 << 20 };
#define MIN_SHARE 0.02	/* of the slowest cell's time */

/* The same cell in another notebook of a sweep. */
static bool
is_same_cell(const struct report_cell *c, const struct report_cell *d)
{
	return d->index == c->index && strcmp(d->id ? d->id : "", c->id ? c->id : "") == 0;
}

static const struct report_cell *
nth_cell(const struct report *r, const size_t *at, size_t i)
{
	return &r->cells[r->row[at[i]].shown];
}

/* Whether a slower row shows the same cell. */
static bool
is_shown_before(const struct report *r, const size_t *at, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (is_same_cell(nth_cell(r, at, k), nth_cell(r, at, i)))
			return true;
	return false;
}

/* The places in `at` of the slowest cells, each in the notebook in which it was slowest. */
static size_t
choose_slowest(const struct report *r, const size_t *at, size_t chosen[SLOWEST])
{
	size_t n = 0;
	double most = r->n_rows ? nth_cell(r, at, 0)->client_s : NAN;
	for (size_t i = 0; i < r->n_rows && i < MAX_EXAMINED && n < SLOWEST; i++) {
		if (!(nth_cell(r, at, i)->client_s > MIN_SHARE * most))
			break;
		if (!is_shown_before(r, at, i))
			chosen[n++] = i;
	}
	return n;
}

/* "0.4 s to 3.9 s in 11 other notebooks" */
static void
put_others(struct buf *b, const struct report *r, const size_t *at, size_t i)
{
	size_t n = 0;
	double least = NAN, most = NAN;
	for (size_t k = i + 1; k < r->n_rows; k++) {
		double s = nth_cell(r, at, k)->client_s;
		if (!(s > 0) || !is_same_cell(nth_cell(r, at, k), nth_cell(r, at, i)))
			continue;
		n++;
		least = least <= s ? least : s;
		most = most >= s ? most : s;
	}
	if (!n)
		return;
	buf_addf(b, "<p class=\"others\">");
	html_amount(b, least, "t_s");
	if (most > least) {
		buf_addf(b, " to ");
		html_amount(b, most, "t_s");
	}
	buf_addf(b, " in %zu other notebook%s</p>", n, n == 1 ? "" : "s");
}

static void
put_thumbnail(struct buf *b, const struct report *r, const struct book *k,
    const struct report_cell *c, struct picture_budget *budget)
{
	const struct run_summary *run;
	const char *file = report_picture_of(r, k, c, &run);
	char *about = xasprintf("What was on screen after cell %ld", c->index);
	buf_addf(b, "<div class=\"picture thumb\">");
	if (file)
		report_picture(b, r, run, file, about, budget);
	else
		buf_addf(b, "<span class=\"none\">No picture: the cell showed nothing.</span>");
	buf_addf(b, "</div>");
	free(about);
}

/* The first line, as a link to the whole source. */
static void
put_line(struct buf *b, const struct report *r, const struct book *k, const struct report_cell *c)
{
	bool linked = r->pages && html_is_file_name(k->name);
	buf_addf(b, "<p class=\"line\">");
	if (linked) {
		buf_addf(b, "<a href=\"%s/", r->pages);
		html_url(b, k->name);
		buf_addf(b, ".html#source-%ld\">", c->index);
	}
	buf_addf(b, "<code>");
	html_text(b, c->line);
	buf_addf(b, "</code>%s</p>", linked ? "</a>" : "");
}

static void
put_slow_cell(struct buf *b, const struct report *r, const size_t *at, size_t i, bool pictures,
    struct picture_budget *budget)
{
	const struct cell_row *row = &r->row[at[i]];
	const struct report_cell *c = &r->cells[row->shown];
	const struct book *k = &r->book[row->book];
	buf_addf(b, "<li>");
	if (pictures)
		put_thumbnail(b, r, k, c, budget);
	buf_addf(b, "<div class=\"about\"><h3><span class=\"amount\">");
	html_amount(b, c->client_s, "t_s");
	buf_addf(b, "</span> ");
	report_book_link(b, r, k, c->index, NULL);
	buf_addf(b, ", cell&nbsp;%ld", c->index);
	report_profile_link(b, r, k, c->index);
	buf_addf(b, "</h3>");
	put_line(b, r, k, c);
	report_bar(b, r, &c->spent, c->client_s, 0, nth_cell(r, at, 0)->client_s);
	if (c->diagnosis) {
		buf_addf(b, "<p class=\"why\">");
		html_text(b, c->diagnosis);
		buf_addf(b, "</p>");
	}
	put_others(b, r, at, i);
	buf_addf(b, "</div></li>\n");
}

void
report_slowest(struct buf *b, const struct report *r)
{
	size_t *at = report_by_time(r), chosen[SLOWEST], n = choose_slowest(r, at, chosen);
	struct picture_budget budget = {THUMBNAILS_BYTES};
	const struct run_summary *run;
	bool pictures = false;
	for (size_t i = 0; i < n && r->screenshots; i++)
		pictures |= report_picture_of(r, &r->book[r->row[at[chosen[i]]].book],
		    nth_cell(r, at, chosen[i]), &run) != NULL;
	if (!n)
		html_empty(b, "No cell has a client time.");
	else
		report_legend(b, r->apart);
	buf_addf(b, n ? "<ol class=\"worst\">\n" : "");
	for (size_t i = 0; i < n; i++)
		put_slow_cell(b, r, at, chosen[i], pictures, &budget);
	buf_addf(b, n ? "</ol>\n" : "");
	if (n && !pictures)
		buf_addf(b, "<p class=\"none\">With <code>SCREENSHOTS=1</code>, <code>make profile"
		    "</code> records what was on screen after each cell, and pictures are shown "
		    "here.</p>\n");
	free(at);
}

static bool
is_chosen(const size_t *chosen, size_t n, size_t i)
{
	for (size_t k = 0; k < n; k++)
		if (chosen[k] == i)
			return true;
	return false;
}

/* Each cell once; those among the slowest have theirs there. */
void
report_diagnosis(struct buf *b, const struct report *r)
{
	size_t *at = report_by_time(r), chosen[SLOWEST], n = choose_slowest(r, at, chosen);
	size_t shown = 0, slow = 0;
	for (size_t i = 0; i < r->n_rows && i < MAX_EXAMINED && shown < MAX_DIAGNOSES; i++) {
		const struct report_cell *c = nth_cell(r, at, i);
		slow += c->diagnosis && is_chosen(chosen, n, i);
		if (!c->diagnosis || is_shown_before(r, at, i) || is_chosen(chosen, n, i))
			continue;
		buf_addf(b, "%s<li>", shown++ ? "" : "<ul class=\"diagnosis\">\n");
		report_book_link(b, r, &r->book[r->row[at[i]].book], c->index, NULL);
		buf_addf(b, ", cell&nbsp;%ld <code>", c->index);
		html_text(b, c->line);
		buf_addf(b, "</code>, ");
		html_amount(b, c->client_s, "t_s");
		buf_addf(b, ": ");
		html_text(b, c->diagnosis);
		buf_addf(b, "</li>\n");
	}
	if (shown)
		buf_addf(b, "</ul>\n");
	else
		html_empty(b, slow ? "None: no rule of nbscope-metrics(7) applies to another cell."
		    : "None: no rule of nbscope-metrics(7) applies to any cell.");
	free(at);
}
