/* report_headings.c: the time of cells by the headings of their notebooks. */
#include "report_headings.h"
#include "html.h"
#include "metric/heading_times.h"

#include <stdlib.h>

static void
put_heading_row(struct buf *b, const struct heading_time *t, double whole)
{
	json_t *row = json_pack("{s:f, s:f}", "t", t->client_s, "share",
	    100 * t->client_s / whole);
	buf_addf(b, "<tr><th scope=\"row\">");
	html_text(b, *t->heading ? t->heading : "(above the first heading)");
	buf_addf(b, "</th>");
	html_td_number(b, (double)t->cells, 0);
	html_td_amount(b, row, "t", "t_s");
	html_td_amount(b, row, "share", "share_pct");
	buf_addf(b, "</tr>\n");
	json_decref(row);
}

/* On a notebook's page its own; else of all notebooks, of each the run that is shown. */
void
report_headings(struct buf *b, const struct report *r)
{
	char *client = html_metric_column(M_client_execution_time_metric, NULL);
	const char *const columns[] = {"heading", "#cells", client, "#share", NULL};
	struct heading_times all = {0};
	for (size_t i = 0; i < r->n_books; i++)
		if (r->now != REPORT_PAGE || i == r->book_now)
			heading_times_add(&all, &r->sum.v[r->book[i].shown].headings);
	double whole = heading_times_sum(&all);
	if (all.n > 1) {
		html_table(b, "live", r->now == REPORT_PAGE || r->n_books == 1 ?
		    "Cells below each heading of the notebook" :
		    "Cells below each heading, of all notebooks", columns);
		for (size_t i = 0; i < all.n; i++)
			put_heading_row(b, &all.v[i], whole);
		html_table_end(b);
	} else {
		html_empty(b,
		    "All cells that have a time are below the same heading, or below none.");
	}
	heading_times_free(&all);
	free(client);
}
