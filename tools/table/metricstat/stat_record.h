/* stat_record.h: statistics of groups, and the largest rows, as records. */
#pragma once

#include "base/buf.h"
#include "table/stat_figure.h"

#include <jansson.h>

/* Adds the record as JSON text, which is faster than an object. */
void stat_record_figure(struct buf *, const struct stat_table *, const struct stat_figure *);
/* Each returns a new reference. */
/* The rows with the ranks `from` to n. */
json_t *stat_record_largest(const struct stat_table *, size_t from, size_t n,
    const struct list *shown);
json_t *stat_record_group(const struct stat_table *, size_t group);	/* {"step": "1", ...} */
json_t *stat_record_row_key(const struct stat_table *, size_t row, const struct list *shown);
json_t *stat_record_unit(const struct column *);
/* Whether it says where a row was read before. */
bool stat_record_is_source(const struct column *);
/* Sets "file" and "row": the row's number in it, from 1, without the header. */
void stat_record_set_row(json_t *, const struct table *, size_t row);
