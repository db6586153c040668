/* table_bad.h: values of a column of numbers that are not numbers. */
#pragma once

#include "table/table.h"

/* Remembers the first such value of a column, and where it is. */
void table_bad_note(const struct table *, struct column *, const char *p, size_t n);
/* A KEEP_IF_NUMBER column got one more, in the current row: drops its values if the first
 * thousand are all of this kind. */
void table_bad_add(struct table *, struct column *);
/* After a column of a table_like() table was appended, with `rows` rows whose lines follow `lines`
 * others. */
void table_bad_append(const struct table *, struct column *, struct column *more,
    size_t rows, unsigned long lines);
/* Keeps those KEEP_IF_NUMBER columns in which most values are numbers. */
void table_bad_end(struct table *);
/* A column of words in which most values are numbers becomes one of numbers; false: it is
 * left as it is. */
bool table_bad_to_numbers(const struct table *, struct column *);
