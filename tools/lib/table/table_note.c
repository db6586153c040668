/* table_note.c: table_note records: what a reader of a table's numbers should know about it. */
#include "table/table_note.h"
#include "base/die.h"
#include "table/table_numbers.h"
#include "text/text.h"

void
table_note_add(json_t *all, const char *note, json_t *columns, size_t rows, size_t of_rows,
    char *text)
{
	json_array_append_new(all, json_pack("{s:s, s:s, s:o, s:I, s:I, s:s}", "type", "table_note",
	    "note", note, "columns", columns, "rows", (json_int_t)rows, "of_rows",
	    (json_int_t)of_rows, "text", text));
	free(text);
}

static void
add_remark(json_t *all, const struct table *t, const struct column *c, enum remark kind,
    const bool *keep)
{
	static const struct { const char *note, *text; } kinds[] = {
	    [NOT_A_NUMBER] = {"values_left_out", "left out as not a number"},
	    [OTHER_UNIT] = {"other_unit", "converted from another unit"},
	    [DECIMAL_COMMA] = {"decimal_comma", "read with a decimal comma"},
	    [BINARY_SIZE] = {"binary_size", "read in units of 1024, which its program means by "
	    "KB, MB and GB"}};
	const struct table_example *e = &c->remarks[kind];
	size_t n = 0, values = 0;
	for (size_t row = 0; e->n && row < t->n_rows; row++) {
		bool bad = !c->is_word && table_is_invalid(c->number[row]), kept = !keep ||
		    keep[row], known = c->is_word ? c->code[row] != NO_WORD :
		    !isnan(c->number[row]);
		n += kept && bad;
		values += kept && (bad || known);
	}
	n = kind == NOT_A_NUMBER ? n : e->n;
	/* Where all values have units of their own, seconds and bytes surprise nobody. */
	bool plain = c->unit.quantity && c->unit.factor <= 1 && c->n_units >= values;
	if (!n || !values || (kind == OTHER_UNIT && plain))
		return;
	char *first = table_example_text(t, e);
	table_note_add(all, kinds[kind].note, json_pack("[s]", c->name), n, values,
	    xasprintf("'%s': %zu of %zu value%s (%.3g %%) %s, such as %s", c->name, n, values,
	    text_plural(values), 100 * (double)n / (double)values, kinds[kind].text, first));
	free(first);
}

json_t *
table_note_values(const struct table *t, const bool *keep)
{
	json_t *all = json_array();
	bool sized = false;
	for (size_t i = 0; i < t->n_columns; i++) {
		for (enum remark kind = 0; kind < BINARY_SIZE; kind++)
			if (!t->columns[i]->is_word)
				add_remark(all, t, t->columns[i], kind, keep);
		/* One column is enough for what its program means. */
		if (!sized)
			add_remark(all, t, t->columns[i], BINARY_SIZE, keep);
		sized |= t->columns[i]->remarks[BINARY_SIZE].n > 0;
	}
	return all;
}

void
table_note_warn(const json_t *notes)
{
	size_t i;
	const json_t *r;
	json_array_foreach(notes, i, r)
		warn("%s", json_string_value(json_object_get(r, "text")));
}
