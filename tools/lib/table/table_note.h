/* table_note.h: table_note records: what a reader of a table's numbers should know about it. */
#pragma once

#include "table/table.h"

/* Adds one; it is true of `rows` of the `of_rows`.  Takes over columns and text. */
void table_note_add(json_t *all, const char *note, json_t *columns, size_t rows, size_t of_rows,
    char *text);
/* About values of its columns of numbers that are left out or converted, in rows with `keep`;
 * NULL: all rows. */
json_t *table_note_values(const struct table *, const bool *keep);
void table_note_warn(const json_t *notes);
