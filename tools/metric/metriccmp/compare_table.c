/* compare_table.c: a comparison for people. */
#include "compare_table.h"
#include "base/die.h"
#include "compare_notes.h"
#include "compare_text.h"
#include "metric/metric_text.h"
#include "text/text.h"

#include <unistd.h>

enum {
	NAME_COLUMNS = 24, MAX_NAME_COLUMNS = 64, MIN_NAME_COLUMNS = 16, MIN_COLUMNS = 100,
	WIDE_COLUMNS = 120, MAX_COLUMNS = 200, MAX_CELL = 200,
	FEW_ROWS = 60, MAX_UNKNOWN = 10,
};
enum cell { BASE_CELL, LABEL_CELL, RESULT_CELL = 4, CELLS };

/* ---- cells of a row ---------------------------------------------------------------- */

/* "72.1 ms ± 3 %" */
static char *
spread_text(double median, double mad, const char *column)
{
	struct unit_text value = metric_text_value(median, column);
	return isfinite(mad) && fabs(median) > 0 ?
	    xasprintf("%s \u00b1 %.0f %%", value.p, 100 * mad / fabs(median)) : xstrdup(value.p);
}

/* A test that is not in the gate has p, which is not corrected. */
static char *
q_text(const struct test *t)
{
	return t->gate ? xasprintf("%.2g", t->q) : xasprintf("p %.2g", t->sum.p);
}

/* Whether a long table has it: it is not simply no worse. */
static bool
is_listed(const struct test *t)
{
	return t->result == WORSE || t->result == BETTER || (t->result == UNKNOWN && t->gate) ||
	    t->small || t->spread != SPREAD_SAME;
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
	size_t cell[CELLS];	/* widths; 0: it is left out */
	bool narrow;
};

/* The length of the words that all names of notebooks begin with: names of a sweep are long and
 * differ after them.  Where cells are called by their parameters, nothing is omitted. */
static size_t
shared_start(const struct results *m)
{
	bool by_params = !m->by_name && json_object_size(m->varied);
	size_t n = m->cells && !by_params ? strlen(m->cell[0].name) : 0;
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

static void
widen(size_t *columns, const char *text)
{
	size_t wide = text_columns(text);
	*columns = wide > *columns ? wide : *columns;
}

/* Columns for the longest name and labels, if the terminal has them; a narrow one has no
 * spreads and no q. */
static struct row_format
format_of(const struct comparison *cmp, bool all)
{
	size_t terminal = text_terminal_columns(STDOUT_FILENO, 0, 0, MAX_COLUMNS);
	bool wide = terminal > WIDE_COLUMNS;
	struct row_format format = {.all = all, .skip = shared_start(cmp->m),
	    .columns = NAME_COLUMNS, .cell = {16, 16, 25, 7, 8},
	    .narrow = terminal && terminal < MIN_COLUMNS};
	if (format.narrow)
		memcpy(format.cell, (size_t[CELLS]){11, 11, 24, 0, 8}, sizeof format.cell);
	for (size_t i = 0; i < cmp->m->cells; i++) {
		char *name = metric_text_cell(cmp->m, &cmp->m->cell[i]);
		widen(&format.columns, name + format.skip);
		free(name);
	}
	for (size_t i = 0; i < cmp->m->labels && wide; i++)
		widen(&format.cell[i == cmp->base ? BASE_CELL : LABEL_CELL],
		    cmp->m->label[i].name);
	size_t used = 2 * CELLS, most = MAX_NAME_COLUMNS;
	for (size_t i = 0; i < CELLS; i++)
		used += format.cell[i];
	if (terminal)
		most = terminal > used + MIN_NAME_COLUMNS ? terminal - used : MIN_NAME_COLUMNS;
	format.columns = format.columns < most ? format.columns : most;
	return format;
}

/* Columns are widened rather than cut; the name fits already. */
static void
add_cells(struct buf *b, const char *name, const char *const *cell, struct row_format format,
    enum style of_result)
{
	const char *mark = of_result ? compare_style(format.markdown ? "|" : "", of_result) : "";
	if (format.markdown) {
		buf_addf(b, "| ");
		text_show(b, name, MAX_CELL);
	} else {
		text_show_name(b, name, format.columns);
	}
	for (size_t i = 0; i < CELLS; i++) {
		if (!format.cell[i] && !format.markdown)
			continue;
		buf_addf(b, "%s%s", format.markdown ? " | " : "  ", i == RESULT_CELL ? mark : "");
		size_t used = text_show(b, cell[i], MAX_CELL);
		for (; !format.markdown && i < RESULT_CELL && used < format.cell[i]; used++)
			buf_add(b, " ", 1);
	}
	buf_addf(b, "%s%s", *mark ? compare_style("", STYLE_NONE) : "",
	    format.markdown ? " |" : "");
	compare_end_line(b);
}

static void
add_test_row(struct buf *b, const struct comparison *cmp, size_t at, struct row_format format)
{
	static const enum style styles[] = {[WORSE] = STYLE_BAD, [BETTER] = STYLE_GOOD,
	    [UNKNOWN] = STYLE_DOUBT, [NO_WORSE] = STYLE_NONE};
	const struct test *t = &cmp->test[at];
	const char *column = cmp->m->metric[cmp->row[at].metric];
	char *name = metric_text_cell(cmp->m, cmp->row[at].cell);
	double x_mad = format.narrow ? (double)NAN : t->x_mad;
	double y_mad = format.narrow ? (double)NAN : t->y_mad;
	char *cell[CELLS] = {spread_text(t->x_median, x_mad, column),
	    spread_text(t->y_median, y_mad, column), compare_change(cmp, at), q_text(t),
	    compare_result(cmp, at)};
	add_cells(b, name + format.skip, (const char *const *)cell, format,
	    t->gate ? styles[t->result] : STYLE_NONE);
	for (size_t i = 0; i < CELLS; i++)
		free(cell[i]);
	free(name);
}

static void
add_head(struct buf *b, const struct comparison *cmp, size_t metric, size_t label,
    struct row_format format)
{
	struct buf base = {0}, name = {0};
	text_show(&base, cmp->m->label[cmp->base].name, format.markdown ? 60 : format.cell[0]);
	text_show(&name, cmp->m->label[label].name, format.markdown ? 60 : format.cell[1]);
	const char *const cell[CELLS] = {base.p, name.p, "change", "q", "result"};
	buf_addf(b, "\n%s", compare_style(format.markdown ? "|" : "", STYLE_HEADING));
	add_cells(b, metric_title(cmp->m->metric[metric]), cell, format, STYLE_HEADING);
	buf_addf(b, format.markdown ? "|---|---|---|---|---|---|\n" : "");
	buf_free(&base);
	buf_free(&name);
}

/* Adds "a1 cell 3" to a list; a cell after it makes that "a1 cell 3-4".  *end: of the last "a1
 * cell 3". */
static void
add_to_list(struct buf *list, size_t *end, const struct results *m,
    const struct result_cell *before, const struct result_cell *c, struct row_format format)
{
	bool follows = before && before->index > 0 && before->index + 1 == c->index &&
	    strcmp(before->name, c->name) == 0;
	char *name = metric_text_cell(m, c);
	if (follows) {
		list->n = *end;
		buf_addf(list, "-%ld", c->index);
	} else {
		buf_addf(list, "%s", list->n ? ", " : "");
		text_show(list, name + format.skip, MAX_CELL);
		*end = list->n;
	}
	free(name);
}

/* A metric that was counted and is the same everywhere has one line. */
static bool
add_unchanged(struct buf *b, const struct comparison *cmp, size_t metric, size_t label,
    struct row_format format)
{
	size_t rows = 0, unchanged = 0;
	for (size_t i = 0; i < cmp->n; i++)
		if (cmp->row[i].metric == metric && cmp->row[i].label == label) {
			rows++;
			unchanged += cmp->test[i].steady && cmp->test[i].result == NO_WORSE;
		}
	if (format.all || !rows || unchanged < rows)
		return false;
	buf_addf(b, "\n%s%s: unchanged, in all %zu row%s%s\n", format.markdown ? "| " : "",
	    metric_title(cmp->m->metric[metric]), rows, text_plural(rows),
	    format.markdown ? " |" : "");
	return true;
}

static void
add_section(struct buf *b, const struct comparison *cmp, size_t metric, size_t label,
    struct row_format format)
{
	size_t rows = 0, unknown = 0, no_worse = 0, end_of_cell = 0;
	struct buf list = {0};	/* of unknown cells without a row */
	const struct result_cell *last = NULL;
	const struct compare_mean *mean = mean_of(cmp, metric, label);
	bool few = format.all || cmp->n <= FEW_ROWS;
	if (add_unchanged(b, cmp, metric, label, format))
		return;
	for (size_t k = 0; k < 2 * cmp->n; k++) {
		const struct compare_row *row = &cmp->row[k % cmp->n];
		const struct test *t = &cmp->test[k % cmp->n];
		if (row->metric != metric || row->label != label || t->is_total != (k < cmp->n))
			continue;
		if (!rows++)
			add_head(b, cmp, metric, label, format);
		/* Among a thousand unknown tests the few that are worse would be lost. */
		bool undecided = t->gate && t->result == UNKNOWN && !t->small &&
		    t->spread == SPREAD_SAME;
		unknown += undecided;
		if (few || (is_listed(t) && !(undecided && unknown > MAX_UNKNOWN))) {
			add_test_row(b, cmp, k % cmp->n, format);
		} else if (undecided) {
			add_to_list(&list, &end_of_cell, cmp->m, last, row->cell, format);
			last = row->cell;
		} else {
			no_worse++;
		}
	}
	const char *begin = format.markdown ? "| " : "";
	const char *end = format.markdown ? " | | | | | |" : "";
	if (list.n)
		buf_addf(b, "%scannot tell either: %s%s\n", begin, list.p, end);
	if (no_worse)
		buf_addf(b, "%s%zu more: no worse%s\n", begin, no_worse, end);
	if (mean)
		buf_addf(b, "%sgeometric mean of %zu cell%s: %+.2f %%%s\n", begin, mean->cells,
		    text_plural(mean->cells), 100 * (mean->ratio - 1), end);
	buf_free(&list);
}

static void
add_all(struct buf *b, const struct comparison *cmp, const struct compare_settings *s,
    struct row_format format)
{
	const char *begin = format.markdown ? "- " : "";
	compare_notes_before(b, cmp, begin);
	if (!cmp->refused) {
		for (size_t l = 0; l < cmp->m->labels; l++)
			for (size_t i = 0; l != cmp->base && i < cmp->m->metrics; i++)
				add_section(b, cmp, i, l, format);
		if (format.markdown || cmp->n)
			buf_addf(b, "\n");
		compare_notes_after(b, cmp, s, begin);
	}
}

void
compare_table(struct buf *b, const struct comparison *cmp, const struct compare_settings *s,
    bool all)
{
	static const enum style styles[] = {[WORSE] = STYLE_BAD, [BETTER] = STYLE_GOOD,
	    [NO_WORSE] = STYLE_GOOD, [UNKNOWN] = STYLE_DOUBT};
	add_all(b, cmp, s, format_of(cmp, all));
	buf_addf(b, "%s", compare_style("", styles[cmp->result]));
	text_show(b, cmp->line, 1000);
	buf_addf(b, "%s\n", compare_style("", STYLE_NONE));
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
