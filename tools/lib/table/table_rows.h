/* table_rows.h: rows of a table, for the readers of files. */
#pragma once

#include "table/table.h"

/* Makes room for `rows` rows in a column, and marks rows as missing. */
void table_rows_grow(struct column *, size_t rows);
void table_rows_clear(struct column *, size_t from, size_t to);
/* Where a loop over all rows is at one of the rows for that, releases the memory of the columns. */
void table_rows_release(const struct table *, size_t row);
/* Room for one more row, all missing; it counts after table_row_done(). */
void table_row_more(struct table *);
static inline void
table_row(struct table *t)
{
	if (t->n_rows == t->cleared)
		table_row_more(t);
}
static inline void
table_row_done(struct table *t)
{
	t->n_rows++;
}
/* One field into the current row.  False: the text is not UTF-8 (or has a NUL). */
bool table_put(struct table *, struct column *, const char *p, size_t n);
void table_put_number(struct table *, struct column *, double);
/* The values from the path of a file, put into every row of it. */
struct path_values {
	struct path_value {
		struct column *column;
		uint32_t code;
		double number;
	} *v;
	size_t n;
};
void table_put_path(struct table *, const struct path_values *);
