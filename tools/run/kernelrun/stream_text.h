/* stream_text.h: the text of a stream as JupyterLab shows and saves it. */
#ifndef STREAM_TEXT_H
#define STREAM_TEXT_H

#include "base/buf.h"

/* Appends `more` to a text whose next character goes to *at, in its last line.  A carriage return
 * moves to the begin of this line, whose characters the next ones then replace: a progress bar is
 * one line.  A backspace removes a character. */
void stream_text_add(struct buf *text, size_t *at, const char *more, size_t n);

#endif
