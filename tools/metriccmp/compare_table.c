/* abshow.c: a comparison for people. */
#include "compare_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/text.h"

enum { NAME_COLUMNS_MOST = 64, VALUE_COLUMNS = 18, FEW_ROWS = 60, MOST_UNKNOWN = 10 };

static const char *
plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* ---- cells of a row --------------------------------------------------------------- */

/* "72.1 ms ± 3 %" */
static char *
with_spread(double median, double mad, const char *column)
{
	char *value = ab_value(median, column), *text = value;
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

/* "+9.7 % (+7.1 to +12.0)", or "~" with what is known besides. */
static char *
change(const struct test *t, const char *column)
{
	struct buf b = {0};
	if (t->answer == WORSE || t->answer == BETTER) {
		char *absolute = ab_value(t->shift.shift, column);
		if (isfinite(percent(t, t->shift.shift)))
			buf_addf(&b, "%+.1f %% (%+.1f to %+.1f) ", percent(t, t->shift.shift), percent(t, t->shift.low), percent(t, t->shift.high));
		else
			buf_addf(&b, "%s%s ", t->shift.shift > 0 ? "+" : "", absolute);
		free(absolute);
		buf_addf(&b, "%s", answer_words[t->answer]);
	} else {
		buf_addf(&b, "~");
	}
	if (isfinite(t->q))
		buf_addf(&b, " (p %.2g, q %.2g, %zu+%zu)", t->sum.p, t->q, t->m, t->n);
	else if (isfinite(t->sum.p))
		buf_addf(&b, " (p %.2g, %zu+%zu)", t->sum.p, t->m, t->n);
	if (t->answer == UNKNOWN && t->gate) {
		if (isfinite(t->seen) && isfinite(percent(t, t->seen)))
			buf_addf(&b, " sees %.*f %%", percent(t, t->seen) < 10 ? 1 : 0, percent(t, t->seen));
		if (t->runs)
			buf_addf(&b, ", %zu runs would do", t->runs);
	}
	if (t->spread_q <= 0.05)
		buf_addf(&b, ", spread changed");
	return b.p;
}

/* Whether a long list has it: what was flagged, and what cannot be told. */
static bool
telling(const struct test *t)
{
	return t->answer == WORSE || t->answer == BETTER || (t->answer == UNKNOWN && t->gate) || t->spread_q <= 0.05;
}

/* ---- the table ------------------------------------------------------------------------ */

void
ab_end_line(struct buf *b)
{
	while (b->n && b->p[b->n - 1] == ' ')
		b->n--;
	buf_add(b, "\n", 1);
}

static const struct ab_mean *
mean_of(const struct ab *ab, size_t metric, size_t label)
{
	for (size_t i = 0; i < ab->means; i++)
		if (ab->mean[i].metric == metric && ab->mean[i].label == label)
			return &ab->mean[i];
	return NULL;
}

struct look {
	bool markdown, all;
	size_t skip, columns;	/* of names: bytes that all begin with, and their width */
};

/* How much of all names is the same, whole words: names of a sweep are long, and differ behind it. */
static size_t
shared_start(const struct measured *m)
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

/* Names as wide as they are, within bounds. */
static struct look
look_of(const struct ab *ab, bool all)
{
	struct look look = {.all = all, .skip = shared_start(ab->m), .columns = NAME_COLUMNS};
	for (size_t i = 0; i < ab->m->cells; i++) {
		struct buf b = {0};
		char *name = ab_cell_name(&ab->m->cell[i]);
		size_t wide = text_show(&b, name + look.skip, NAME_COLUMNS_MOST);
		look.columns = wide > look.columns ? wide : look.columns;
		buf_free(&b);
		free(name);
	}
	return look;
}

static void
add_row(struct buf *b, const struct ab *ab, size_t at, struct look look)
{
	const struct test *t = &ab->test[at];
	const char *column = ab->m->metric[ab->row[at].metric];
	char *name = ab_cell_name(ab->row[at].cell), *before = with_spread(t->x_median, t->x_mad, column);
	char *after = with_spread(t->y_median, t->y_mad, column), *what = change(t, column);
	if (look.markdown) {
		buf_addf(b, "| ");
		text_show(b, name, 200);
		buf_addf(b, " | %s | %s | %s |\n", before, after, what);
	} else {
		text_show_name(b, name + look.skip, look.columns);
		buf_addf(b, "  ");
		text_show_padded(b, before, VALUE_COLUMNS);
		buf_addf(b, "  ");
		text_show_padded(b, after, VALUE_COLUMNS);
		buf_addf(b, "  %s", what);
		ab_end_line(b);
	}
	free(name);
	free(before);
	free(after);
	free(what);
}

static void
add_head(struct buf *b, const struct ab *ab, size_t metric, size_t label, struct look look)
{
	const char *title = metric_title(ab->m->metric[metric]), *base = ab->m->label[ab->base].name, *name = ab->m->label[label].name;
	if (look.markdown) {
		buf_addf(b, "\n| %s | ", title);
		text_show(b, base, 60);
		buf_addf(b, " | ");
		text_show(b, name, 60);
		buf_addf(b, " | shift |\n|---|---|---|---|\n");
		return;
	}
	buf_addf(b, "\n");
	text_show_padded(b, title, look.columns);
	buf_addf(b, "  ");
	text_show_padded(b, base, VALUE_COLUMNS);
	buf_addf(b, "  ");
	text_show_padded(b, name, VALUE_COLUMNS);
	buf_addf(b, "  shift\n");
}

static void
add_section(struct buf *b, const struct ab *ab, size_t metric, size_t label, struct look look)
{
	size_t left_out = 0, rows = 0, unknown = 0;
	const struct ab_mean *mean = mean_of(ab, metric, label);
	for (size_t i = 0; i < ab->n; i++) {
		if (ab->row[i].metric != metric || ab->row[i].label != label)
			continue;
		/* Of a thousand that cannot be told the few that are worse would not be seen. */
		const struct test *t = &ab->test[i];
		bool one_of_many = t->answer == UNKNOWN && !(t->spread_q <= 0.05) && ++unknown > MOST_UNKNOWN;
		if (!look.all && ab->n > FEW_ROWS && (!telling(t) || one_of_many)) {
			left_out++;
			continue;
		}
		if (!rows++)
			add_head(b, ab, metric, label, look);
		add_row(b, ab, i, look);
	}
	if (!rows && left_out)
		add_head(b, ab, metric, label, look);
	if (left_out)
		buf_addf(b, look.markdown ? "| %zu more | | | ~ |\n" : "%zu more: ~\n", left_out);
	if (mean && look.markdown)
		buf_addf(b, "| geometric mean of %zu | | | %+.2f %% |\n", mean->cells, 100 * (mean->ratio - 1));
	else if (mean)
		buf_addf(b, "geometric mean of %zu cell%s: %+.2f %%\n", mean->cells, plural(mean->cells), 100 * (mean->ratio - 1));
}

static void
add_all(struct buf *b, const struct ab *ab, const struct ab_settings *s, struct look look)
{
	const char *begin = look.markdown ? "- " : "";
	ab_notes_before(b, ab, begin);
	if (!ab->refused) {
		for (size_t l = 0; l < ab->m->labels; l++)
			for (size_t i = 0; l != ab->base && i < ab->m->metrics; i++)
				add_section(b, ab, i, l, look);
		if (look.markdown || ab->n)
			buf_addf(b, "\n");
		ab_notes_after(b, ab, s, begin);
	}
}

void
ab_table(struct buf *b, const struct ab *ab, const struct ab_settings *s, bool all)
{
	add_all(b, ab, s, look_of(ab, all));
	text_show(b, ab->line, 1000);
	buf_addf(b, "\n");
}

void
ab_markdown(struct buf *b, const struct ab *ab, const struct ab_settings *s, bool all)
{
	buf_addf(b, "**");
	text_show(b, ab->line, 1000);
	buf_addf(b, "**\n\n");
	add_all(b, ab, s, (struct look){.markdown = true, .all = all});
}
