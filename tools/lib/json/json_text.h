/* json_text.h: JSON values as text. */
#pragma once

#include "base/buf.h"

#include <jansson.h>

/* Compact text; reals in the shortest form that reads back the same, NaN and infinities
 * as null. */
char *json_text_of(const json_t *);
void json_text_add(struct buf *, const json_t *);
/* Parts of such a text. */
void json_text_add_real(struct buf *, double);
void json_text_add_string(struct buf *, const char *, size_t n);
