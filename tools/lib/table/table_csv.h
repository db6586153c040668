/* tablecsv.h: rows of CSV, and parts of a file read side by side. */
#ifndef TABLECSV_H
#define TABLECSV_H

#include "table/table_input.h"

struct csv {
	struct table *t;
	struct input *in;
	unsigned long line;	/* of the row under way */
	unsigned long lines;	/* that the row under way has behind its first */
	const char *row;	/* where it begins */
	char between;
	struct column **columns;	/* of each field; NULL: not kept */
	size_t n_columns;
	struct buf unquoted;
	/* Where to go with a fault of the input, instead of dying; NULL: die. */
	jmp_buf *fault;
};
/* All rows up to the input's end, or to the end of its part; false: the part ends
 * within a row. */
bool csv_take_rows(struct csv *, const struct rowwords *);

/* tableparts.c: what follows the header of a long file, in parts: the first is the
 * reader's own, each other is read by a thread into a table of its own.  NULL: it
 * is too short, or no file. */
struct parts *parts_begin(struct csv *);
/* Joins them; `whole`: the first part ended with a row.  False: the file could not
 * be cut so, and the reader goes on where its input is now. */
bool parts_end(struct parts *, struct csv *, bool whole);

#endif
