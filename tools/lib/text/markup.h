/* markup.h: the characters that HTML, XML and Markdown reserve. */
#pragma once

#include "base/buf.h"

/* Adds the escape of a character that is reserved in text or in attributes; false: it is not. */
bool markup_escape(struct buf *, char);
/* Adds text within a line of Markdown, where nothing in it is markup; with `inert`, nothing is a
 * mention, a link or a formula either, where a forge shows text of another author. */
void markup_markdown(struct buf *, const char *text, bool inert);
