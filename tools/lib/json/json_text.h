/* json_text.h: JSON values from text, and as text. */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include "base/buf.h"

#include <jansson.h>

/* Strict: no duplicate keys, no NUL.  NULL: see the error. */
json_t *json_text_load(const char *text, size_t len, json_error_t *);
/* The same; NULL and "name:line:column: reason" in *error, which the caller frees. */
json_t *json_text_parse(const char *text, size_t len, const char *name, char **error);
/* Compact text; reals in the shortest form that reads back the same, NaN and infinities
 * as null. */
char *json_text_of(const json_t *);
void json_text_add(struct buf *, const json_t *);
/* A string's characters, with U+FFFD for each NUL, which would end a C string. */
char *json_text_string(const json_t *string);

#endif
