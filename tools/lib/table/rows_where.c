/* rows_where.c: the rows of a table that meet conditions, in the units of its columns. */
#include "table/rows_where.h"
#include "base/die.h"
#include "table/column_unit.h"
#include "table/table_numbers.h"
#include "text/amount.h"

const char *
rows_where_in_unit(struct condition *c, const struct unit *u)
{
	for (size_t i = 0; i < c->n_operands; i++) {
		double x;
		if (amount_read(c->operands[i].text, u, &x) != 0)
			return c->operands[i].text;
		c->operands[i].text = xasprintf("%.17g", x);
	}
	return NULL;
}

/* Converts "5GB" to the unit of the column. */
static void
convert_operands(struct condition *c, const struct column *column)
{
	struct unit u = column_unit(column->name);
	const char *bad = column->is_word ? NULL : rows_where_in_unit(c, &u);
	if (bad)
		die(ST_USAGE, "column '%s' holds numbers, but '%s' is not a number%s%s",
		    column->name, bad, *u.symbol ? " that can be converted to " : "", u.symbol);
}

/* Copies a condition with operands that are numbers in the column's unit.  False: some are not. */
static bool
as_numbers(const struct condition *c, const struct column *column, struct condition *numbers)
{
	struct unit u = column_unit(column->name);
	size_t bytes = c->n_operands * sizeof *c->operands;
	/* Words with units of their own are numbers in the unit of that quantity. */
	if (u.quantity == OF_NOTHING && c->n_operands)
		u = unit_own(amount_of(c->operands[0].text, column->measures).unit.quantity);
	*numbers = *c;
	numbers->operands = memcpy(xmalloc(bytes), c->operands, bytes);
	for (size_t i = 0; i < c->n_operands; i++)
		if (c->operands[i].quoted)
			return false;
	return !rows_where_in_unit(numbers, &u);
}

/* Compares as numbers if both sides are numbers (numbers not NULL); a word is then neither above
 * nor below. */
static bool
word_holds(const struct table *t, const struct column *column, const struct condition *c,
    const struct condition *numbers, const char *word)
{
	struct number_form form;
	double x = numbers ? table_number_in(t, column, word, strlen(word), &form) : (double)NAN;
	if (numbers && isnan(x) && c->op != OP_EQ && c->op != OP_NE)
		return false;
	json_t *v = isnan(x) ? json_string(word) : json_real(x);
	bool holds = condition_holds(isnan(x) ? c : numbers, v);
	json_decref(v);
	return holds;
}

/* Keeps the rows that meet one condition; a missing value meets none. */
static void
select_rows(const struct table *t, const struct condition *c, const struct column *column,
    bool *keep)
{
	bool *of_word = xmalloc(column->n_words + 1);
	struct condition numbers;
	bool compared = column->is_word && as_numbers(c, column, &numbers);
	for (size_t i = 0; i < column->n_words; i++)
		of_word[i] = word_holds(t, column, c, compared ? &numbers : NULL,
		    column->words[i]);
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
