/* table_csv.h: rows of CSV. */
#pragma once

#include "base/buf.h"
#include "table/table_rows.h"
#include "table/table_input.h"

#include <setjmp.h>

struct csv {
	struct table *t;
	struct table_input *in;
	unsigned long line;	/* of the current row */
	unsigned long lines;	/* that the current row has after its first */
	const char *row;	/* where it begins */
	char separator;
	struct column **columns;	/* of each field; NULL: not kept */
	size_t n_columns;
	struct buf unquoted;
	/* Lines before the header; columns of the same name, and those with that of a number. */
	size_t comments, renamed, numbers;
	/* A fault of the input jumps here; NULL: it ends the program. */
	jmp_buf *fault;
};
/* The names of the columns; dies if there are none. */
void xtable_csv_header(struct csv *);
/* All rows up to the end of the input, or of its part; false: the part ends within a
 * row. */
bool table_csv_rows(struct csv *, const struct path_values *);
