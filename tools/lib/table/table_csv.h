/* table_csv.h: CSV. */
#pragma once

#include "table/table_rows.h"
#include "table/table_input.h"

/* The rows of the input, with these values of its path; dies at a fault. */
void xtable_csv_read(struct table *, struct table_input *, const struct path_values *);
