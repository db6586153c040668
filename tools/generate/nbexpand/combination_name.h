/* combination_name.h: a combination's name, <usecase>-<param><value>-<param><value>... */
#pragma once

#include "base/buf.h"

#include <jansson.h>

enum { MAX_COMBINATION_NAME = 180 };	/* bytes */

/* Append a value, or the use case's name made safe.  False if another one could read the same:
 * then a name with it needs a hash. */
bool combination_name_add_value(struct buf *, const json_t *value);
bool combination_name_add_usecase(struct buf *, const char *usecase);
/* The hashed form: `readable` shortened, "--", and a hash of what the name stands for. */
void combination_name_hash(char name[MAX_COMBINATION_NAME + 1], const struct buf *readable,
    const char *usecase, const struct buf *params);
