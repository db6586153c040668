/* table_format.h: records as a table: CSV, Markdown, LaTeX, or aligned text. */
#pragma once

#include "base/buf.h"
#include "table/statistic.h"

#include <stdbool.h>
#include <stddef.h>

enum format {
	FORMAT_RECORDS, FORMAT_CSV, FORMAT_MARKDOWN, FORMAT_LATEX, FORMAT_TEXT, FORMAT_PARQUET,
};
/* Records that are made when they are needed, and not kept. */
struct record_list {
	size_t n;
	void (*record)(const void *of, size_t i, struct buf *);	/* adds its JSON text */
	const void *of;
};
struct table_format {
	struct format_column {
		const char *title;
		const char *outer, *name;	/* of the member: "percentiles", "p5"; "" */
		enum cell_kind kind;
	} *columns;
	size_t n;
	const char *caption;	/* above it; NULL: none */
	bool escape;	/* CSV: texts that a spreadsheet would evaluate */
};
/* Adds a column; the texts must live as long as the process.  The path is the name of a member,
 * or of an object and its member, as in "percentiles\np5". */
void table_format_column(struct table_format *, const char *title, const char *path, int kind);
void table_format_put(const struct table_format *, const struct record_list *, enum format,
    bool binary);
/* Whether it is for programs: one table, with all columns and digits, and columns of units. */
bool table_format_is_flat(enum format);
