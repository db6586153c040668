/* json_write.h: a file of one JSON value. */
#pragma once

#include <jansson.h>

/* Compact, as one line. It appears whole or not at all, and replaces what is there; NULL for the
 * path: standard output. Dies if the value could not be made or the file not be written. */
void xjson_write(const char *path, const json_t *);
/* Releases it, too. */
void xjson_write_new(const char *path, json_t *);
