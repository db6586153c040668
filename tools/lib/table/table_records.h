/* table_records.h: records, one JSON object per line, as rows of a table. */
#pragma once

#include "table/table_rows.h"
#include "table/table_input.h"

void xtable_records_read(struct table *, struct table_input *, const struct path_values *);

/* One object as a row: the text of a JSON object. */
void table_records_row(struct table *, const char *text, size_t n, const struct path_values *);
