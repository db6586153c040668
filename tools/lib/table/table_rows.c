/* table_rows.c: rows of a table: room for them, and the fields of the current one. */
#include "table/table_rows.h"
#include "base/die.h"
#include "base/num.h"
#include "table/table_bad.h"
#include "table/table_memory.h"
#include "table/table_numbers.h"
#include "table/table_sizes.h"
#include "table/table_words.h"

enum { FIRST_ROWS = 16, CLEARED_ROWS = 4096, RELEASED_ROWS = 1 << 17 };

/* ---- rows --------------------------------------------------------------------- */

void
table_rows_clear(struct column *c, size_t from, size_t to)
{
	if (c->keep == KEEP_NOT)
		return;
	if (c->is_word)
		memset(c->code + from, 0xff, (to - from) * sizeof *c->code);
	else
		for (size_t i = from; i < to; i++)
			c->number[i] = NAN;
}

void
table_rows_grow(struct column *c, size_t rows)
{
	if (c->keep == KEEP_NOT)
		return;
	if (c->is_word)
		c->code = table_memory_resize(c->code, rows * sizeof *c->code);
	else
		c->number = table_memory_resize(c->number, rows * sizeof *c->number);
}

void
table_rows_release(const struct table *t, size_t row)
{
	for (size_t i = 0; row % RELEASED_ROWS == 0 && i < t->n_columns; i++) {
		table_memory_release(t->columns[i]->number);
		table_memory_release(t->columns[i]->code);
	}
}

/* Rows are cleared when they are needed: untouched pages take no memory. */
void
table_row_more(struct table *t)
{
	if (t->n_rows == t->cap) {
		t->cap = t->cap < FIRST_ROWS ? FIRST_ROWS : t->cap + t->cap / 2;
		if (t->cap >= NO_WORD)
			die(ST_INPUT, "more than %lu rows", (unsigned long)t->n_rows);
		for (size_t i = 0; i < t->n_columns; i++)
			table_rows_grow(t->columns[i], t->cap);
	}
	size_t to = t->cap - t->cleared < CLEARED_ROWS ? t->cap : t->cleared + CLEARED_ROWS;
	for (size_t i = 0; i < t->n_columns; i++)
		table_rows_clear(t->columns[i], t->cleared, to);
	if (to / RELEASED_ROWS > t->cleared / RELEASED_ROWS)
		table_rows_release(t, 0);
	t->cleared = to;
}

/* ---- fields ------------------------------------------------------------------------ */

/* The column held numbers so far; they become words. */
static void
convert_to_words(struct table *t, struct column *c)
{
	char text[40];
	double *number = c->number;
	c->is_word = true;
	c->number = NULL;
	c->keep = KEEP_WORD;
	table_rows_grow(c, t->cap);
	table_rows_clear(c, 0, t->cleared);
	for (size_t i = 0; i < t->n_rows; i++) {
		if (isnan(number[i]))
			continue;
		num_text(text, number[i]);
		c->code[i] = table_word_code(c, text, strlen(text));
	}
	table_memory_free(number);
}

void
table_put_number(struct table *t, struct column *c, double x)
{
	if (c->keep == KEEP_NOT)
		return;
	if (c->is_word) {
		char text[40];
		if (isnan(x))
			return;
		num_text(text, x);
		c->code[t->n_rows] = table_word_code(c, text, strlen(text));
		return;
	}
	c->met = true;
	for (size_t i = 0; i < c->n_missing; i++)
		if (table_number(c->missing[i], strlen(c->missing[i])) == x)
			return;
	c->number[t->n_rows] = x;
}

static bool
means_missing(const struct column *c, const char *p, size_t n)
{
	for (size_t i = 0; i < c->n_missing; i++)
		if (strlen(c->missing[i]) == n && memcmp(c->missing[i], p, n) == 0)
			return true;
	return n == 0;
}

bool
table_put(struct table *t, struct column *c, const char *p, size_t n)
{
	if (c->keep == KEEP_NOT)
		return true;
	c->met = true;
	if (c->n_missing && means_missing(c, p, n))
		return true;
	char room[SIZE_TEXT_BYTES];
	if (t->size_marks)
		p = table_sizes_text(t, c, p, &n, room);
	if (!c->is_word) {
		struct number_form form;
		double x = table_number_in(t, c, p, n, &form);
		bool bad = table_is_invalid(x), has_unit = form.unit.quantity != OF_NOTHING;
		/* Words keep the text of what has a unit of its own. */
		if (c->keep != KEEP_GUESS || !(bad || has_unit))
			table_put_number(t, c, x);
		if (bad)
			table_bad_note(t, c, p, n);
		else if (form.comma || (has_unit && c->keep != KEEP_GUESS))
			table_bad_note_form(t, c, &form, p, n);
		if (c->keep != KEEP_GUESS || !(bad || has_unit))
			return true;
		convert_to_words(t, c);
	}
	if (n == 0)
		return true;
	c->code[t->n_rows] = table_word_code(c, p, n);
	return c->code[t->n_rows] != NO_WORD;
}

void
table_put_path(struct table *t, const struct path_values *values)
{
	for (size_t i = 0; values && i < values->n; i++) {
		const struct path_value *v = &values->v[i];
		if (v->column->is_word)
			v->column->code[t->n_rows] = v->code;
		else if (v->column->number)
			v->column->number[t->n_rows] = v->number;
	}
}
