/* text.h: untrusted text on a terminal. */
#pragma once

#include "base/buf.h"
#include "text/style.h"

/* Adds `text` as one line without control characters, changes of direction or invalid
 * UTF-8, in at most `columns` columns, with "..." at the end if it was cut.  Returns its
 * width in columns. */
size_t text_show(struct buf *, const char *text, size_t columns);
size_t text_columns(const char *text);	/* its width, if nothing is cut */
/* Adds the text as text_show() does, followed by spaces up to `columns`. */
void text_show_padded(struct buf *, const char *text, size_t columns);
/* Adds a name with a distinguishing end, " cell 7" or " @2", so padded: it is cut before
 * that. */
void text_show_name(struct buf *, const char *name, size_t columns);

void text_trim_end(struct buf *);	/* removes the spaces at its end */
/* The buffer as one line on stdout without the spaces at its end; empties it. */
void text_put_trimmed(struct buf *);

/* `text` on stdout in at most four lines of at most `columns`, broken at blanks and
 * indented by `indent` spaces; the rest is cut as by text_show(). */
void text_put_wrapped(enum style, const char *text, size_t indent, size_t columns);
/* A line of safe text on stdout. */
void text_put_styled(enum style, const char *line);

const char *text_plural(size_t n);	/* "s", but "" for 1 */

/* Columns of the terminal at `fd`, else COLUMNS, else `unknown`, within bounds. */
size_t text_terminal_columns(int fd, size_t unknown, size_t least, size_t most);
