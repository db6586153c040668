/* table.h: columns of tables: records, CSV (RFC 4180), Parquet, one file or a tree of
 * them, columns united by name.
 *
 * Only the columns that are asked for are kept: 8 bytes per number, 4 bytes per word
 * and each different word once; the text never.  table_read.h reads a table, and
 * table_rows.h fills it. */
#pragma once

#include "text/unit.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_WORD UINT32_MAX
/* Columns that say where a row of a table of several files was read. */
#define TABLE_SOURCE_FILE "source_file"
#define TABLE_SOURCE_ROW "source_row"

enum keep {
	KEEP_NOT,
	KEEP_NUMBER,	/* other text is NaN, see table_is_invalid() */
	KEEP_WORD,	/* the text, also of numbers */
	KEEP_GUESS,	/* numbers, or words if any value is not a number */
	KEEP_IF_NUMBER,	/* numbers; left out unless most values are numbers */
	KEEP_IF_MET,	/* in `want`: numbers, and no column if no file has it */
};

/* Values of which a reader of a column should know. */
enum remark { NOT_A_NUMBER, OTHER_UNIT, DECIMAL_COMMA, BINARY_SIZE, N_REMARKS };
/* How many there are, and the first of them. */
struct table_example {
	size_t n;
	char *text;	/* NULL: none */
	unsigned long line;	/* 0: the file has no lines */
	size_t row;
};
struct column {
	char *name;
	bool is_word;
	double *number;		/* !is_word: one per row; NaN: missing or invalid */
	uint32_t *code;		/* is_word: one per row, an index of words; NO_WORD: missing */
	char **words;		/* different words, in the order of their first use */
	size_t n_words;
	bool in_order;		/* groups are in the order of the words, not sorted */
	struct table_example remarks[N_REMARKS];	/* if numbers were looked for */
	/* private */
	struct unit unit, of_values;	/* see column_unit_named(); of the first value with one */
	size_t n_units;		/* values with a unit of their own */
	enum quantity measures;	/* what its name says: time or size */
	enum keep keep;
	bool met;		/* some row has it */
	bool optional;		/* it was KEEP_IF_MET */
	uint32_t *slots, last;	/* hash table of words, index + 1; the last word */
	size_t n_slots;
	char *room;		/* memory for the next words */
	size_t room_left;
	const char **missing;	/* more texts that mean a missing value */
	size_t n_missing;
};

struct table {
	struct column **columns;	/* those of `want` first, then in the order of the files */
	size_t n_columns, n_rows;
	struct column **left_out;	/* of KEEP_IF_NUMBER, without values: see `bad` */
	size_t n_left_out;
	struct table_file {
		char *path;	/* for messages: "stdin", or the path */
		size_t first_row;
	} *files;		/* in the order of reading; see table_file_of() */
	size_t n_files;
	size_t unmatched;	/* files skipped because they do not match path_pattern */
	/* private */
	json_t *by_name;	/* indices of columns */
	size_t cap, cleared;	/* allocated rows; rows initialised as missing */
	const struct table_spec *spec;	/* while reading */
	char *type;		/* of the records so far */
	size_t skipped;		/* records of notebooks among those of cells */
	bool has_commas;	/* the file may have decimal commas */
	unsigned size_marks;	/* of the file, see table_sizes_note() */
	const unsigned long *line, *more_lines;	/* of the current row; NULL: none */
};

struct table_want {
	const char *name;
	enum keep keep;
};
struct table_alias {	/* another name of a column */
	char *name, *column;
};
struct table_spec {
	const struct table_want *want;
	size_t n_want;
	enum keep others;	/* for columns that are not in `want` */
	/* Only records of this type are read.  NULL: those that have a column of `want`; two types
	 * are an error unless `want` has "type". */
	const char *type;
	/* Columns from folders, "step_{step}/{task}_usage/": matched with the path of
	 * each file, at the beginning of any of its parts; {name} is one or more
	 * characters other than '/'.  NULL: none. */
	const char *path_pattern;
	const char *const *exclude;	/* glob patterns of paths or names; ends in NULL; or NULL */
	const struct table_alias *aliases;	/* ends in one without a name; or NULL */
	/* "-1" or "column=-1": means no value; ends in NULL; or NULL */
	const char *const *missing;
};

void table_free(struct table *);

struct column *table_column(const struct table *, const char *name);	/* NULL: none */
/* The column that says how many cores each row used, by its usual names; NULL: none. */
struct column *table_cores(const struct table *);
/* Finds a column by a name from the user: dies with ST_USAGE if there is no such column, or if
 * `numbers` and it has words. */
struct column *xtable_column(const struct table *, const char *name, bool numbers);
/* New columns, all missing; set number[row], or call table_set_word(). */
struct column *table_add_numbers(struct table *, const char *name);
struct column *table_add_words(struct table *, const char *name);
void table_set_word(struct column *, size_t row, const char *word);
const char *table_word(const struct column *, size_t row);	/* NULL: missing */
/* Whether the column has numbers, and not only missing values. */
bool table_has_numbers(const struct table *, const struct column *);
/* The value as text, a number in its shortest form, in `room`; NULL: missing. */
const char *table_text_in(const struct column *, size_t row, char room[40]);
char *table_text(const struct column *, size_t row);	/* the same; the caller frees it */

const struct table_file *table_file_of(const struct table *, size_t row);
/* The first of them, "'oops' (t.csv:3)"; "": there is none.  The caller frees it. */
char *table_example_text(const struct table *, const struct table_example *);

/* ---- for the readers of files -------------------------------------------------- */

/* Before the first file, and after the last. */
void xtable_begin(struct table *, const struct table_spec *);
void xtable_end(struct table *);
/* The column of this name, added if `others` allows it; NULL: it is not kept. */
struct column *table_take(struct table *, const char *name, size_t n);
