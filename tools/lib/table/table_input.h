/* tablein.h: how a table is filled; between table*.c. */
#ifndef TABLEIN_H
#define TABLEIN_H

#include "table/table.h"

#include <math.h>
#include <setjmp.h>
#include <sys/types.h>

/* Before the first file, and after the last. */
void xtable_begin(struct table *, const struct table_spec *);
void xtable_end(struct table *);
/* The column of this name, made if the table wants it; NULL: it is not kept. */
struct column *table_take(struct table *, const char *name, size_t n);
/* Room for one more row, all missing; it counts when table_row_done. */
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
/* One field into the row under way.  false: the text is no UTF-8 (or has a NUL). */
bool table_put(struct table *, struct column *, const char *p, size_t n);
void table_put_number(struct table *, struct column *, double);
/* The word's code, added if it is new; NO_WORD: it is no UTF-8. */
uint32_t column_code(struct column *, const char *p, size_t n);
size_t word_length(const char *word);	/* of one of a column's */
double invalid_number(void);
/* The same columns as yet without a row, to be filled apart and appended. */
void table_like(struct table *, const struct table *);
/* The rows of a table_like() table behind those of t.  False: a column was found to
 * be of another kind in one of the two; t is as it was. */
bool table_append(struct table *t, struct table *more);
/* The number that is the whole text, blanks around it apart; else a NaN:
 * is_invalid(), or missing where it is empty or a word for that. */
double text_number(const char *p, size_t n);

/* One opened input, read in chunks.  p[n] is room for a sentinel and more. */
struct input {
	int fd;
	const char *name;
	char *p;
	size_t n, at, cap;	/* bytes held; those used up */
	bool eof;
	uint64_t left;		/* that may be read yet: the rest is another's; NO_LIMIT */
	/* One of several that read the same file: from here, not where the file is. */
	bool placed;
	off_t offset;
	uint64_t passed;	/* bytes used up that are held no more */
};
enum { INPUT_SPARE_BYTES = 64 };
#define NO_LIMIT UINT64_MAX
/* More bytes behind those held, after those used up are dropped; false: the end. */
bool xinput_more(struct input *);

/* What a path's folders say, put into every row of its file. */
struct path_words {
	struct column *column;
	uint32_t code;
	double number;
};
struct rowwords {
	struct path_words *v;
	size_t n;
};
void rowwords_put(struct table *, const struct rowwords *);

void xread_csv(struct table *, struct input *, const struct rowwords *);
void xread_records(struct table *, struct input *, const struct rowwords *);
void xread_parquet(struct table *, const char *path, const struct rowwords *);
void parquet_end(void);

#endif
