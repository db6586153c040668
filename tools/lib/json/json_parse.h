/* json_parse.h: JSON values from text. */
#pragma once

#include "base/buf.h"

#include <jansson.h>

/* The format of a file that is often mistaken for a text, and what to do; NULL: none of them. */
const char *json_parse_format(const char *text, size_t len);
/* Strict: no duplicate keys, no NUL.  NULL: see the error. */
json_t *json_parse_strict(const char *text, size_t len, json_error_t *);
/* The length of a byte order mark at the beginning of a text. */
size_t json_parse_mark(const char *text, size_t len);
/* Parses as strictly, behind a byte order mark; NULL and "name:line:column: reason" in *error,
 * which the caller frees. */
json_t *json_parse_text(const char *text, size_t len, const char *name, char **error);
/* A string's characters, with U+FFFD for each NUL, which would end a C string. */
char *json_parse_string(const json_t *string);
