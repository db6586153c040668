/* table_bad.c: values of a column of numbers that are not numbers.
 *
 * A column in which most values are numbers is one of numbers; its other values count as
 * invalid.  One that begins with a thousand other values is not read to its end.
 */
#include "table/table_bad.h"
#include "base/die.h"
#include "table/table_memory.h"
#include "table/table_numbers.h"

enum { ENOUGH = 1000, MAX_SHOWN = 40 };

void
table_bad_note(const struct table *t, struct column *c, const char *p, size_t n)
{
	if (c->bad.text)
		return;
	c->bad.text = xasprintf("%.*s", (int)(n < MAX_SHOWN ? n : MAX_SHOWN), p);
	c->bad.row = t->n_rows;
	c->bad.line = t->line ? *t->line + (t->more_lines ? *t->more_lines : 0) : 0;
}

static void
drop_values(struct column *c)
{
	c->keep = KEEP_NOT;
	table_memory_free(c->number);
	c->number = NULL;
}

static bool
begins_with_words(const struct column *c, size_t rows)
{
	size_t words = 0;
	for (size_t i = 0; i < rows && isnan(c->number[i]) && words < ENOUGH; i++)
		words += table_is_invalid(c->number[i]);
	return words == ENOUGH;
}

void
table_bad_add(struct table *t, struct column *c)
{
	if (c->keep == KEEP_IF_NUMBER && ++c->n_bad % ENOUGH == 0 &&
	    begins_with_words(c, t->n_rows + 1))
		drop_values(c);
}

/* ---- rows that another thread read ------------------------------------------------ */

void
table_bad_append(const struct table *t, struct column *c, struct column *more, size_t rows,
    unsigned long lines)
{
	if (!c->bad.text && more->bad.text) {
		c->bad = more->bad;
		c->bad.line += lines;
		c->bad.row += t->n_rows;
		more->bad.text = NULL;
	}
	c->n_bad += more->n_bad;
	if (c->keep == KEEP_IF_NUMBER && c->n_bad >= ENOUGH &&
	    begins_with_words(c, t->n_rows + rows))
		drop_values(c);
}

/* ---- after the last row -------------------------------------------------------------- */

void
table_bad_end(struct table *t)
{
	for (size_t i = 0; i < t->n_columns; i++) {
		struct column *c = t->columns[i];
		size_t numbers = 0, others = 0;
		for (size_t row = 0; c->keep == KEEP_IF_NUMBER && c->n_bad && row < t->n_rows;
		    row++) {
			numbers += isnan(c->number[row]) ? 0 : 1;
			others += table_is_invalid(c->number[row]);
		}
		if (others && (others >= numbers || begins_with_words(c, t->n_rows)))
			drop_values(c);
	}
}

bool
table_bad_to_numbers(const struct table *t, struct column *c)
{
	double *of_word = xmalloc((c->n_words + 1) * sizeof *of_word);
	size_t numbers = 0, others = 0;
	for (size_t i = 0; i < c->n_words; i++)
		of_word[i] = table_number(c->words[i], strlen(c->words[i]));
	of_word[c->n_words] = (double)NAN;
	double *number = table_memory_resize(NULL, t->cap * sizeof *number);
	for (size_t row = 0; row < t->n_rows; row++) {
		size_t code = c->code[row] == NO_WORD ? c->n_words : c->code[row];
		number[row] = of_word[code];
		numbers += isnan(number[row]) ? 0 : 1;
		others += table_is_invalid(number[row]);
	}
	free(of_word);
	if (others >= numbers) {
		table_memory_free(number);
		return false;
	}
	table_memory_free(c->code);
	c->code = NULL;
	c->number = number;
	c->is_word = false;
	c->keep = KEEP_NUMBER;
	return true;
}
