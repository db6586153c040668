/* compare_notes.c: the lines above and below the tables of a comparison. */
#include "compare_notes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metric/metric_text.h"
#include "text/text.h"
#include "text/unit.h"

enum { MAX_DIFFERENCES = 20, MAX_FAILURES = 20, NAME_COLUMNS = 40, ORDER_COLUMNS = 80 };

void
compare_notes_end_line(struct buf *b)
{
	while (b->n && b->p[b->n - 1] == ' ')
		b->n--;
	buf_add(b, "\n", 1);
}

static void
add_label(struct buf *b, const struct comparison *cmp, size_t label)
{
	text_show(b, cmp->m->label[label].name, NAME_COLUMNS);
}

/* Differences that are not allowed come first. */
static void
add_differences(struct buf *b, const struct comparison *cmp, const char *begin)
{
	size_t shown = 0;
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < cmp->differences; i++) {
			const struct compare_difference *d = &cmp->difference[i];
			if (d->allowed != (pass == 1) || shown++ >= MAX_DIFFERENCES)
				continue;
			buf_addf(b, "%s%s: ", begin, d->allowed ? "differs (allowed)" : "differs");
			text_show(b, d->what, 60);
			buf_addf(b, ": ");
			text_show(b, d->base, 80);
			buf_addf(b, " | ");
			text_show(b, d->label_value, 80);
			compare_notes_end_line(b);
		}
	if (shown > MAX_DIFFERENCES)
		buf_addf(b, "%sand %zu more\n", begin, shown - MAX_DIFFERENCES);
}

static void
add_failures(struct buf *b, const struct comparison *cmp, const char *begin)
{
	for (size_t i = 0; i < cmp->failures && i < MAX_FAILURES; i++) {
		const struct compare_failure *f = &cmp->failure[i];
		char *name = metric_text_cell(f->cell);
		buf_addf(b, "%sdid not complete: ", begin);
		text_show(b, name, 2 * NAME_COLUMNS);
		buf_addf(b, ": in %zu of %zu runs of ", f->base_failed, f->base_runs);
		add_label(b, cmp, cmp->base);
		buf_addf(b, ", %zu of %zu of ", f->failed, f->runs);
		add_label(b, cmp, f->label);
		compare_notes_end_line(b);
		free(name);
	}
	if (cmp->failures > MAX_FAILURES)
		buf_addf(b, "%sand %zu more\n", begin, cmp->failures - MAX_FAILURES);
}

static void
add_order(struct buf *b, const struct comparison *cmp, const struct interleave *t)
{
	add_label(b, cmp, t->a);
	buf_addf(b, " (A) and ");
	add_label(b, cmp, t->b);
	buf_addf(b, " (B): ");
	text_show(b, t->order, ORDER_COLUMNS);
	if (t->other_orders)
		buf_addf(b, " (another order in %zu of %zu notebooks)", t->other_orders,
		    t->notebooks);
}

static void
add_interleaving(struct buf *b, const struct comparison *cmp, const struct interleave *t,
    const char *begin)
{
	size_t first = t->label_first ? t->label : cmp->base;
	size_t last = t->label_first ? cmp->base : t->label;
	/* One run of each label cannot be interleaved. */
	if (!t->order)
		return;
	buf_addf(b, "%s%s", begin, t->interleaved ? "interleaved: " : "not interleaved: ");
	if (t->interleaved || !(t->apart_s > 0)) {
		add_order(b, cmp, t);
	} else {
		buf_addf(b, "the last run of ");
		add_label(b, cmp, first);
		buf_addf(b, " began ");
		unit_print(b, t->apart_s, &(struct unit){"s", OF_TIME, 1}, false);
		buf_addf(b, " before the first of ");
		add_label(b, cmp, last);
	}
	if (!t->interleaved)
		buf_addf(b, "; changes of the machine over time may look like differences (see "
		    "make ab)");
	if (t->seed)
		buf_addf(b, ", seed %" JSON_INTEGER_FORMAT, json_integer_value(t->seed));
	buf_addf(b, "\n");
}

/* Tests that cannot be significant after the correction for the number of tests. */
static void
add_power(struct buf *b, const struct comparison *cmp, double alpha, const char *begin)
{
	const struct test_totals *c = &cmp->totals;
	if (!c->family || c->max_detectable == c->family)
		return;
	buf_addf(b, "%swith %zu + %zu runs the smallest possible p is %.2g, but one of %zu test%s "
	    "needs p < %.2g: %zu of them cannot be flagged", begin, c->weakest_m, c->weakest_n,
	    c->min_p, c->family, c->family == 1 ? "" : "s", alpha / (double)c->family,
	    c->family - c->max_detectable);
	if (c->min_simultaneous > 1)
		buf_addf(b, " unless at least %zu change together", c->min_simultaneous);
	buf_addf(b, "\n");
}

void
compare_notes_before(struct buf *b, const struct comparison *cmp, const char *begin)
{
	add_differences(b, cmp, begin);
	add_failures(b, cmp, begin);
}

void
compare_notes_after(struct buf *b, const struct comparison *cmp, const struct compare_settings *s,
    const char *begin)
{
	add_power(b, cmp, s->test.alpha, begin);
	if (cmp->only_base || cmp->only_label)
		buf_addf(b, "%scells of only one label: %zu of the base, %zu of the others\n",
		    begin, cmp->only_base, cmp->only_label);
	for (size_t i = 0; i < cmp->interleaves; i++)
		add_interleaving(b, cmp, &cmp->interleave[i], begin);
}
