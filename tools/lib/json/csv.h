/* csv.h: fields of a table as RFC 4180 has it. */
#ifndef CSV_H
#define CSV_H

#include "base/nbscope.h"
#include "base/buf.h"

#include <jansson.h>

/* A text, in quotes where it needs them; with `escape`, one that a spreadsheet
 * would run, and that is no number, gets an apostrophe. */
void csv_text(struct buf *, const char *text, bool escape);
/* Nothing for null (or NULL), numbers and truths as they stand, the words of a
 * list of words with commas between, other lists and objects as JSON. */
void csv_value(struct buf *, const json_t *, bool escape);

#endif
