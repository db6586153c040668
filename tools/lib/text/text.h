/* text.h: text from outside, on a terminal. */
#ifndef TEXT_H
#define TEXT_H

#include "nbscope.h"

/* Adds `text` on one line and harmless: no control character, no reordering, no
 * broken UTF-8; in at most `columns` columns, "..." at the end where it was cut.
 * Returns the columns that it takes. */
size_t show_text(struct buf *, const char *text, size_t columns);
/* The same, followed by spaces up to `columns`. */
void show_padded(struct buf *, const char *text, size_t columns);
/* The same for a name that ends in what tells it from its sisters, " cell 7" or " @2":
 * it is cut before that. */
void show_name(struct buf *, const char *name, size_t columns);

/* The buffer as one line on stdout without the spaces at its end; empties it. */
void put_trimmed(struct buf *);

/* `text` on stdout in lines of at most `columns`, broken at blanks, each behind `indent`
 * spaces; what does not fit into `lines` of them is cut as show_text() cuts. */
void put_wrapped(const char *text, size_t indent, size_t columns, size_t lines);

/* A character that turns the order of what follows around, or takes no room at all. */
bool deceives(unsigned long code);

bool text_ends(const char *text, const char *end);

/* Columns of the terminal at `fd`, else COLUMNS, else `unknown`, within bounds. */
size_t terminal_columns(int fd, size_t unknown, size_t least, size_t most);

#endif
