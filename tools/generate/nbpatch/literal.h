/* literal.h: a value as code of Python, R or Julia. */
#pragma once

#include "base/buf.h"
#include "lexer.h"

#include <jansson.h>

/* Both return NULL, or why the value cannot be written there. */
const char *literal_add(struct buf *, enum language, json_t *value);
/* Adds the value as text within what the spot is in: escaped for a string or a comment. */
const char *literal_add_text(struct buf *, enum language, const struct lexer_spot *, json_t *value);
