/* member.h: members of a JSON object written as text, for filters that copy most
 * of what they read.  Each puts `"key":value,`; the writer of the line makes the
 * last comma its brace. */
#ifndef MEMBER_H
#define MEMBER_H

#include "base/buf.h"
#include "json/scan.h"

void member_raw(struct buf *, const char *text);
void member_key(struct buf *, const char *key);
void member_span(struct buf *, const char *key, struct span value);	/* null if there is none */
void member_text(struct buf *, const char *key, const char *plain);	/* that needs no escape */
/* A whole number, or one with six decimals at most; null if it is not finite. */
void member_number(struct buf *, const char *key, double, bool whole);
/* The first line of a JSON text that is not blank, of `most` bytes and the character there;
 * null if it is no text. */
void member_line(struct buf *, const char *key, struct span text, size_t most);

#endif
