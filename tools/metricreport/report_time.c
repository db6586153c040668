/* report_time.c: where the time went: bars of phases, the slowest cells, a notebook's
 * timeline. */
#include "base/die.h"
#include "html.h"
#include "report_time.h"

#include <math.h>
#include <stdlib.h>

enum { BAR_UNITS = 1000, SLOWEST = 10, LEAST_UNITS = 2 };
#define UNATTRIBUTED_LEAST 0.005	/* of the client time: less is rounding */

static const struct { const char *class, *word, *means; } phase[PHASES] = {
	{"queue", "queue", "dispatch and queue: until the kernel started the cell"},
	{"kernel", "kernel", "the kernel executed the cell"},
	{"delivery", "delivery", "from the kernel's end until its answer arrived"},
	{"render", "render", "from the answer's arrival to the last visual change; hatched: it "
		"waited for the busy browser"},
};
/* Where the clock offset is too uncertain to separate queue and delivery. */
static const char together[] = "transport", together_means[] =
	"dispatch, queue and delivery: the clocks of page and kernel are too uncertain to separate "
	    "them";

static double
zero_if_unknown(double x)
{
	return isfinite(x) ? x : 0;
}

void
report_phase_values(const struct report *r, const struct spent *s, double part[PHASES])
{
	part[0] = r->apart ? s->wait : s->wait_delivery;
	part[1] = s->kernel;
	part[2] = r->apart ? s->delivery : 0;
	part[3] = s->render;
}

double
report_phases(const struct report *r, const struct spent *s, double part[PHASES])
{
	double sum = 0;
	report_phase_values(r, s, part);
	for (size_t i = 0; i < PHASES; i++)
		sum += part[i] = zero_if_unknown(part[i]);
	return sum;
}

static void
put_bar_title(struct buf *b, const struct report *r, const double part[PHASES], double all)
{
	const char *comma = "";
	for (size_t i = 0; i < PHASES; i++)
		if (part[i] > 0) {
			buf_addf(b, "%s%s %.3f s (%.0f %%)", comma, i == 0 && !r->apart ? together
			    : phase[i].word, part[i], 100 * part[i] / all);
			comma = ", ";
		}
	if (!*comma)
		buf_addf(b, "no time");
}

/* The part of render, which begins at from_s, in which the answer waited for the browser; NaN: too
 * small to be seen, or unknown. */
static double
seen_handling(const struct spent *s, double scale_s)
{
	double handling_s = fmin(zero_if_unknown(s->handling), zero_if_unknown(s->render));
	return BAR_UNITS * handling_s >= LEAST_UNITS * scale_s ? handling_s : (double)NAN;
}

static void
put_handling(struct buf *b, const struct spent *s, double from_s, double scale_s)
{
	double handling_s = seen_handling(s, scale_s);
	double x = BAR_UNITS * from_s / scale_s, width = BAR_UNITS * handling_s / scale_s;
	if (isnan(handling_s))
		return;
	buf_addf(b, "<g class=\"handling\"><title>%.3f s of render: the answer had arrived, but "
	    "waited for the busy browser</title><rect class=\"render\" x=\"%.2f\" "
	    "width=\"%.2f\" height=\"10\"/><path d=\"M%.2f 5h%.2f\"/></g>", handling_s, x, width,
	    x, width);
}

void
report_bar(struct buf *b, const struct report *r, const struct spent *s, double client_s,
    double from_s, double scale_s)
{
	double part[PHASES], all = report_phases(r, s, part), at = from_s;
	if (!(client_s > 0) || !(scale_s > 0)) {
		buf_addf(b, "<span class=\"none\">&ndash;</span>");
		return;
	}
	buf_addf(b, "<svg class=\"bar\" role=\"img\" viewBox=\"0 0 %d 10\" "
	    "preserveAspectRatio=\"none\"><title>", BAR_UNITS);
	put_bar_title(b, r, part, all);
	buf_addf(b, "</title>");
	for (size_t i = 0; i < PHASES; i++) {
		if (part[i] > 0)
			buf_addf(b, "<rect class=\"%s\" x=\"%.2f\" width=\"%.2f\" height=\"10\"/>",
			    i == 0 && !r->apart ? "transport" : phase[i].class,
			    BAR_UNITS * at / scale_s, BAR_UNITS * part[i] / scale_s);
		at += part[i];
	}
	put_handling(b, s, at - part[PHASES - 1], scale_s);
	buf_addf(b, "</svg>");
}

static void
put_legend(struct buf *b, bool split)
{
	buf_addf(b, "<ul class=\"legend\">");
	for (size_t i = 0; i < PHASES; i++)
		if (split || i != 2)
			buf_addf(b, "<li><span><i class=\"%s\"></i>%s</span></li> ", !split &&
			    i == 0 ? "transport" : phase[i].class, !split && i == 0 ? together
			    : phase[i].word);
	buf_addf(b, "</ul>\n");
}

/* ---- all cells together ------------------------------------------------------------- */

void
report_phases_table(struct buf *b, const struct report *r)
{
	struct spent all = {0};
	double part[PHASES], client_s = 0;
	bool split = r->apart;
	size_t n = 0;
	for (size_t i = 0; i < r->n_rows; i++) {
		const struct report_cell *c = &r->cells[r->row[i].shown];
		if (!(c->client_s > 0))
			continue;
		all.wait += zero_if_unknown(c->spent.wait);
		all.delivery += zero_if_unknown(c->spent.delivery);
		all.wait_delivery += zero_if_unknown(c->spent.wait_delivery);
		all.kernel += zero_if_unknown(c->spent.kernel);
		all.render += zero_if_unknown(c->spent.render);
		all.handling += zero_if_unknown(c->spent.handling);
		client_s += c->client_s;
		n++;
	}
	double sum = report_phases(r, &all, part);
	if (!n || !(sum > 0)) {
		buf_addf(b, "<p>No cell has a client time.</p>\n");
		return;
	}
	static const char *const columns[] = {"phase", "#seconds", "#share, %", "meaning", NULL};
	buf_addf(b, "<div class=\"whole\">");
	report_bar(b, r, &all, sum, 0, sum);
	buf_addf(b, "</div>\n");
	html_table(b, "plain", "All cells together, by phase", columns);
	for (size_t i = 0; i < PHASES; i++) {
		if (!split && i == 2)
			continue;
		const char *class = !split && i == 0 ? "transport" : phase[i].class;
		buf_addf(b, "<tr><th scope=\"row\" class=\"legend\"><span><i "
		    "class=\"%s\"></i>%s</span></th>", class, !split && i == 0 ? together
		    : phase[i].word);
		html_td_number(b, part[i], 3);
		html_td_number(b, 100 * part[i] / fmax(sum, client_s), 1);
		html_td_text(b, !split && i == 0 ? together_means : phase[i].means, "text");
		buf_addf(b, "</tr>\n");
	}
	if (client_s - sum > UNATTRIBUTED_LEAST * client_s) {
		buf_addf(b, "<tr><th scope=\"row\">unattributed</th>");
		html_td_number(b, client_s - sum, 3);
		html_td_number(b, 100 * (client_s - sum) / client_s, 1);
		html_td_text(b, "client time that the phases do not explain", "text");
		buf_addf(b, "</tr>\n");
	}
	html_table_end(b);
}

void
report_book_link(struct buf *b, const struct report *r, const struct book *k, long index,
    const char *text)
{
	char *anchor = html_anchor(k->name, index), *shown = text ? xstrdup(text)
	    : report_book_name(r, k);
	bool linked = r->pages && html_is_file_name(k->name);
	if (linked) {
		buf_addf(b, "<a href=\"%s/", r->pages);
		html_url(b, k->name);
		buf_addf(b, ".html%s%s\">", index ? "#" : "", index ? anchor : "");
	}
	html_text(b, shown);
	buf_addf(b, linked ? "</a>" : "");
	free(shown);
	free(anchor);
}

void
report_slowest(struct buf *b, const struct report *r)
{
	static const char *const columns[] =
	    {"#seconds", "cell", "phases", "first line", "diagnosis", NULL};
	size_t *at = report_by_time(r), n = r->n_rows < SLOWEST ? r->n_rows : SLOWEST;
	double most = n ? r->cells[r->row[at[0]].shown].client_s : NAN;
	if (!(most > 0)) {
		buf_addf(b, "<p>No cell has a client time.</p>\n");
		free(at);
		return;
	}
	put_legend(b, r->apart);
	html_table(b, "plain slow", "The slowest cells, on one scale; seconds are client time",
	    columns);
	for (size_t i = 0; i < n; i++) {
		const struct report_cell *c = &r->cells[r->row[at[i]].shown];
		if (!(c->client_s > 0))
			break;
		buf_addf(b, "<tr>");
		html_td_number(b, c->client_s, 3);
		buf_addf(b, "<th scope=\"row\">");
		report_book_link(b, r, &r->book[r->row[at[i]].book], c->index, NULL);
		buf_addf(b, ", cell&nbsp;%ld</th><td class=\"wide\">", c->index);
		report_bar(b, r, &c->spent, c->client_s, 0, most);
		buf_addf(b, "</td><td class=\"code\"><code>");
		html_text(b, c->line);
		buf_addf(b, "</code></td>");
		html_td_text(b, c->diagnosis, "why");
		buf_addf(b, "</tr>\n");
	}
	html_table_end(b);
	free(at);
}

/* ---- one notebook ------------------------------------------------------------------- */

/* From the first key press to the end of the last cell. */
static double
run_span(const struct report *r, const struct book *k, size_t result, double *from)
{
	double to = NAN;
	*from = NAN;
	for (size_t i = 0; i < k->cell_n; i++) {
		const struct report_cell *c = &r->cells[k->cell_first + i];
		if (c->result != result || !isfinite(c->t))
			continue;
		double end = c->t + zero_if_unknown(c->client_s);
		*from = *from <= c->t ? *from : c->t;
		to = to >= end ? to : end;
	}
	return to - *from;
}

static void
put_run_samples(struct buf *b, const struct report *r, const struct result *v)
{
	char *path = r->samples && html_is_file_name(v->name) ? v->repetition > 1
	    ? xasprintf("%s/%s@%ld.svg", r->samples, v->name, v->repetition)
	    : xasprintf("%s/%s.svg", r->samples, v->name) : NULL;
	struct buf data = {0};
	if (path && html_data(&data, path, "image/svg+xml", 8 << 20)) {
		buf_addf(b, "<figure class=\"picture\"><img alt=\"CPU, memory and I/O of kernel "
		    "and browser over the time of the notebook's cells\" src=\"%s\">", data.p);
		buf_addf(b, "<figcaption>Resources of the kernel and the browser, from the samples "
		    "of the run.</figcaption></figure>\n");
	} else {
		buf_addf(b, "<p>No samples: the run was not sampled, or its record is not "
		    "available.</p>\n");
	}
	buf_free(&data);
	free(path);
}

static void
put_waterfall(struct buf *b, const struct report *r, const struct book *k, size_t result)
{
	static const char *const columns[] =
	    {"cell", "first line", "#start, s", "#seconds", "timeline", NULL};
	const struct result *v = &r->sum.v[result];
	double from, scale = run_span(r, k, result, &from);
	char *caption = xasprintf("Timeline of run %ld", v->repetition > 0 ? v->repetition : 1);
	if (!(scale > 0)) {
		buf_addf(b, "<p>No cell of this run has a client time.</p>\n");
		free(caption);
		return;
	}
	html_table(b, "plain fall", caption, columns);
	free(caption);
	for (size_t i = 0; i < k->cell_n; i++) {
		const struct report_cell *c = &r->cells[k->cell_first + i];
		if (c->result != result || !(c->client_s > 0))
			continue;
		buf_addf(b, "<tr><th scope=\"row\">%ld</th><td class=\"code\"><code>", c->index);
		html_text(b, c->line);
		buf_addf(b, "</code></td>");
		html_td_number(b, c->t - from, 3);
		html_td_number(b, c->client_s, 3);
		buf_addf(b, "<td class=\"wide\">");
		report_bar(b, r, &c->spent, c->client_s, c->t - from, scale);
		buf_addf(b, "</td></tr>\n");
	}
	html_table_end(b);
}

void
report_timeline(struct buf *b, const struct report *r)
{
	const struct book *k = &r->book[r->book_now];
	put_legend(b, r->apart);
	for (size_t i = 0; i < k->n; i++) {
		const struct result *v = &r->sum.v[k->runs[i]];
		if (k->n > 1)
			buf_addf(b, "<details%s><summary>Run %ld: ", k->runs[i] == k->shown
			    ? " open" : "", v->repetition);
		if (k->n > 1) {
			html_text(b, v->status);
			if (isfinite(v->client_s))
				buf_addf(b, ", %.3f s", v->client_s);
			buf_addf(b, "</summary>\n");
		}
		put_waterfall(b, r, k, k->runs[i]);
		put_run_samples(b, r, v);
		if (k->n > 1)
			buf_addf(b, "</details>\n");
	}
}
