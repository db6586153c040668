/* compare_table.c: a comparison for people. */
#include "compare_table.h"
#include "base/die.h"
#include "metric/metric_text.h"
#include "text/text.h"
#include "text/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	NAME_COLUMNS = 40, MAX_NAME_COLUMNS = 64, VALUE_COLUMNS = 18, ORDER_COLUMNS = 80,
	FEW_ROWS = 60, MAX_UNKNOWN = 10, MAX_DIFFERENCES = 20, MAX_FAILURES = 20,
};

static const char *
plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* ---- notes above and below the tables -------------------------------------------- */

/* Removes spaces at the end of the line. */
static void
end_line(struct buf *b)
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
			end_line(b);
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
		end_line(b);
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

static void
add_notes_before(struct buf *b, const struct comparison *cmp, const char *begin)
{
	add_differences(b, cmp, begin);
	add_failures(b, cmp, begin);
}

static void
add_notes_after(struct buf *b, const struct comparison *cmp, const struct compare_settings *s,
    const char *begin)
{
	add_power(b, cmp, s->test.alpha, begin);
	if (cmp->only_base || cmp->only_label)
		buf_addf(b, "%scells of only one label: %zu of the base, %zu of the others\n",
		    begin, cmp->only_base, cmp->only_label);
	for (size_t i = 0; i < cmp->interleaves; i++)
		add_interleaving(b, cmp, &cmp->interleave[i], begin);
}

/* ---- cells of a row ---------------------------------------------------------------- */

/* "72.1 ms ± 3 %" */
static char *
spread_text(double median, double mad, const char *column)
{
	char *value = metric_text_value(median, column), *text = value;
	if (isfinite(mad) && fabs(median) > 0) {
		text = xasprintf("%s \u00b1 %.0f %%", value, 100 * mad / fabs(median));
		free(value);
	}
	return text;
}

static double
percent(const struct test *t, double shift)
{
	return fabs(t->x_median) > 0 ? 100 * shift / fabs(t->x_median) : (double)NAN;
}

/* "+9.7 % (+7.1 to +12.0) worse", or "~"; then the p-values and the power. */
static char *
shift_text(const struct test *t, const char *column)
{
	struct buf b = {0};
	if (t->answer == WORSE || t->answer == BETTER) {
		char *absolute = metric_text_value(t->shift.shift, column);
		if (isfinite(percent(t, t->shift.shift)))
			buf_addf(&b, "%+.1f %% (%+.1f to %+.1f) ", percent(t, t->shift.shift),
			    percent(t, t->shift.low), percent(t, t->shift.high));
		else
			buf_addf(&b, "%s%s ", t->shift.shift > 0 ? "+" : "", absolute);
		free(absolute);
		buf_addf(&b, "%s", two_samples_answers[t->answer]);
	} else {
		buf_addf(&b, "~");
	}
	if (isfinite(t->q))
		buf_addf(&b, " (p %.2g, q %.2g, %zu+%zu)", t->sum.p, t->q, t->m, t->n);
	else if (isfinite(t->sum.p))
		buf_addf(&b, " (p %.2g, %zu+%zu)", t->sum.p, t->m, t->n);
	if (t->answer == UNKNOWN && t->gate) {
		if (isfinite(t->detectable) && isfinite(percent(t, t->detectable)))
			buf_addf(&b, ", detectable: %.*f %%",
			    percent(t, t->detectable) < 10 ? 1 : 0, percent(t, t->detectable));
		if (t->runs_needed)
			buf_addf(&b, ", %zu runs needed", t->runs_needed);
	}
	if (t->spread_q <= 0.05)
		buf_addf(&b, ", spread changed");
	return b.p;
}

/* Whether a long table has it: it is flagged or unknown. */
static bool
is_listed(const struct test *t)
{
	return t->answer == WORSE || t->answer == BETTER || (t->answer == UNKNOWN && t->gate) ||
	    t->spread_q <= 0.05;
}

/* ---- the table --------------------------------------------------------------------- */

static const struct compare_mean *
mean_of(const struct comparison *cmp, size_t metric, size_t label)
{
	for (size_t i = 0; i < cmp->means; i++)
		if (cmp->mean[i].metric == metric && cmp->mean[i].label == label)
			return &cmp->mean[i];
	return NULL;
}

struct row_format {
	bool markdown, all;
	size_t skip, columns;	/* of names: the bytes that all begin with, and the width */
};

/* The length of the words that all names begin with: names of a sweep are long and differ
 * after them. */
static size_t
shared_start(const struct results *m)
{
	size_t n = m->cells ? strlen(m->cell[0].name) : 0;
	bool same = true;
	for (size_t i = 1; i < m->cells; i++) {
		const char *name = m->cell[i].name;
		size_t k = 0;
		while (k < n && name[k] == m->cell[0].name[k])
			k++;
		same &= k == n && !name[n];
		n = k;
	}
	while (n && !strchr("-_.", m->cell[0].name[n - 1]))
		n--;
	return same ? 0 : n;
}

/* Columns for the longest name, within bounds. */
static struct row_format
format_of(const struct comparison *cmp, bool all)
{
	struct row_format format = {
	    .all = all, .skip = shared_start(cmp->m), .columns = NAME_COLUMNS};
	for (size_t i = 0; i < cmp->m->cells; i++) {
		struct buf b = {0};
		char *name = metric_text_cell(&cmp->m->cell[i]);
		size_t wide = text_show(&b, name + format.skip, MAX_NAME_COLUMNS);
		format.columns = wide > format.columns ? wide : format.columns;
		buf_free(&b);
		free(name);
	}
	return format;
}

static void
add_row(struct buf *b, const struct comparison *cmp, size_t at, struct row_format format)
{
	const struct test *t = &cmp->test[at];
	const char *column = cmp->m->metric[cmp->row[at].metric];
	char *name = metric_text_cell(cmp->row[at].cell),
	     *before = spread_text(t->x_median, t->x_mad, column);
	char *after = spread_text(t->y_median, t->y_mad, column), *what = shift_text(t, column);
	if (format.markdown) {
		buf_addf(b, "| ");
		text_show(b, name, 200);
		buf_addf(b, " | %s | %s | %s |\n", before, after, what);
	} else {
		text_show_name(b, name + format.skip, format.columns);
		buf_addf(b, "  ");
		text_show_padded(b, before, VALUE_COLUMNS);
		buf_addf(b, "  ");
		text_show_padded(b, after, VALUE_COLUMNS);
		buf_addf(b, "  %s", what);
		end_line(b);
	}
	free(name);
	free(before);
	free(after);
	free(what);
}

static void
add_head(struct buf *b, const struct comparison *cmp, size_t metric, size_t label,
    struct row_format format)
{
	const char *title = metric_title(cmp->m->metric[metric]),
		   *base = cmp->m->label[cmp->base].name, *name = cmp->m->label[label].name;
	if (format.markdown) {
		buf_addf(b, "\n| %s | ", title);
		text_show(b, base, 60);
		buf_addf(b, " | ");
		text_show(b, name, 60);
		buf_addf(b, " | shift |\n|---|---|---|---|\n");
		return;
	}
	buf_addf(b, "\n");
	text_show_padded(b, title, format.columns);
	buf_addf(b, "  ");
	text_show_padded(b, base, VALUE_COLUMNS);
	buf_addf(b, "  ");
	text_show_padded(b, name, VALUE_COLUMNS);
	buf_addf(b, "  shift\n");
}

static void
add_section(struct buf *b, const struct comparison *cmp, size_t metric, size_t label,
    struct row_format format)
{
	size_t left_out = 0, rows = 0, unknown = 0;
	const struct compare_mean *mean = mean_of(cmp, metric, label);
	for (size_t i = 0; i < cmp->n; i++) {
		if (cmp->row[i].metric != metric || cmp->row[i].label != label)
			continue;
		/* Among a thousand unknown tests the few that are worse would be lost. */
		const struct test *t = &cmp->test[i];
		bool one_of_many = t->answer == UNKNOWN && !(t->spread_q <= 0.05) &&
		    ++unknown > MAX_UNKNOWN;
		if (!format.all && cmp->n > FEW_ROWS && (!is_listed(t) || one_of_many)) {
			left_out++;
			continue;
		}
		if (!rows++)
			add_head(b, cmp, metric, label, format);
		add_row(b, cmp, i, format);
	}
	if (!rows && left_out)
		add_head(b, cmp, metric, label, format);
	if (left_out)
		buf_addf(b, format.markdown ? "| %zu more | | | ~ |\n" : "%zu more: ~\n", left_out);
	if (mean && format.markdown)
		buf_addf(b, "| geometric mean of %zu | | | %+.2f %% |\n", mean->cells,
		    100 * (mean->ratio - 1));
	else if (mean)
		buf_addf(b, "geometric mean of %zu cell%s: %+.2f %%\n", mean->cells,
		    plural(mean->cells), 100 * (mean->ratio - 1));
}

static void
add_all(struct buf *b, const struct comparison *cmp, const struct compare_settings *s,
    struct row_format format)
{
	const char *begin = format.markdown ? "- " : "";
	add_notes_before(b, cmp, begin);
	if (!cmp->refused) {
		for (size_t l = 0; l < cmp->m->labels; l++)
			for (size_t i = 0; l != cmp->base && i < cmp->m->metrics; i++)
				add_section(b, cmp, i, l, format);
		if (format.markdown || cmp->n)
			buf_addf(b, "\n");
		add_notes_after(b, cmp, s, begin);
	}
}

void
compare_table(struct buf *b, const struct comparison *cmp, const struct compare_settings *s,
    bool all)
{
	add_all(b, cmp, s, format_of(cmp, all));
	text_show(b, cmp->line, 1000);
	buf_addf(b, "\n");
}

void
compare_markdown(struct buf *b, const struct comparison *cmp, const struct compare_settings *s,
    bool all)
{
	buf_addf(b, "**");
	text_show(b, cmp->line, 1000);
	buf_addf(b, "**\n\n");
	add_all(b, cmp, s, (struct row_format){.markdown = true, .all = all});
}
