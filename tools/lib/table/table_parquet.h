/* table_parquet.h: rows of Parquet files. */
#pragma once

#include "table/table_rows.h"

void xtable_parquet_read(struct table *, const char *path, const struct path_values *);
void table_parquet_end(void);	/* after the last file */
