/* markup.h: the characters that HTML and XML reserve. */
#ifndef MARKUP_H
#define MARKUP_H

#include "base/buf.h"

#include <stdbool.h>

/* Adds the escape of a character that is reserved in text or in attributes; false: it is not. */
bool markup_escape(struct buf *, char);

#endif
