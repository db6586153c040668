/* json_file.h: a file of settings, JSON or YAML. */
#pragma once

#include "json/source.h"

/* "-" is standard input.  Dies with ST_INPUT if the file is neither, ST_SYSTEM if it cannot be
 * read. */
void xjson_file_load(struct source *, const char *path);
