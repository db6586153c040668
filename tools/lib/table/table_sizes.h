/* table_sizes.h: programs that write KB, MB and GB, and mean powers of 1024. */
#pragma once

#include "table/table.h"

enum { SIZE_TEXT_BYTES = 32 };
/* Notes a column of a file, by the names of which such a program is recognised. */
void table_sizes_note(struct table *, const char *column, size_t n);
/* A value of such a file: "1.5 GiB" for "1.5 GB", in `room`; or p, if it is no such size. */
const char *table_sizes_text(const struct table *, struct column *, const char *p, size_t *n,
    char room[SIZE_TEXT_BYTES]);
