/* table_parts.h: a CSV file, read on several processors if it is long. */
#pragma once

#include "table/table_rows.h"
#include "table/table_input.h"

void xtable_parts_read(struct table *, struct table_input *, const struct path_values *);
