/* rows_where.h: the rows of a table that meet conditions, in the units of its columns. */
#pragma once

#include "table/table.h"
#include "text/condition.h"
#include "text/unit.h"

/* Converts the operands, such as "5GB", to numbers in the unit; returns the first that cannot be
 * converted, NULL if all can. */
const char *rows_where_in_unit(struct condition *, const struct unit *);
/* Finds for each row whether it meets all conditions; the caller frees the array.  Dies if
 * a column does not exist or a value cannot be converted to its unit. */
bool *xrows_where(const struct table *, struct conditions *);
