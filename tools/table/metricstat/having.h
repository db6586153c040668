/* having.h: groups chosen by a figure of theirs: 'memory:iqr>500MB memory:p05>=0.1GB'. */
#pragma once

#include "table/stat_figure.h"

void xhaving_add(const char *text);
/* Which groups meet all conditions, from their figures; NULL: no condition was given. */
bool *xhaving_chosen(const struct stat_table *);
