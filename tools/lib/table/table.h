/* table.h: columns of tables as people have them: records, CSV (RFC 4180),
 * Parquet, one file or a tree of them, columns united by name.
 *
 * Only the columns that are asked for are kept: 8 bytes a number, 4 bytes a
 * word and each different word once; the text never.  Whoever reads a table
 * asks for what it needs:
 *
 *	static const struct table_want want[] = {{"task", KEEP_WORD}, {"run_time_s", KEEP_NUMBER}};
 *	struct table_spec spec = {.want = want, .n_want = COUNT(want)};
 *	struct table t;
 *	xtable_read(&t, argv + first, &spec);
 *	struct column *c = table_column(&t, "run_time_s");
 *	for (size_t i = 0; i < t.n_rows; i++)
 *		if (!isnan(c->number[i])) ...
 *
 * Faults of the input end the process: ST_INPUT, "file:line:column: reason".
 */
#ifndef TABLE_H
#define TABLE_H

#include "base/nbscope.h"

#define NO_WORD UINT32_MAX

enum keep {
	KEEP_NOT,
	KEEP_NUMBER,	/* what is no number is NaN, see is_invalid */
	KEEP_WORD,	/* as it stands; numbers too */
	KEEP_GUESS,	/* numbers until something else is met, then all are words */
	KEEP_IF_NUMBER,	/* numbers until something else is met, then it is dropped */
};

struct column {
	char *name;
	bool is_word;
	double *number;		/* not is_word: one a row; NaN: missing or invalid */
	uint32_t *code;		/* is_word: one a row, an index of words; NO_WORD: missing */
	char **words;		/* each once, in the order in which they came */
	size_t n_words;
	bool in_order;		/* groups are in the order of the words, not sorted */
	/* private */
	enum keep keep;
	bool met;		/* some row had it */
	uint32_t *slots, last;	/* hash table of words, index + 1; the word last met */
	size_t n_slots;
	char *room;		/* where the next words go */
	size_t room_left;
	const char **missing;	/* more texts that mean that there is no value */
	size_t n_missing;
};

struct table {
	struct column **columns;	/* those that were wanted, first; then in the order met */
	size_t n_columns, n_rows;
	struct table_file {
		char *path;	/* as it is to be named: "stdin", or what was opened */
		size_t first_row;
	} *files;		/* in the order read; a row's is table_file_of() */
	size_t n_files;
	size_t unmatched;	/* files left out because path_pattern does not fit them */
	/* private */
	size_t cap, cleared;	/* rows that there is room for; that are missing as yet */
	const struct table_spec *spec;	/* while it is read */
	char *type;		/* of the records taken so far */
};

struct table_want {
	const char *name;
	enum keep keep;
};
struct table_spec {
	const struct table_want *want;
	size_t n_want;
	enum keep others;	/* what to do with columns that are not in want */
	/* Records of this type only.  NULL: those that have a wanted column; if
	 * these are of two types it dies and says so, except where "type" is wanted. */
	const char *type;
	/* Columns from folders, "step_{step}/{task}_usage/": matched against each
	 * file's path, at the beginning of any of its parts; {name} is one or more
	 * characters other than '/'.  NULL: none. */
	const char *path_pattern;
	const char *const *exclude;	/* glob patterns of paths or names; ends in NULL; or NULL */
	const char *const *missing;	/* "-1" or "column=-1": means no value; ends in NULL; or NULL */
};

/* Reads all of `paths` (ends in NULL; files, folders, "-"; none: stdin) as one
 * table.  A wanted column that nothing has ends the process with ST_INPUT.
 *
 * Members of a record's objects are columns "outer.inner", those of `params` are
 * "name_param" as in nbscope's CSV; lists of words are one word with commas. */
void xtable_read(struct table *, char **paths, const struct table_spec *);
void table_free(struct table *);

struct column *table_column(const struct table *, const char *name);	/* NULL: there is none */
/* The same for a name that the user gave: dies with ST_USAGE where there is none, or
 * where numbers are wanted and it has words. */
struct column *xtable_column(const struct table *, const char *name, bool numbers);
/* "a, b, c": for messages; the caller's. */
char *table_names(const struct table *);
/* New columns, all missing; fill number[row], or column_set_word. */
struct column *table_add_numbers(struct table *, const char *name);
struct column *table_add_words(struct table *, const char *name);
void column_set_word(struct column *, size_t row, const char *word);
const char *column_word(const struct column *, size_t row);	/* NULL: missing */
/* What stands there, as text, a number in its shortest form; NULL: missing.  The caller's. */
char *column_text(const struct column *, size_t row);

const struct table_file *table_file_of(const struct table *, size_t row);
/* There was something, and it was no finite number: a NaN of its own. */
bool is_invalid(double);

/* ---- tablegroup.c: rows with the same words ------------------------------- */

/* Rows are sorted by group, in each in the order of the table:
 * rows[first[g]] .. rows[first[g+1]-1] are group g's. */
struct groups {
	size_t n;
	size_t *first;		/* n + 1 */
	uint32_t *rows;
	/* private */
	const struct table *t;
	struct column **by;
	size_t n_by;
};
/* Groups by these columns (none: one group of all), in the order of their keys:
 * numbers by value, other words by bytes, missing last.  `keep`, one a row,
 * leaves rows out; NULL: none. */
void groups_make(struct groups *, const struct table *, struct column **by, size_t n_by, const bool *keep);
/* The group's key in by[i] as text; NULL: missing.  The caller's. */
char *groups_key(const struct groups *, size_t group, size_t i);
/* The group's values of a column that are there, into `v` (room for as many as
 * the group has rows); returns how many.  Of the rest, how many were invalid. */
size_t groups_values(const struct groups *, size_t group, const struct column *, double *v, size_t *invalid);
void groups_free(struct groups *);

#endif
