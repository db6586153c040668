/* csv.h: fields of CSV as in RFC 4180. */
#pragma once

#include "base/buf.h"
#include "json/span.h"

/* A text, quoted if necessary; with `escape`, one that a spreadsheet would evaluate as a
 * formula gets an apostrophe, unless it is a number. */
void csv_text(struct buf *, const char *text, bool escape);
/* Empty for null (or NULL); numbers, true and false unchanged; a list of words separated
 * by commas; other lists and objects as JSON. */
void csv_value(struct buf *, const json_t *, bool escape);
void csv_span(struct buf *, struct span, bool escape);	/* a value in its record */
