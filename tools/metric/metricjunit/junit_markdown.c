/* junit_markdown.c: the suites as a summary for a pull request's comment. */
#include "junit_markdown.h"
#include "base/die.h"
#include "junit.h"
#include "text/markup.h"
#include "text/text.h"
#include "text/unit.h"

/* One line of at most `columns`, in which nothing is markup, a mention or a link. */
static void
put_plain_text(struct buf *b, const char *text, size_t columns)
{
	struct buf line = {0};
	text_show(&line, text, columns);
	markup_markdown(b, line.p ? line.p : "", true);
	buf_free(&line);
}

static void
put_row_start(struct buf *b, const struct junit_suite *u, const struct junit_case *k)
{
	char *notebook = junit_suite_shown(u), *cell = junit_case_name(k);
	buf_addf(b, "| ");
	put_plain_text(b, notebook, 180);
	buf_addf(b, " | %s | ", cell);
	free(notebook);
	free(cell);
}

static void
put_failures(struct buf *b, size_t bad, size_t most)
{
	size_t shown = 0;
	buf_addf(b, "\n| notebook | cell | status | reason |\n|---|---|---|---|\n");
	for (size_t i = 0; i < junit_n; i++) {
		for (size_t n = 0; n < junit_suites[i].n && shown < most; n++) {
			const struct junit_case *k = &junit_suites[i].cases[n];
			if (k->outcome != CELL_AT_FAULT && k->outcome != CELL_BROKEN)
				continue;
			shown++;
			put_row_start(b, &junit_suites[i], k);
			put_plain_text(b, k->status, 40);
			buf_addf(b, " | ");
			put_plain_text(b, k->error ? k->error : "", 60);
			buf_addf(b, "%s", k->error && k->text ? ": " : "");
			put_plain_text(b, k->text ? k->text : "", 160);
			buf_addf(b, " |\n");
		}
	}
	if (shown < bad)
		buf_addf(b, "\n%zu more did not complete.\n", bad - shown);
}

struct ranked_case {
	const struct junit_suite *u;
	const struct junit_case *k;
};

static int
compare_seconds(const void *a, const void *b)
{
	const struct ranked_case *x = a, *y = b;
	return (x->k->seconds < y->k->seconds) - (x->k->seconds > y->k->seconds);
}

static void
put_slowest(struct buf *b, size_t cells)
{
	enum { SLOWEST = 5 };
	struct ranked_case *p = xmalloc((cells + 1) * sizeof *p);
	size_t n = 0;
	for (const struct junit_suite *u = junit_suites; u < junit_suites + junit_n; u++)
		for (const struct junit_case *k = u->cases; k < u->cases + u->n; k++)
			if (k->index > 0 && isfinite(k->seconds))
				p[n++] = (struct ranked_case){u, k};
	qsort(p, n, sizeof *p, compare_seconds);
	if (n)
		buf_addf(b, "\n<details><summary>Slowest cells</summary>\n\n"
		    "| notebook | cell | client time | code |\n|---|---|---:|---|\n");
	for (size_t i = 0; i < n && i < SLOWEST; i++) {
		put_row_start(b, p[i].u, p[i].k);
		buf_addf(b, "%s | ", unit_time(p[i].k->seconds).p);
		put_plain_text(b, p[i].k->source ? p[i].k->source : "", 80);
		buf_addf(b, " |\n");
	}
	if (n)
		buf_addf(b, "\n</details>\n");
	free(p);
}

void
junit_markdown(struct buf *b, const char *title, size_t most)
{
	struct junit_count c = {0};
	for (size_t i = 0; i < junit_n; i++)
		junit_count_cases(&c, &junit_suites[i]);
	size_t bad = c.of[CELL_AT_FAULT] + c.of[CELL_BROKEN];
	buf_addf(b, "### ");
	put_plain_text(b, title, 100);
	if (!c.all)
		buf_addf(b, ": nothing ran\n");
	else if (bad)
		buf_addf(b, ": %zu of %zu cells did not complete\n", bad, c.all);
	else
		buf_addf(b, ": all cells that ran completed\n");
	buf_addf(b, "\n%zu notebook run%s, %zu cell%s, %zu completed, %zu skipped or not run, ",
	    junit_n, junit_n == 1 ? "" : "s", c.all, c.all == 1 ? "" : "s", c.of[CELL_PASSED],
	    c.of[CELL_LEFT_OUT]);
	buf_addf(b, "%s of client time.\n", unit_time(c.seconds).p);
	if (bad)
		put_failures(b, bad, most);
	put_slowest(b, c.all);
}
