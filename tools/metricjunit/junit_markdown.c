/* suitemarkdown.c: how cells ended, for a pull request's comment. */
#include "junit.h"
#include "text/text.h"
#include "text/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One line, at most so many columns; nothing in it is markup, a mention or a link. */
static void
markdown_text(struct buf *b, const char *text, size_t columns)
{
	struct buf line = {0};
	text_show(&line, text, columns);
	for (const char *p = line.p ? line.p : ""; *p; p++)
		if (strchr("&<>@#|\\`*_[]~:$!", *p) || (*p == '.' && p > line.p && p[-1] == 'w'))
			buf_addf(b, "&#%d;", *p);
		else
			buf_add(b, p, 1);
	buf_free(&line);
}

static void
seconds_text(struct buf *b, double s)
{
	struct unit unit;
	unit_parse("s", &unit);
	unit_print(b, s, &unit, false);
}

static void
markdown_row(struct buf *b, const struct suite *u, const struct kase *k)
{
	char *name = suite_name(u), *what = case_name(k);
	buf_addf(b, "| ");
	markdown_text(b, name, 180);
	buf_addf(b, " | %s | ", what);
	free(name);
	free(what);
}

static void
markdown_bad(struct buf *b, size_t bad, size_t most)
{
	size_t shown = 0;
	buf_addf(b, "\n| notebook | cell | how it ended | why |\n|---|---|---|---|\n");
	for (size_t i = 0; i < suites; i++) {
		for (size_t n = 0; n < suite[i].n && shown < most; n++) {
			const struct kase *k = &suite[i].kase[n];
			if (k->outcome != FAILED && k->outcome != BROKEN)
				continue;
			shown++;
			markdown_row(b, &suite[i], k);
			markdown_text(b, k->status, 40);
			buf_addf(b, " | ");
			markdown_text(b, k->error ? k->error : "", 60);
			buf_addf(b, "%s", k->error && k->text ? ": " : "");
			markdown_text(b, k->text ? k->text : "", 160);
			buf_addf(b, " |\n");
		}
	}
	if (shown < bad)
		buf_addf(b, "\n%zu more did not complete.\n", bad - shown);
}

struct place {
	const struct suite *u;
	const struct kase *k;
};

static int
slower(const void *a, const void *b)
{
	double x = ((const struct place *)a)->k->seconds, y = ((const struct place *)b)->k->seconds;
	return (x < y) - (x > y);
}

static void
markdown_slowest(struct buf *b, size_t cells)
{
	enum { SLOWEST = 5 };
	struct place *p = xmalloc((cells + 1) * sizeof *p);
	size_t n = 0;
	for (size_t i = 0; i < suites; i++)
		for (size_t k = 0; k < suite[i].n; k++)
			if (suite[i].kase[k].index > 0 && isfinite(suite[i].kase[k].seconds))
				p[n++] = (struct place){&suite[i], &suite[i].kase[k]};
	qsort(p, n, sizeof *p, slower);
	if (n)
		buf_addf(b, "\n<details><summary>Slowest cells</summary>\n\n| notebook | cell | client time | first line |\n|---|---|---:|---|\n");
	for (size_t i = 0; i < n && i < SLOWEST; i++) {
		markdown_row(b, p[i].u, p[i].k);
		seconds_text(b, p[i].k->seconds);
		buf_addf(b, " | ");
		markdown_text(b, p[i].k->source ? p[i].k->source : "", 80);
		buf_addf(b, " |\n");
	}
	if (n)
		buf_addf(b, "\n</details>\n");
	free(p);
}

void
suite_markdown(struct buf *b, const char *title, size_t most)
{
	struct count c = {0};
	for (size_t i = 0; i < suites; i++)
		suite_count(&c, &suite[i]);
	size_t bad = c.of[FAILED] + c.of[BROKEN];
	buf_addf(b, "### ");
	markdown_text(b, title, 100);
	if (!c.all)
		buf_addf(b, ": nothing ran\n");
	else if (bad)
		buf_addf(b, ": %zu of %zu did not complete\n", bad, c.all);
	else
		buf_addf(b, ": all that ran completed\n");
	buf_addf(b, "\n%zu run%s of notebooks, %zu cell%s, %zu completed, %zu skipped or not run, ", suites, suites == 1 ? "" : "s",
		c.all, c.all == 1 ? "" : "s", c.of[PASSED], c.of[SKIPPED]);
	seconds_text(b, c.seconds);
	buf_addf(b, " of client time.\n");
	if (bad)
		markdown_bad(b, bad, most);
	markdown_slowest(b, c.all);
}
