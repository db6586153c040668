/* stat_show.h: the columns of metricstat's tables. */
#pragma once

#include "table_format.h"

/* flat: for programs, see table_format_is_flat(). */
void stat_show_groups(struct table_format *, const struct stat_table *, const struct list *stats,
    bool flat);
void stat_show_largest(struct table_format *, const struct stat_table *, const struct list *more,
    bool flat);
void stat_show_outliers(struct table_format *, const struct stat_table *, const struct list *more,
    bool flat);
void stat_show_requests(struct table_format *, const struct stat_table *, bool flat);
void stat_show_check(struct table_format *, const struct stat_table *);
/* Dies with ST_USAGE unless each is a statistic of a table (columns: NULL); or a key: one of the
 * columns, or a statistic. */
void xstat_show_known(const char *option, const struct list *names, const struct list *columns);

/* The records of all chosen groups, sorted by these keys: statistics, the largest first, and
 * columns of --by, in their order.  If sorted or with `most`: column by column, of each those with
 * the ranks `from` to `most` (0: all). */
struct record_list stat_show_records(const struct stat_table *, const struct list *keys,
    size_t from, size_t most);
