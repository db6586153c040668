/* stat_show.h: the columns of metricstat's tables. */
#pragma once

#include "statistic.h"

/* flat: for programs, see table_format_is_flat(). */
void stat_show_groups(struct table_format *, const struct stat_table *, const struct list *stats,
    bool flat);
void stat_show_largest(struct table_format *, const struct stat_table *, const struct list *more,
    bool flat);
void stat_show_outliers(struct table_format *, const struct stat_table *, const struct list *more,
    bool flat);
void stat_show_requests(struct table_format *, const struct stat_table *, bool flat);
void stat_show_check(struct table_format *, const struct stat_table *);
void xstat_show_known(const struct list *stats);

/* By what groups are sorted, in the order of the words. */
extern const enum statistic stat_show_sorts[];
#define STAT_SORT_WORDS "count missing n_unique sum mean std min median max iqr mad"
/* The records of all chosen groups; STATISTICS: they are not sorted.  If sorted or with `most`:
 * column by column, in descending order, of each those with the ranks `from` to `most` (0: all). */
struct record_list stat_show_records(const struct stat_table *, enum statistic, size_t from,
    size_t most);
