/* table_bad.h: values of a column of numbers that are not numbers. */
#pragma once

#include "table/table.h"
#include "table/table_numbers.h"

/* Counts one more, in the current row, and remembers the first. */
void table_bad_example(const struct table *, struct table_example *, const char *p, size_t n);
/* Notes such a value of a column.  Drops the values of a KEEP_IF_NUMBER column if its
 * first thousand are all of this kind. */
void table_bad_note(const struct table *, struct column *, const char *p, size_t n);
/* Notes that a number has a unit of its own, or a decimal comma. */
void table_bad_note_form(const struct table *, struct column *, const struct number_form *,
    const char *p, size_t n);
/* Keeps those KEEP_IF_NUMBER columns in which most values are numbers. */
void table_bad_end(struct table *);
/* A column of words in which most values are numbers, or `any`, becomes one of numbers; false:
 * it is left as it is. */
bool table_bad_to_numbers(struct table *, struct column *, bool any);
