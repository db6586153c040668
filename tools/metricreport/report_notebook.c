/* report_notebook.c: the page of one notebook: what was on screen, and the cells' sources. */
#include "report_notebook.h"
#include "base/die.h"
#include "base/nbscope.h"
#include "html.h"
#include "json/json_value.h"
#include "report_picture.h"
#include "report_profile.h"
#include "report_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STRIP_BYTES = 3 << 20, MAX_FRAMES = 120, SOURCE_BYTES = 200000 };

static const struct book *
book_now(const struct report *r)
{
	return &r->book[r->book_now];
}

void
report_notebook_overview(struct buf *b, const struct report *r)
{
	const struct book *k = book_now(r);
	const struct run_summary *v = &r->sum.v[k->shown];
	double all = phase_sum_s(&v->spent, r->apart);
	char *cells = summary_cells_text(v);
	buf_addf(b, "<p class=\"lead\">");
	if (isfinite(v->client_s)) {
		html_amount(b, v->client_s, "t_s");
		buf_addf(b, " of %s, ", metric_catalogue[summary_time(&r->sum)].title);
	}
	buf_addf(b, "%s cells", cells);
	if (k->n > 1 && isfinite(k->least_s))
		buf_addf(b, "; the median of %zu runs, %.3f to %.3f s", k->n, k->least_s,
		    k->most_s);
	if (k->film != NO_FILM && isfinite(r->sum.v[k->film].speed_index_s))
		buf_addf(b, "; %s %.3f s", metric_catalogue[M_speed_index_s].title,
		    r->sum.v[k->film].speed_index_s);
	buf_addf(b, "</p>\n");
	free(cells);
	if (!(all > 0) || !(v->client_s > 0))
		return;
	buf_addf(b, "<div class=\"whole\">");
	report_bar(b, r, &v->spent, v->client_s, 0, fmax(all, v->client_s));
	buf_addf(b, "</div>\n");
}

/* ---- what was on screen --------------------------------------------------------------- */

struct strip {
	struct buf *b;
	const struct report *r;
	const struct run_summary *run;
	struct picture_budget budget;
	size_t n;
};

static void
put_frame(struct strip *s, const struct report_cell *c, const char *file, double at_s, bool last)
{
	struct buf *b = s->b;
	if (!file || s->n == MAX_FRAMES)
		return;
	char *about = xasprintf("What was on screen %s%ld, %.1f s after the notebook's start",
	    last ? "after cell " : "during cell ", c->index, at_s);
	buf_addf(b, s->n++ ? "" : "<ol class=\"strip\" tabindex=\"0\" role=\"list\" "
	    "aria-label=\"What was on screen, in order of time\">\n");
	buf_addf(b, "<li%s><figure class=\"picture\"><div class=\"frame\">", last ?
	    " class=\"last\"" : "");
	report_picture(b, s->r, s->run, file, about, &s->budget);
	buf_addf(b, "</div><figcaption><b>%.1f s</b> <a href=\"#source-%ld\">cell&nbsp;%ld</a>"
	    "</figcaption></figure></li>\n", at_s, c->index, c->index);
	free(about);
}

/* A cell's first frame is the last one of the cell before. */
static void
put_film_frames(struct strip *s, const struct report_cell *c, double from_t)
{
	size_t i, n = json_array_size(c->frames);
	json_t *f;
	json_array_foreach(c->frames, i, f)
		if (i || !s->n)
			put_frame(s, c, json_string_value(json_object_get(f, "file")), c->t -
			    from_t + json_value_real_at(f, "after_s"), i + 1 == n);
}

static double
first_t(const struct report *r, const struct book *k, size_t result)
{
	double t = NAN;
	for (size_t i = k->cell_first; i < k->cell_first + k->cell_n; i++)
		if (r->cells[i].result == result)
			t = t <= r->cells[i].t ? t : r->cells[i].t;
	return t;
}

/* The film, or the screenshots of the run that is shown. */
void
report_strip(struct buf *b, const struct report *r)
{
	const struct book *k = book_now(r);
	bool film = k->film != NO_FILM;
	size_t result = film ? k->film : k->shown;
	double from_t = first_t(r, k, result);
	struct strip s = {b, r, &r->sum.v[result], {STRIP_BYTES}, 0};
	for (size_t i = 0; i < k->rows && r->screenshots; i++) {
		const struct report_cell *c = report_cell_of(r, k, result,
		    r->cells[r->row[k->first + i].shown].index);
		if (!c || !isfinite(c->t))
			continue;
		if (film)
			put_film_frames(&s, c, from_t);
		else
			put_frame(&s, c, c->screenshot, c->t - from_t + (c->client_s > 0 ?
			    c->client_s : 0), true);
	}
	if (!s.n) {
		html_empty(b, "No pictures: <code>make profile SCREENSHOTS=1</code> records what "
		    "was on screen after each cell, <code>SCREENSHOTS=film</code> also how it "
		    "appeared.");
		return;
	}
	buf_addf(b, "</ol>\n<p class=\"none\">%s</p>\n", film ? "Frames of a filmed run, whose "
	    "times are longer than those of the tables; a frame with a thick border is the last "
	    "of its cell." : "The output after each cell, with the time since the first key "
	    "press.");
}

/* ---- sources --------------------------------------------------------------------------- */

static void
put_outputs(struct buf *b, const struct report_cell *c)
{
	if (!isfinite(c->outputs)) {
		buf_addf(b, "outputs unknown");
	} else if (!(c->outputs > 0)) {
		buf_addf(b, "no output");
	} else {
		buf_addf(b, "%.0f output%s", c->outputs, c->outputs > 1 ? "s" : "");
		if (isfinite(c->outputs_bytes)) {
			buf_addf(b, ", ");
			html_amount(b, c->outputs_bytes, "n_bytes");
		}
	}
}

static void
put_source(struct buf *b, const struct report *r, const struct book *k,
    const struct report_cell *c)
{
	char *anchor = html_anchor(k->name, c->index);
	buf_addf(b, "<article class=\"cell\" id=\"source-%ld\"><h3>Cell %ld", c->index, c->index);
	if (c->client_s > 0) {
		buf_addf(b, " <span class=\"amount\">");
		html_amount(b, c->client_s, "t_s");
		buf_addf(b, "</span>");
	}
	buf_addf(b, "</h3>");
	if (c->source && *c->source) {
		buf_addf(b, "<pre tabindex=\"0\"><code>");
		html_text_cut(b, c->source, SOURCE_BYTES);
		buf_addf(b, "</code></pre>");
	} else {
		buf_addf(b, "<p class=\"none\">%s</p>", c->source ? "The cell is empty."
		    : "The run has no record of the cell's source.");
	}
	buf_addf(b, "<p class=\"meta\">");
	put_outputs(b, c);
	buf_addf(b, "; <a href=\"#%s\">times of cell %ld</a>", anchor, c->index);
	report_profile_link(b, r, k, c->index);
	buf_addf(b, "</p></article>\n");
	free(anchor);
}

void
report_sources(struct buf *b, const struct report *r)
{
	const struct book *k = book_now(r);
	if (!k->rows)
		html_empty(b, "No cells.");
	const char *heading = NULL;
	for (size_t i = 0; i < k->rows; i++) {
		const struct report_cell *c = &r->cells[r->row[k->first + i].shown];
		if (c->heading && (!heading || strcmp(c->heading, heading) != 0)) {
			buf_addf(b, "<h3 class=\"part\">");
			html_text(b, c->heading);
			buf_addf(b, "</h3>\n");
		}
		heading = c->heading;
		put_source(b, r, k, c);
	}
}
