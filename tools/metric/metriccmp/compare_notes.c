/* compare_notes.c: what is above and below the tables of a comparison. */
#include "compare_notes.h"
#include "base/die.h"
#include "base/installation.h"
#include "metric/metric_text.h"
#include "run/run_state.h"
#include "text/text.h"

#include <unistd.h>

enum { LABEL_COLUMNS = 24, ORDER_COLUMNS = 80, MAX_DIFFERENCES = 20, MAX_FAILURES = 20 };

void
compare_end_line(struct buf *b)
{
	text_trim_end(b);
	buf_add(b, "\n", 1);
}

const char *
compare_style(const char *begin, enum style s)
{
	return *begin ? "" : style_begin(STDOUT_FILENO, s);
}

static void
add_label(struct buf *b, const struct comparison *cmp, size_t label)
{
	text_show(b, cmp->m->label[label].name, LABEL_COLUMNS);
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
			buf_addf(b, "%s%s%s%s: ", begin, compare_style(begin,
			    d->allowed ? STYLE_NONE : STYLE_DOUBT),
			    d->allowed ? "differs (allowed)" : "differs",
			    compare_style(begin, STYLE_NONE));
			text_show(b, d->what, 60);
			buf_addf(b, ": ");
			text_show(b, d->base, 80);
			buf_addf(b, " | ");
			text_show(b, d->label_value, 80);
			compare_end_line(b);
		}
	if (shown > MAX_DIFFERENCES)
		buf_addf(b, "%sand %zu more\n", begin, shown - MAX_DIFFERENCES);
}

/* Runs of the labels that are stale, and so not in the metrics. */
static void
add_left_out(struct buf *b, const struct comparison *cmp, const char *begin)
{
	const char *label;
	json_t *reasons;
	json_object_foreach(cmp->m->left_out, label, reasons) {
		char *line = run_state_left_out_line(reasons);
		if (line) {
			buf_addf(b, "%s", begin);
			text_show(b, label, LABEL_COLUMNS);
			buf_addf(b, ": ");
			text_show(b, line, 160);
			compare_end_line(b);
		}
		free(line);
	}
}

/* Runs of the labels that were asked for and are not in the metrics. */
static void
add_missing(struct buf *b, const struct comparison *cmp, const char *begin)
{
	const char *label;
	json_t *names;
	json_object_foreach(cmp->m->missing, label, names) {
		size_t n = json_array_size(names);
		buf_addf(b, "%s", begin);
		text_show(b, label, LABEL_COLUMNS);
		buf_addf(b, ": %zu run%s missing: ", n, text_plural(n));
		text_show(b, json_string_value(json_array_get(names, 0)), LABEL_COLUMNS);
		if (n > 1)
			buf_addf(b, " and %zu more", n - 1);
		compare_end_line(b);
	}
}

static void
add_failures(struct buf *b, const struct comparison *cmp, const char *begin)
{
	for (size_t i = 0; i < cmp->failures && i < MAX_FAILURES; i++) {
		const struct compare_failure *f = &cmp->failure[i];
		char *name = metric_text_cell(cmp->m, f->cell);
		buf_addf(b, "%s%sdid not complete%s: ", begin, compare_style(begin, STYLE_BAD),
		    compare_style(begin, STYLE_NONE));
		text_show(b, name, 2 * LABEL_COLUMNS);
		buf_addf(b, ": in %zu of %zu runs of ", f->base_failed, f->base_runs);
		add_label(b, cmp, cmp->base);
		buf_addf(b, ", %zu of %zu of ", f->failed, f->runs);
		add_label(b, cmp, f->label);
		compare_end_line(b);
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
	if (t->interleaved || !(t->gap_s > 0)) {
		add_order(b, cmp, t);
	} else {
		buf_addf(b, "the last run of ");
		add_label(b, cmp, first);
		buf_addf(b, " began %s before the first of ", unit_time(t->gap_s).p);
		add_label(b, cmp, last);
	}
	if (!t->interleaved)
		buf_addf(b, "; changes of the machine over time may look like differences (see "
		    "%s ab)", installation_command());
	if (t->seed)
		buf_addf(b, ", seed %" JSON_INTEGER_FORMAT, json_integer_value(t->seed));
	buf_addf(b, "\n");
}

/* Tests that cannot be significant after the correction for the number of tests. */
static void
add_power(struct buf *b, const struct comparison *cmp, const char *begin)
{
	const struct test_totals *c = &cmp->totals;
	if (c->family && c->max_detectable < c->family)
		buf_addf(b, "%s%zu run%s of each label cannot show that only one of %zu test%s "
		    "changed, for %zu of them; %zu could\n", begin, c->min_runs,
		    text_plural(c->min_runs), c->family, text_plural(c->family),
		    c->family - c->max_detectable, c->least_runs);
}

/* ", client time 2 ms": the absolute floor of each metric in the gate. */
static void
add_floors(struct buf *b, const struct comparison *cmp)
{
	for (size_t m = 0; m < cmp->m->metrics; m++) {
		const char *column = cmp->m->metric[m];
		size_t i = 0;
		while (i < cmp->n && !(cmp->row[i].metric == m && cmp->test[i].gate))
			i++;
		if (i == cmp->n)
			continue;
		buf_addf(b, ", %s %s", metric_title(column),
		    metric_text_value(cmp->test[i].floor, column).p);
	}
}

static bool
has_no_bounds(const struct comparison *cmp)
{
	for (size_t i = 0; i < cmp->n; i++)
		if (!isfinite(cmp->test[i].shift.high - cmp->test[i].shift.low))
			return true;
	return false;
}

/* "; a run's client time varies by up to 5 % (cv)": of the first metric of the gate. */
static void
add_variation(struct buf *b, const struct comparison *cmp)
{
	double most = -1;
	for (size_t i = 0; i < cmp->n; i++) {
		const struct test *t = &cmp->test[i];
		if (cmp->row[i].metric == 0 && isfinite(t->cv))
			most = fmax(most, t->cv);
	}
	if (most >= 0)
		buf_addf(b, "; a run's %s varies by up to %.2g %% (cv)",
		    metric_title(cmp->m->metric[0]), 100 * most);
}

static bool
has_pairs(const struct comparison *cmp)
{
	size_t i = 0;
	while (i < cmp->n && !cmp->test[i].pair)
		i++;
	return i < cmp->n;
}

static void
add_key(struct buf *b, const struct comparison *cmp, const struct compare_settings *s,
    const char *begin)
{
	const struct test_totals *c = &cmp->totals;
	bool paired = has_pairs(cmp);
	char *most = c->max_runs > c->min_runs ? xasprintf(" to %zu", c->max_runs) : xstrdup("");
	buf_addf(b, "%schange: %s and 95 %% interval, %zu%s run%s of each label; \u00b1: "
	    "median absolute deviation; detectable: found in 4 of 5 comparisons%s", begin,
	    paired ? "median of the pairs" : "estimate", c->min_runs, most,
	    text_plural(c->max_runs), !has_no_bounds(cmp) ? "" :
	    paired ? "; no bounds: an interval needs more pairs" :
	    "; no bounds: an interval needs at least 4 runs of each");
	add_variation(b, cmp);
	buf_addf(b, "\n");
	buf_addf(b, "%sworse, better: q (p corrected for %zu test%s) is at most %.3g, and above "
	    "the floors (%.3g %%", begin, c->family, text_plural(c->family), s->test.alpha,
	    100 * s->test.relative);
	add_floors(b, cmp);
	buf_addf(b, "); no worse: %.3g %% is ruled out\n", 100 * s->test.detect);
	free(most);
}

void
compare_notes_before(struct buf *b, const struct comparison *cmp, const char *begin)
{
	add_differences(b, cmp, begin);
	add_left_out(b, cmp, begin);
	add_missing(b, cmp, begin);
	add_failures(b, cmp, begin);
}

void
compare_notes_after(struct buf *b, const struct comparison *cmp, const struct compare_settings *s,
    const char *begin)
{
	add_key(b, cmp, s, begin);
	add_power(b, cmp, begin);
	if (cmp->only_base || cmp->only_label)
		buf_addf(b, "%scells of only one label: %zu of the base, %zu of the others\n",
		    begin, cmp->only_base, cmp->only_label);
	for (size_t i = 0; i < cmp->interleaves; i++)
		add_interleaving(b, cmp, &cmp->interleave[i], begin);
}
