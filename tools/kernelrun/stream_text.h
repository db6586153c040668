/* stream_text.h: the text of a stream as JupyterLab shows and saves it. */
#ifndef STREAM_TEXT_H
#define STREAM_TEXT_H

#include "base/buf.h"

struct stream_text {
	struct buf text;
	size_t at;	/* where the next character goes, in the last line */
};
/* Backspace and carriage return move back within the last line, whose characters the next ones
 * replace: a progress bar is one line. */
void stream_text_add(struct stream_text *, const char *text, size_t n);
void stream_text_free(struct stream_text *);

#endif
