/* rows_where.c: the rows of a table that meet conditions, in the units of its columns. */
#include "table/rows_where.h"
#include "base/die.h"
#include "table/column_unit.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Converts "5GB" to the unit of the column. */
static void
convert_operands(struct condition *c, const struct column *column)
{
	struct unit u = column_unit(column->name);
	for (size_t i = 0; !column->is_word && i < c->n_operands; i++) {
		double x;
		if (unit_read(c->operands[i].text, &u, &x) != 0)
			die(ST_USAGE, "column '%s' holds numbers, but '%s' is not a number%s%s",
			    column->name, c->operands[i].text, *u.symbol ? " that can be converted "
			    "to " : "",
			    u.symbol);
		c->operands[i].text = xasprintf("%.17g", x);
	}
}

/* Compares as numbers if both sides are numbers. */
static bool
word_holds(const struct condition *c, const char *word)
{
	char *end;
	double x = strtod(word, &end);
	bool number = *word && !*end && isfinite(x);
	for (size_t i = 0; number && i < c->n_operands; i++) {
		const char *text = c->operands[i].text;
		strtod(text, &end);
		number = !c->operands[i].quoted && *text && !*end;
	}
	json_t *v = number ? json_real(x) : json_string(word);
	bool holds = condition_holds(c, v);
	json_decref(v);
	return holds;
}

/* Keeps the rows that meet one condition; a missing value meets none. */
static void
select_rows(const struct table *t, const struct condition *c, const struct column *column,
    bool *keep)
{
	bool *of_word = xmalloc(column->n_words + 1);
	for (size_t i = 0; i < column->n_words; i++)
		of_word[i] = word_holds(c, column->words[i]);
	json_t *v = json_real(0);
	for (size_t row = 0; row < t->n_rows; row++) {
		if (!keep[row])
			continue;
		if (column->is_word) {
			keep[row] = column->code[row] != NO_WORD && of_word[column->code[row]];
		} else {
			double x = column->number[row];
			keep[row] = !isnan(x) && json_real_set(v, x) == 0 && condition_holds(c, v);
		}
	}
	json_decref(v);
	free(of_word);
}

bool *
xrows_where(const struct table *t, struct conditions *w)
{
	bool *keep = xmalloc(t->n_rows + 1);
	memset(keep, 1, t->n_rows + 1);
	for (size_t i = 0; i < w->n; i++) {
		const struct column *column = table_column(t, w->list[i].name);
		if (!column)
			die(ST_USAGE, "no column '%s'", w->list[i].name);
		convert_operands(&w->list[i], column);
		select_rows(t, &w->list[i], column, keep);
	}
	return keep;
}
