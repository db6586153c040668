/* parquet_output.h: rows as a Parquet file, written by share/parquet/rows.py in a process. */
#pragma once

#include "base/python_child.h"

#include <jansson.h>

/* Its columns: the caller's; an array of [name, type], where a type is "double", "int64", "bool",
 * "string", or null: that of its values.  rest_at: where members that are no columns become
 * some; below 0: nowhere. */
struct child *xparquet_output_start(const json_t *columns, long rest_at);
/* Adds a row: an object in JSON, in one line. */
void parquet_output_row(struct child *, const char *json, size_t n);
/* Writes the file, NULL: to standard output, and frees all.  Dies with ST_USAGE if that is a
 * terminal, with ST_SYSTEM if there is no Python with pyarrow. */
void xparquet_output_end(struct child *, const char *path);
