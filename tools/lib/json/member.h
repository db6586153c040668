/* member.h: members of a JSON object written as text, for filters that copy most of their
 * input.  Each function adds `"key":value,`; the writer of the line replaces the last comma
 * by a brace. */
#pragma once

#include "base/buf.h"
#include "json/scan.h"

void member_raw(struct buf *, const char *text);
void member_span(struct buf *, const char *key, struct span value);	/* null if it is missing */
void member_text(struct buf *, const char *key, const char *plain);	/* must not need escapes */
/* A whole number, or one with six decimals at most; null if it is not finite. */
void member_number(struct buf *, const char *key, double, bool whole);
void member_real(struct buf *, const char *key, double);	/* as in json_text.h */
/* Both are any texts; null if it is NULL. */
void member_string(struct buf *, const char *key, const char *text);
void member_end(struct buf *);	/* closes the object */
