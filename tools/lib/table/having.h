/* having.h: groups chosen by a figure of theirs: 'memory:iqr>500MB memory:p05>=0.1GB'. */
#pragma once

#include "table/stat_figure.h"
#include "text/condition.h"

/* Which groups meet all conditions, whose names are COLUMN:STATISTIC; NULL: there are none.  Dies
 * with ST_USAGE if the table does not analyse a column. */
bool *xhaving_chosen(const struct stat_table *, struct conditions *);
