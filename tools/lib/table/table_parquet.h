/* table_parquet.h: rows of Parquet files. */
#ifndef TABLE_PARQUET_H
#define TABLE_PARQUET_H

#include "table/table_rows.h"

void xtable_parquet_read(struct table *, const char *path, const struct path_values *);
void table_parquet_end(void);	/* after the last file */

#endif
