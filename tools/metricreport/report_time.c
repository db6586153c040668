/* report_time.c: where the time went: bars of phases, the slowest cells, a notebook's
 * timeline. */
#include "base/die.h"
#include "base/num.h"
#include "html.h"
#include "report_time.h"

#include <math.h>
#include <stdlib.h>

enum { BAR_UNITS = 1000, MIN_UNITS = 2 };
#define MIN_UNATTRIBUTED 0.005	/* of the client time: less is rounding */

/* Whether the cell spent time in it, and it is shown. */
static bool
has_phase(const struct report *r, const struct spent *s, enum phase k)
{
	return phase_is_shown(k, r->apart) && s->s[k] > 0;
}

static void
put_bar_title(struct buf *b, const struct report *r, const struct spent *s, double all)
{
	const char *comma = "";
	for (enum phase k = 0; k < N_PHASES; k++)
		if (has_phase(r, s, k)) {
			buf_addf(b, "%s%s %.3f s (%.0f %%)", comma, phase_defs[k].name, s->s[k],
			    100 * s->s[k] / all);
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
	double handling_s = fmin(num_or_0(s->handling_s), num_or_0(s->s[PHASE_RENDER]));
	return BAR_UNITS * handling_s >= MIN_UNITS * scale_s ? handling_s : (double)NAN;
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
	double at = from_s;
	if (!(client_s > 0) || !(scale_s > 0)) {
		buf_addf(b, "<span class=\"none\">&ndash;</span>");
		return;
	}
	buf_addf(b, "<svg class=\"bar\" role=\"img\" viewBox=\"0 0 %d 10\" "
	    "preserveAspectRatio=\"none\"><title>", BAR_UNITS);
	put_bar_title(b, r, s, phase_sum_s(s, r->apart));
	buf_addf(b, "</title>");
	for (enum phase k = 0; k < N_PHASES; k++)
		if (has_phase(r, s, k)) {
			buf_addf(b, "<rect class=\"%s\" x=\"%.2f\" width=\"%.2f\" height=\"10\"/>",
			    phase_defs[k].name, BAR_UNITS * at / scale_s,
			    BAR_UNITS * s->s[k] / scale_s);
			at += s->s[k];
		}
	put_handling(b, s, at - num_or_0(s->s[PHASE_RENDER]), scale_s);
	buf_addf(b, "</svg>");
}

void
report_legend(struct buf *b, bool split)
{
	buf_addf(b, "<ul class=\"legend\">");
	for (enum phase k = 0; k < N_PHASES; k++)
		if (phase_is_shown(k, split))
			buf_addf(b, "<li><span><i class=\"%s\"></i>%s</span></li> ",
			    phase_defs[k].name, phase_defs[k].name);
	buf_addf(b, "</ul>\n");
}

/* ---- all cells together ------------------------------------------------------------- */

struct spent
report_spent_of_all(const struct report *r, double *client_s, size_t *n)
{
	struct spent all = {0};
	*client_s = 0;
	*n = 0;
	for (size_t i = 0; i < r->n_rows; i++) {
		const struct report_cell *c = &r->cells[r->row[i].shown];
		if (!(c->client_s > 0))
			continue;
		for (size_t k = 0; k < N_PHASES; k++)
			all.s[k] += c->kernel_only ? c->spent.s[k] : num_or_0(c->spent.s[k]);
		all.handling_s += num_or_0(c->spent.handling_s);
		*client_s += c->client_s;
		++*n;
	}
	return all;
}

void
report_phases_table(struct buf *b, const struct report *r)
{
	double client_s;
	size_t n;
	struct spent all = report_spent_of_all(r, &client_s, &n);
	double sum = phase_sum_s(&all, r->apart);
	if (!n || !(sum > 0)) {
		html_empty(b, "No cell has a client time.");
		return;
	}
	char *client = html_metric_column(summary_time(&r->sum), "s");
	const char *const columns[] = {"phase", client, "#share, %", "meaning", NULL};
	buf_addf(b, "<div class=\"whole\">");
	report_bar(b, r, &all, sum, 0, sum);
	buf_addf(b, "</div>\n");
	html_table(b, "plain", "All cells together, by phase", columns);
	free(client);
	for (enum phase k = 0; k < N_PHASES; k++) {
		const struct phase_def *d = &phase_defs[k];
		if (!phase_is_shown(k, r->apart))
			continue;
		buf_addf(b, "<tr><th scope=\"row\" class=\"legend\"><span><i "
		    "class=\"%s\"></i>%s</span></th>", d->name, d->name);
		html_td_number(b, all.s[k], 3);
		html_td_number(b, 100 * all.s[k] / fmax(sum, client_s), 1);
		html_td_text(b, d->means, "text");
		buf_addf(b, "</tr>\n");
	}
	if (client_s - sum > MIN_UNATTRIBUTED * client_s) {
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
report_code_cell(struct buf *b, const struct report *r, const struct report_cell *c)
{
	bool linked = r->now == REPORT_PAGE;
	buf_addf(b, "<td class=\"code\">");
	if (linked)
		buf_addf(b, "<a href=\"#source-%ld\">", c->index);
	buf_addf(b, "<code>");
	html_text(b, c->line);
	buf_addf(b, "</code>%s</td>", linked ? "</a>" : "");
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
		double end = c->t + num_or_0(c->client_s);
		*from = *from <= c->t ? *from : c->t;
		to = to >= end ? to : end;
	}
	return to - *from;
}

static void
put_run_samples(struct buf *b, const struct report *r, const struct run_summary *v)
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
	const struct run_summary *v = &r->sum.v[result];
	double from, scale = run_span(r, k, result, &from);
	char *caption = xasprintf("Timeline of run %ld", v->repetition > 0 ? v->repetition : 1);
	if (!(scale > 0)) {
		buf_addf(b, "<p>No cell of this run has a client time.</p>\n");
		free(caption);
		return;
	}
	char *client = html_metric_column(summary_time(&r->sum), "s");
	const char *const columns[] =
	    {"cell", "first line", "#start, s", client, "timeline", NULL};
	html_table(b, "plain fall", caption, columns);
	free(caption);
	free(client);
	for (size_t i = 0; i < k->cell_n; i++) {
		const struct report_cell *c = &r->cells[k->cell_first + i];
		if (c->result != result || !(c->client_s > 0))
			continue;
		buf_addf(b, "<tr><th scope=\"row\">%ld</th>", c->index);
		report_code_cell(b, r, c);
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
	report_legend(b, r->apart);
	for (size_t i = 0; i < k->n; i++) {
		const struct run_summary *v = &r->sum.v[k->runs[i]];
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
