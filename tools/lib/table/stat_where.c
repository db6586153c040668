/* statwhere.c: rows of a table that meet conditions, in the units of its columns. */
#include "text/condition.h"
#include "table/stat.h"
#include "table/table_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "5GB" of a column in bytes. */
static void
settle_units(struct condition *c, const struct column *column)
{
	struct unit u = stat_unit(column->name);
	for (size_t i = 0; !column->is_word && i < c->n_operands; i++) {
		double x;
		if (unit_read(c->operands[i].text, &u, &x) != 0)
			die(ST_USAGE, "'%s' is no number%s%s, and the column '%s' has only these", c->operands[i].text,
			    *u.symbol ? " that can be told in " : "", u.symbol, column->name);
		c->operands[i].text = xasprintf("%.17g", x);
	}
}

/* Compares as a number what is one on both sides. */
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

/* Rows that meet one condition stay; what is missing meets none. */
static void
narrow(const struct table *t, const struct condition *c, const struct column *column, bool *keep)
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
			die(ST_USAGE, "there is no column '%s'", w->list[i].name);
		settle_units(&w->list[i], column);
		narrow(t, &w->list[i], column, keep);
	}
	return keep;
}
