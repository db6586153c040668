/* table_bad.c: values of a column of numbers that are not numbers.
 *
 * A column in which most values are numbers is one of numbers; its other values count as
 * invalid.  One that begins with a thousand other values is not read to its end.
 */
#include "table/table_bad.h"
#include "base/die.h"
#include "table/column_unit.h"
#include "table/table_memory.h"

enum { ENOUGH = 1000, MAX_SHOWN = 40 };

void
table_bad_example(const struct table *t, struct table_example *e, const char *p, size_t n)
{
	if (e->n++)
		return;
	e->text = xasprintf("%.*s", (int)(n < MAX_SHOWN ? n : MAX_SHOWN), p);
	e->row = t->n_rows;
	e->line = t->line ? *t->line + (t->more_lines ? *t->more_lines : 0) : 0;
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
table_bad_note(const struct table *t, struct column *c, const char *p, size_t n)
{
	table_bad_example(t, &c->remarks[NOT_A_NUMBER], p, n);
	if (c->keep == KEEP_IF_NUMBER && c->remarks[NOT_A_NUMBER].n % ENOUGH == 0 &&
	    begins_with_words(c, t->n_rows + 1))
		drop_values(c);
}

void
table_bad_note_form(const struct table *t, struct column *c, const struct number_form *form,
    const char *p, size_t n)
{
	const struct unit *u = &form->unit, *named = &c->unit;
	if (form->comma)
		table_bad_example(t, &c->remarks[DECIMAL_COMMA], p, n);
	if (u->quantity == OF_NOTHING)
		return;
	if (!c->n_units++)
		c->of_values = unit_own(u->quantity);
	if (named->quantity ? u->factor < named->factor || u->factor > named->factor :
	    u->quantity != c->of_values.quantity)
		table_bad_example(t, &c->remarks[OTHER_UNIT], p, n);
}

/* ---- rows that another thread read ------------------------------------------------ */

/* ---- after the last row -------------------------------------------------------------- */

/* A unit that most of the values have is that of the column. */
static void
set_unit(const struct column *c, size_t numbers)
{
	if (c->unit.quantity == OF_NOTHING && 2 * c->n_units > numbers)
		column_unit_set(c->name, c->of_values.symbol);
}

void
table_bad_end(struct table *t)
{
	for (size_t i = 0; i < t->n_columns; i++) {
		struct column *c = t->columns[i];
		bool doubtful = c->keep == KEEP_IF_NUMBER && c->remarks[NOT_A_NUMBER].n;
		size_t numbers = 0, others = 0;
		for (size_t row = 0; (doubtful || c->n_units) && c->number && row < t->n_rows;
		    row++) {
			numbers += isnan(c->number[row]) ? 0 : 1;
			others += table_is_invalid(c->number[row]);
		}
		if (doubtful && others && (others >= numbers || begins_with_words(c, t->n_rows)))
			drop_values(c);
		set_unit(c, numbers);
	}
}

bool
table_bad_to_numbers(struct table *t, struct column *c, bool any)
{
	double *of_word = xmalloc((c->n_words + 1) * sizeof *of_word);
	struct number_form *form = xmalloc((c->n_words + 1) * sizeof *form);
	struct table_example *bad = &c->remarks[NOT_A_NUMBER], first = *bad;
	size_t numbers = 0, rows = t->n_rows;
	for (size_t i = 0; i < c->n_words; i++)
		of_word[i] = table_number_in(t, c, c->words[i], strlen(c->words[i]), &form[i]);
	double *number = table_memory_resize(NULL, t->cap * sizeof *number);
	*bad = (struct table_example){0};
	for (t->n_rows = 0; t->n_rows < rows; t->n_rows++) {
		uint32_t code = c->code[t->n_rows];
		const char *word = code == NO_WORD ? NULL : c->words[code];
		double x = number[t->n_rows] = word ? of_word[code] : (double)NAN;
		numbers += isnan(x) ? 0 : 1;
		if (table_is_invalid(x))
			table_bad_example(t, bad, word, strlen(word));
		else if (word)
			table_bad_note_form(t, c, &form[code], word, strlen(word));
	}
	/* Its line is known if it was found in reading. */
	if (first.text && first.row == bad->row)
		bad->line = first.line;
	free(first.text);
	free(of_word);
	free(form);
	if (bad->n >= numbers && !any) {
		table_memory_free(number);
		return false;
	}
	table_memory_free(c->code);
	c->code = NULL;
	c->number = number;
	c->is_word = false;
	c->keep = KEEP_NUMBER;
	set_unit(c, numbers);
	return true;
}
