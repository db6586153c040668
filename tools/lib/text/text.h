/* text.h: text from outside, on a terminal. */
#ifndef TEXT_H
#define TEXT_H

#include "base/nbscope.h"
#include "base/buf.h"

/* Adds `text` on one line and harmless: no control character, no reordering, no
 * broken UTF-8; in at most `columns` columns, "..." at the end where it was cut.
 * Returns the columns that it takes. */
size_t text_show(struct buf *, const char *text, size_t columns);
/* The same, followed by spaces up to `columns`. */
void text_show_padded(struct buf *, const char *text, size_t columns);
/* The same for a name that ends in what tells it from its sisters, " cell 7" or " @2":
 * it is cut before that. */
void text_show_name(struct buf *, const char *name, size_t columns);

/* The buffer as one line on stdout without the spaces at its end; empties it. */
void text_put_trimmed(struct buf *);

/* `text` on stdout in lines of at most `columns`, broken at blanks, each behind `indent`
 * spaces; what does not fit into `lines` of them is cut as text_show() cuts. */
void text_put_wrapped(const char *text, size_t indent, size_t columns, size_t lines);

/* Columns of the terminal at `fd`, else COLUMNS, else `unknown`, within bounds. */
size_t text_terminal_columns(int fd, size_t unknown, size_t least, size_t most);

#endif
